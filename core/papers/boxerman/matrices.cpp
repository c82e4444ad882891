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
    return directSceneOf(cloth, integrator);
}

/// `blocks`: the pattern, what may be there and the diagonal; `occupied`: without those of slack springs; `largest` and
/// `second` component in particles.
records::Entries blocksOf(const linalg::FrozenSystem& system) {
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
Expected<Reproduction> blocksOfFirstStep(IntegratorKind kind, double printed, Job& job) {
    Reproduction out;
    const auto onSystem = [&](const simulation::StepReport&, const linalg::FrozenSystem& system) {
        out.rows.push_back({{{"implicit", kind == IntegratorKind::ImexEuler ? "stretch" : "all"}},
                            blocksOf(system),
                            printed > 0 ? records::Entries{{"blocks", printed}} : records::Entries{}});
    };
    const auto stepped = eachSystem(smallSheet({}, {.kind = kind, .dt = 0.001}, job), 1, job, onSystem);
    if (!stepped) return fail(stepped.error());
    out.notes = {
        "blocks: 3x3 blocks that the pattern has, one per particle and two per implicit spring. occupied: "
        "without those of springs that are slack in this step, at rest and level all bend springs. components, "
        "largest, second: of the occupied blocks' graph, in particles.",
        printed > 0
            ? "The figure's nz = 1360 counts the pattern, slack or not: 100 + 2 (180 + 162 + 288), 16 neighbours."
            : "The figure's caption has lost its nz in the scan: 460 = 100 + 2 x 180 is the number for stretch alone.",
        "The matrix as a picture: the window's panel M; as files: `clothlab system`.",
    };
    return out;
}

namespace {

constexpr double kPrinted411 = 370;

/// The step whose blocks are nearest to the printed count, and the spread over all steps.
Expected<void> addNearest(const EnumEntry& configuration, Job& job, std::vector<ReproductionRow>& rows) {
    constexpr int kSteps411 = 200;
    records::Entries nearest;
    double step = 0, mean = 0, fewest = HUGE_VAL, most = 0;
    const auto onSystem = [&](const simulation::StepReport& report, const linalg::FrozenSystem& system) {
        const records::Entries blocks = blocksOf(system);
        const double occupied = records::numberOf(blocks, "occupied");
        mean += occupied / kSteps411;
        fewest = std::min(fewest, occupied);
        most = std::max(most, occupied);
        if (step > 0 &&
            std::abs(occupied - kPrinted411) >= std::abs(records::numberOf(nearest, "occupied") - kPrinted411))
            return;
        nearest = blocks;
        step = double(report.step);
    };
    const Cloth cloth{
        .configuration = Configuration{configuration.value}, .stretch = 1000, .shear = 100, .bend = 0.001};
    auto stepped = eachSystem(smallSheet(cloth, {.kind = IntegratorKind::AdaptiveImex, .dt = 0.01}, job), kSteps411,
                              job, onSystem);
    if (!stepped) return stepped;
    rows.push_back({{{"sheet", std::string(configuration.label)}, {"step", step}},
                    joined(nearest, {{"fewest", fewest}, {"mean", mean}, {"most", most}}),
                    {{"occupied", kPrinted411}}});
    return {};
}

}  // namespace

/// Figure 4.11 has no parameters either: the cloth of figure 4.8, and of its steps the one whose count is nearest.
Expected<Reproduction> blocksOfAdaptiveImex(Job& job) {
    std::vector<std::string> notes{
        "Stretch 1000, shear 100 N/m, both implicit at 10 ms; bend is explicit: its blocks are in the pattern, for "
        "another step may need them, and none is occupied. 200 steps; the one whose occupied blocks are nearest to the "
        "figure's nz, and over all steps fewest, mean and most.",
        "The thesis prints nz = 370 and no parameters; figure 6.2 reorders the same matrix into \"two main blocks\". "
        "components, largest, second: ours, in particles, held ones left out.",
        "The matrix as a picture: the window's panel M; as files: "
        "`clothlab system boxerman-wireframe --step K --out DIR`.",
    };
    return tableOfCases(
        kConfigurations, job, [](const EnumEntry& entry) { return entry.label; },
        [&](const EnumEntry& entry, auto& rows) { return addNearest(entry, job, rows); }, std::move(notes));
}

/// One swing, whose step goes between 0.3 and 10 ms and back in 100 steps.
Expected<Reproduction> springsOfSteps(int phase, const char* what, Job& job) {
    constexpr int kPeriod = 100;
    constexpr std::array kFamilyNames{"stretch", "shear", "bend"};
    auto made = simulationOf(smallSheet({.stretch = 1000, .shear = 100, .bend = 0.001},
                                        {.kind = IntegratorKind::AdaptiveImex,
                                         .dt = 0.01,
                                         .dtSchedule = integrators::DtSchedule::Sine,
                                         .dtMin = 3e-4},
                                        job),
                             job);
    if (!made) return fail(made.error());
    Reproduction out;
    const auto walked = walk(**made, 4 * kPeriod, job, [&](const simulation::StepReport& report) {
        if ((report.step - 1) % kPeriod != phase) return;
        const SpringCounts springs = springCounts(**made);
        for (std::size_t f = 0; f < kFamilyNames.size(); ++f) {
            const auto& [slackExplicit, asExplicit, slackImplicit, asImplicit] = springs[f];
            ReproductionRow row{
                {{"step", double(report.step)}, {"dt_ms", 1e3 * report.dt}, {"springs", kFamilyNames[f]}},
                {{"implicit", double(asImplicit)},
                 {"explicit", double(asExplicit)},
                 {"inactive", double(slackExplicit + slackImplicit)},
                 {"active", asImplicit > 0   ? "implicit"
                            : asExplicit > 0 ? "explicit"
                                             : "none"}},
                {}};
            if (SpringFamily(f) == SpringFamily::Stretch)
                row.paper = {{"active", phase == 0 ? "explicit" : "implicit"}};
            if (SpringFamily(f) == SpringFamily::Shear)
                row.paper = {{"active", phase == kPeriod / 2 ? "implicit" : "explicit"}};
            out.rows.push_back(std::move(row));
        }
    });
    if (!walked) return fail(walked.error());
    out.notes = {
        fmt::format("The step is {}. 10 x 10 particles 0.1 m apart held at two corners, 0.3 kg/m^2, stretch 1000, "
                    "shear 100, bend 0.001 N/m; the step goes smoothly between 0.3 and 10 ms. The thesis prints no "
                    "parameters, and does not draw bend springs.",
                    what),
        "implicit, explicit, inactive: springs after the step; inactive "
        "are stretch and shear in compression, bend in extension.",
        "To see them: the scene `boxerman-wireframe` with the overlay `springs`.",
    };
    return out;
}

}  // namespace clothlab::papers::boxerman
