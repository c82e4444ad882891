#include <cmath>

#include "experiments/systems/sparsity.hpp"
#include "integrators/kind.hpp"
#include "linalg/components.hpp"
#include "papers/boxerman/aimex.hpp"

/// [B] figures 4.3, 4.7, 4.11 (which blocks the matrix has) and 4.8 to 4.10 (which springs are implicit): the sheet of
/// 10 x 10.
namespace clothlab::papers::boxerman {
namespace {

using cloth::SpringFamily;
using integrators::IntegratorKind;

scene::Scene smallSheet(Cloth cloth, const integrators::IntegratorSettings& integrator, const Job& job) {
    cloth.side = job.side(cloth.side, cloth.side);
    return makeDirectScene(cloth, integrator);
}

/// `blocks`: the pattern, what may be there and the diagonal; `occupied`: without those of slack springs; `largest` and
/// `second` component in particles.
records::Entries countBlocks(const linalg::FrozenSystem& system) {
    const experiments::Sparsity picture = sparsity(system, experiments::SparsityOf::Matrix, factors::Ordering::Natural);
    linalg::Components components;
    linalg::findComponents(system.A, system.constraints, components);
    std::vector<double> sizes{0, 0};
    for (Index c = 1; c <= components.count(); ++c) sizes.push_back(double(components.size(c)));
    std::sort(sizes.rbegin(), sizes.rend());
    return {{"blocks", double(picture.column.size())},
            {"occupied", double(picture.occupied)},
            {"components", double(components.count())},
            {"largest", sizes[0]},
            {"second", sizes[1]}};
}

}  // namespace

/// All springs implicit, or stretch alone: the first step's matrix of a level sheet at rest.
Expected<Reproduction> blocksOfFirstStep(IntegratorKind kind, Job& job) {
    Reproduction out;
    const auto after = [&](const Simulation& simulation) {
        out.rows.push_back({{{"implicit", kind == IntegratorKind::ImexEuler ? "stretch" : "all"}},
                            countBlocks(*simulation.systemOfLastStep())});
    };
    const auto walked =
        walk(smallSheet({}, {.kind = kind, .dt = 0.001}, job), {.steps = 1, .systemsFrom = 1, .after = after}, job);
    if (!walked) return fail(walked.error());
    return out;
}

namespace {

/// The step whose blocks are nearest to the printed count, and the spread over all steps.
Expected<void> addNearest(const EnumEntry& configuration, Job& job, std::vector<ReproductionRow>& rows) {
    constexpr int kSteps411 = 200;
    records::Entries nearest;
    double step = 0, mean = 0, fewest = HUGE_VAL, most = 0;
    const double printed = records::findNumber(job.printed({}), "occupied");
    const auto after = [&](const Simulation& simulation) {
        const records::Entries blocks = countBlocks(*simulation.systemOfLastStep());
        const double occupied = records::findNumber(blocks, "occupied");
        mean += occupied / kSteps411;
        fewest = std::min(fewest, occupied);
        most = std::max(most, occupied);
        if (step > 0 && std::abs(occupied - printed) >= std::abs(records::findNumber(nearest, "occupied") - printed))
            return;
        nearest = blocks;
        step = double(simulation.lastReport().step);
    };
    const Cloth cloth{
        .configuration = Configuration{configuration.value}, .stretch = 1000, .shear = 100, .bend = 0.001};
    auto walked = walk(smallSheet(cloth, {.kind = IntegratorKind::AdaptiveImex, .dt = 0.01}, job),
                       {.steps = kSteps411, .systemsFrom = 1, .after = after}, job);
    if (!walked) return walked;
    rows.push_back({{{"sheet", std::string(configuration.label)}, {"step", step}},
                    joined(nearest, {{"fewest", fewest}, {"mean", mean}, {"most", most}})});
    return {};
}

}  // namespace

/// Figure 4.11 has no parameters either: the cloth of figure 4.8, and of its steps the one whose count is nearest.
Expected<Reproduction> blocksOfAdaptiveImex(Job& job) {
    return tableOfCases(
        kConfigurations, job, [](const EnumEntry& entry) { return entry.label; },
        [&](const EnumEntry& entry, auto& rows) { return addNearest(entry, job, rows); });
}

/// One swing, whose step goes between 0.3 and 10 ms and back in 100 steps.
Expected<Reproduction> springsOfSteps(int phase, const char* what, Job& job) {
    constexpr int kPeriod = 100;
    constexpr std::array kFamilyNames{"stretch", "shear", "bend"};
    auto made = startSimulation(smallSheet({.stretch = 1000, .shear = 100, .bend = 0.001},
                                           {.kind = IntegratorKind::AdaptiveImex,
                                            .dt = 0.01,
                                            .dtSchedule = integrators::DtSchedule::Sine,
                                            .dtMin = 3e-4},
                                           job),
                                job);
    if (!made) return fail(made.error());
    Reproduction out;
    const auto after = [&](const Simulation& simulation) {
        const simulation::StepReport& report = simulation.lastReport();
        if ((report.step - 1) % kPeriod != phase) return;
        const SpringCounts springs = springCounts(simulation);
        for (std::size_t f = 0; f < kFamilyNames.size(); ++f) {
            const auto& [slackExplicit, asExplicit, slackImplicit, asImplicit] = springs[f];
            out.rows.push_back(
                {{{"step", double(report.step)}, {"dt_ms", 1e3 * report.dt}, {"springs", kFamilyNames[f]}},
                 {{"implicit", double(asImplicit)},
                  {"explicit", double(asExplicit)},
                  {"inactive", double(slackExplicit + slackImplicit)},
                  {"active", asImplicit > 0   ? "implicit"
                             : asExplicit > 0 ? "explicit"
                                              : "none"}}});
        }
    };
    const auto walked = walk(**made, {.steps = 4 * kPeriod, .after = after}, job);
    if (!walked) return fail(walked.error());
    job.tell("what", what);
    return out;
}

}  // namespace clothlab::papers::boxerman
