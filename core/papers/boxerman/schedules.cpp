#include "papers/boxerman/aimex.hpp"

#include "integrators/kind.hpp"

/// [B] §4.4.3, stability: steps that make springs change between explicit and implicit.
namespace clothlab::papers::boxerman {
namespace {

using integrators::AimexRule;
using integrators::DtSchedule;

constexpr int kVaryingSteps = 600;

struct Schedule {
    Cloth cloth;
    double dtMin;  ///< s
};

/// The thesis prints no parameters. Of a cloth: particles a side, spacing, density, stiffness of stretch, shear and
/// bend, damping of stretch and shear, drag, dt.
constexpr std::array kSchedules{
    Schedule{{Configuration::TwoCorners, 10, 0.1, 0.3, 1000, 100, 0.001, 0, 0, 0, 0.01}, 3e-4},
    Schedule{{Configuration::TwoCorners, 10, 0.1, 0.3, 1000, 100, 0.001, 0.1, 0.1, 0, 0.01}, 3e-4},
    Schedule{{Configuration::TwoCorners, 10, 0.05, 0.3, 1000, 300, 0.001, 0.01, 0.01, 0, 0.01}, 2e-4},
    Schedule{{Configuration::TwoCorners, 10, 0.1, 1, 300, 30, 0.01, 0.1, 0.1, 0, 0.02}, 1e-3},
};

/// Steps in which all springs of a family are explicit, and in which none is.
struct Seen {
    int asExplicit = 0, asImplicit = 0;
    std::string text() const { return asExplicit == 0 ? "implicit" : asImplicit == 0 ? "explicit" : "both"; }
};

struct VaryingCase {
    std::size_t number;
    DtSchedule schedule;
    AimexRule rule;
};

Expected<void> addVaryingSteps(const VaryingCase& each, Job& job, std::vector<ReproductionRow>& rows) {
    Cloth cloth = kSchedules[each.number].cloth;
    cloth.side = job.side(cloth.side, cloth.side);
    auto made = startSimulation(makeDirectScene(cloth, {.kind = integrators::IntegratorKind::AdaptiveImex,
                                                        .dt = cloth.dt,
                                                        .dtSchedule = each.schedule,
                                                        .dtMin = kSchedules[each.number].dtMin,
                                                        .aimexRule = each.rule}),
                                job);
    if (!made) return fail(made.error());
    Simulation& simulation = **made;
    const double startJ = simulation.lastReport().totalJ();
    double rise = 0;
    std::array<Seen, cloth::kFamilies> seen;
    const auto after = [&](const Simulation&) {
        rise = std::max(rise, simulation.lastReport().totalJ() - startJ);
        const SpringCounts counts = springCounts(simulation);
        for (std::size_t f = 0; f < seen.size(); ++f) {
            const auto& [slackExplicit, tautExplicit, slackImplicit, tautImplicit] = counts[f];
            seen[f].asExplicit += slackImplicit + tautImplicit == 0;
            seen[f].asImplicit += slackExplicit + tautExplicit == 0;
        }
    };
    auto stepped = walk(simulation, {.steps = kVaryingSteps, .after = after}, job);
    if (job.stopped()) return stepped;
    rows.push_back({{{"case", double(each.number + 1)},
                     {"dt_min_ms", 1e3 * kSchedules[each.number].dtMin},
                     {"dt_ms", 1e3 * cloth.dt},
                     {"schedule", std::string(enumKey(each.schedule))},
                     {"rule", std::string(enumKey(each.rule))}},
                    {{"status", stepped ? "ok" : "diverged"},
                     {"stretch", seen[0].text()},
                     {"shear", seen[1].text()},
                     {"bend", seen[2].text()},
                     {"rise_j", rise},
                     {"rise", rise / cloth.energyScale()},
                     {"total_j", simulation.lastReport().totalJ() - startJ}}});
    return {};
}

}  // namespace

Expected<Reproduction> stepsThatVary(Job& job) {
    std::vector<VaryingCase> cases;
    for (std::size_t k = 0; k < kSchedules.size(); ++k)
        for (const DtSchedule schedule : {DtSchedule::Alternate, DtSchedule::Sine})
            for (const AimexRule rule : {AimexRule::Paper, AimexRule::Safe}) cases.push_back({k, schedule, rule});
    job.tell("steps", kVaryingSteps);
    return tableOfCases(
        cases, job,
        [](const VaryingCase& each) { return fmt::format("case {}, {}", each.number + 1, enumKey(each.schedule)); },
        [&](const VaryingCase& each, auto& rows) { return addVaryingSteps(each, job, rows); });
}

}  // namespace clothlab::papers::boxerman
