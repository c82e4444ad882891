#include <fmt/format.h>

#include <algorithm>

#include "papers/boxerman/scenes.hpp"
#include "papers/stepped_system.hpp"

/// [B] §4.4.3, stability: steps that make springs change between explicit and implicit.
namespace clothlab::simulation::schedules {
namespace {

using boxerman::Cloth;
using integrators::AimexRule;
using integrators::DtSchedule;

constexpr int kSteps = 600;

struct Case {
    Cloth cloth;
    double dtMin;  ///< s
};

/// The thesis prints no parameters.
const std::array kCases{
    Case{{.spacing = 0.1, .density = 0.3, .stretch = 1000, .shear = 100, .bend = 0.001, .dt = 0.01}, 3e-4},
    Case{{.spacing = 0.1,
          .density = 0.3,
          .stretch = 1000,
          .shear = 100,
          .bend = 0.001,
          .stretchDamping = 0.1,
          .shearDamping = 0.1,
          .dt = 0.01},
         3e-4},
    Case{{.spacing = 0.05,
          .density = 0.3,
          .stretch = 1000,
          .shear = 300,
          .bend = 0.001,
          .stretchDamping = 0.01,
          .shearDamping = 0.01,
          .dt = 0.01},
         2e-4},
    Case{{.spacing = 0.1,
          .density = 1,
          .stretch = 300,
          .shear = 30,
          .bend = 0.01,
          .stretchDamping = 0.1,
          .shearDamping = 0.1,
          .dt = 0.02},
         1e-3},
};

/// Steps in which all springs of a family are explicit, and in which none is.
struct Seen {
    int asExplicit = 0, asImplicit = 0;
    std::string text() const { return asExplicit == 0 ? "implicit" : asImplicit == 0 ? "explicit" : "both"; }
};

void look(const Simulation& simulation, std::array<Seen, cloth::kFamilies>& seen) {
    std::vector<std::uint8_t> states;
    simulation.springStates(states);
    std::array<bool, cloth::kFamilies> isImplicit{}, isExplicit{};
    for (std::size_t e = 0; e < states.size(); ++e) {
        const auto family = static_cast<std::size_t>(simulation.model().springs[e].family);
        (states[e] & cloth::kSpringImplicit ? isImplicit : isExplicit)[family] = true;
    }
    for (std::size_t f = 0; f < seen.size(); ++f) {
        seen[f].asExplicit += !isImplicit[f];
        seen[f].asImplicit += !isExplicit[f];
    }
}

Expected<ReproductionRow> rowOf(std::size_t k, DtSchedule schedule, AimexRule rule, const ReproduceOptions& options,
                                const ReproduceControl& control) {
    Cloth cloth = kCases[k].cloth;
    if (options.side > 0) cloth.side = options.side;
    scene::Scene scene = boxerman::sceneOf(cloth, 1e-4 * cloth.spacing);
    scene.settings.integrator = {.kind = integrators::IntegratorKind::AdaptiveImex,
                                 .dt = cloth.dt,
                                 .dtSchedule = schedule,
                                 .dtMin = kCases[k].dtMin,
                                 .aimexRule = rule};
    scene.settings.solver.kind = solvers::SolverKind::Cholesky;
    auto made = Simulation::create(std::move(scene), options.threads);
    if (!made) return tl::unexpected(made.error());
    const double startJ = (*made)->lastReport().totalJ();
    double rise = 0;
    const char* status = "ok";
    std::array<Seen, cloth::kFamilies> seen;
    for (int step = 0; step < kSteps; ++step) {
        const StepReport& report = (*made)->step({.stop = control.stop, .hash = false});
        if (control.stop.stop_requested()) return fail("stopped");
        if (hasFailed(report.status)) {
            status = "diverged";
            break;
        }
        rise = std::max(rise, report.totalJ() - startJ);
        look(**made, seen);
    }
    ReproductionRow row;
    row.what = {{"case", double(k + 1)},
                {"dt_min_ms", 1e3 * kCases[k].dtMin},
                {"dt_ms", 1e3 * cloth.dt},
                {"schedule", std::string(enumKey(schedule))},
                {"rule", std::string(enumKey(rule))}};
    row.ours = {{"status", status},
                {"stretch", seen[0].text()},
                {"shear", seen[1].text()},
                {"bend", seen[2].text()},
                {"rise_j", rise},
                {"rise", rise / cloth.energyScale()},
                {"total_j", (*made)->lastReport().totalJ() - startJ}};
    row.paper = {{"status", "stable"}};
    return row;
}

Expected<Reproduction> table(const ReproduceOptions& options, const ReproduceControl& control) {
    Reproduction out;
    for (std::size_t k = 0; k < kCases.size(); ++k)
        for (const DtSchedule schedule : {DtSchedule::Alternate, DtSchedule::Sine})
            for (const AimexRule rule : {AimexRule::Paper, AimexRule::Safe}) {
                if (control.progress)
                    control.progress(fmt::format("case {}, {}", k + 1, enumKey(schedule)),
                                     double(out.rows.size()) / (4.0 * kCases.size()));
                auto row = rowOf(k, schedule, rule, options, control);
                if (!row) return tl::unexpected(row.error());
                out.rows.push_back(std::move(*row));
            }
    out.notes = {
        fmt::format("{} steps of adaptive IMEX, two corners pinned, direct solver. rise_j: largest total energy above "
                    "that of the start; rise: over "
                    "m g L of all particles.",
                    kSteps),
        "alternate: dt_min and dt in turn; sine: between the two and back in 100 steps. stretch, shear, bend: how the "
        "springs of a family were "
        "treated; \"both\" is what the experiment is about.",
        "The thesis prints no parameters, and \"stability was maintained for all cases\". Cases 1 to 4 have 10 x 10 "
        "particles, from cloth with a "
        "limit between dt_min and dt for stretch and shear.",
    };
    return out;
}

}  // namespace
}  // namespace clothlab::simulation::schedules

namespace clothlab::simulation {

Expected<Reproduction> boxermanSection443Stability(const ReproduceOptions& options, const ReproduceControl& control) {
    return schedules::table(options, control);
}

}  // namespace clothlab::simulation
