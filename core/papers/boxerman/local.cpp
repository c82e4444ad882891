#include <cmath>

#include "integrators/kind.hpp"
#include "linalg/distances.hpp"
#include "papers/boxerman/aimex.hpp"

/// [B] §4.4 decides spring by spring, but its cloth is even and of one material, so whole families go one way, and
/// table 4.1 has them in classes. Here part of the sheet is explicit and part implicit: by a region of another
/// material, or by columns that narrow.
namespace clothlab::papers::boxerman {
namespace {

/// The soft sheet: every spring explicit, with the numbers of the thesis' grid.
Cloth softSheet(int side) {
    return {.side = side, .spacing = 0.05, .density = 0.3, .stretch = 100, .shear = 10, .bend = 0.001, .dt = 0.001};
}
constexpr double kStiffStretch = 3000, kStiffShear = 1000;  // N/m, of the same grid: both implicit

struct LocalCase {
    double stiffShare;  ///< of the columns
    double grading;     ///< of all columns; 1 = even
};
constexpr std::array kLocalCases{LocalCase{0, 1},    LocalCase{0.25, 1}, LocalCase{0.5, 1},
                                 LocalCase{0.75, 1}, LocalCase{1, 1},    LocalCase{0, 0.1}};

scene::Scene localSheet(const LocalCase& c, const Cloth& soft) {
    scene::Scene scene = makeScene(soft);
    scene.cloths.front().grading = c.grading;
    const int stiff = int(std::lround(c.stiffShare * soft.side));
    if (stiff == 0) return scene;
    scene::MaterialRegion region{.where = {.rowFrom = 0, .rowTo = -1, .columnFrom = -stiff, .columnTo = -1},
                                 .given = {"stretch_stiffness", "shear_stiffness"},
                                 .values = {.stretchStiffness = kStiffStretch, .shearStiffness = kStiffShear}};
    scene.regions.push_back(std::move(region));
    return scene;
}

constexpr std::size_t kImplicitly = 0, kAdaptively = 1, kByComponents = 2, kSteppings = 3;  // ways to step

struct SteppedSheet {
    std::unique_ptr<simulation::Simulation> simulation;
    double ms = 0, iterations = 0;
};

Expected<std::array<SteppedSheet, kSteppings>> startSheets(const LocalCase& c, const Cloth& soft, Job& job) {
    std::array<SteppedSheet, kSteppings> sheets;
    for (std::size_t k = 0; k < kSteppings; ++k) {
        scene::Scene scene = localSheet(c, soft);
        stepWith(scene, soft.dt, thesisMethod(soft.dt));
        if (k != kImplicitly) scene.settings.integrator.kind = integrators::IntegratorKind::AdaptiveImex;
        scene.settings.solver.decompose = k == kByComponents;
        auto made = startSimulation(std::move(scene), job);
        if (!made) return fail(made.error());
        sheets[k].simulation = std::move(*made);
    }
    return sheets;
}

/// A share of all stretch and shear springs.
double implicitShare(const simulation::Simulation& simulation) {
    const SpringCounts counts = springCounts(simulation);
    double all = 0, implicit = 0;
    for (const auto family : {cloth::SpringFamily::Stretch, cloth::SpringFamily::Shear})
        for (unsigned flags = 0; flags < 4; ++flags) {
            all += counts[int(family)][flags];
            if (flags & cloth::kSpringImplicit) implicit += counts[int(family)][flags];
        }
    return implicit / all;
}

Expected<void> addLocalRow(const LocalCase& c, const Cloth& soft, int steps, Job& job,
                           std::vector<ReproductionRow>& rows) {
    auto sheets = startSheets(c, soft, job);
    if (!sheets) return fail(sheets.error());
    std::array<Walker, kSteppings> walkers;
    for (std::size_t k = 0; k < kSteppings; ++k) walkers[k].simulation = (*sheets)[k].simulation.get();
    const auto afterAll = [&](int step) {
        if (step == 1) return;  // what a first step allocates and analyses is not the cost of a step
        for (SteppedSheet& sheet : *sheets) {
            sheet.ms += linearMs(sheet.simulation->lastReport()) / (steps - 1);
            sheet.iterations += double(sheet.simulation->lastReport().iterations) / (steps - 1);
        }
    };
    if (auto done = walk(walkers, {.steps = steps, .afterAll = afterAll}, job); !done) return fail(done.error());
    const SteppedSheet &base = (*sheets)[kImplicitly], &adaptive = (*sheets)[kAdaptively],
                       &pieces = (*sheets)[kByComponents];
    const double apart =
        linalg::distances(base.simulation->state().x, adaptive.simulation->state().x).largest / soft.spacing;
    rows.push_back({{{"stiff_share", c.stiffShare}, {"grading", c.grading}},
                    {{"implicit_springs", implicitShare(*adaptive.simulation)},
                     {"base_iterations", base.iterations},
                     {"iterations", adaptive.iterations},
                     {"cg_ratio", adaptive.iterations / std::max(1e-9, base.iterations)},
                     {"base_ms", base.ms},
                     {"step_ms", adaptive.ms},
                     {"speed_ratio", adaptive.ms / base.ms},
                     {"by_components", pieces.ms / base.ms},
                     {"apart", apart}}});
    return {};
}

}  // namespace

Expected<Reproduction> localAdaptiveImex(Job& job) {
    const Cloth soft = softSheet(job.side(40, 20));
    const int steps = job.choose(1000, 300, 20);
    job.tell("side", soft.side, "spacing", soft.spacing, "density", soft.density, "dt_ms", 1e3 * soft.dt, "steps",
             steps, "stretch", soft.stretch, "shear", soft.shear, "stiff_stretch", kStiffStretch, "stiff_shear",
             kStiffShear);
    return tableOfCases(
        kLocalCases, job,
        [](const LocalCase& c) {
            return fmt::format("{:g} of the columns stiff, grading {:g}", c.stiffShare, c.grading);
        },
        [&](const LocalCase& c, std::vector<ReproductionRow>& rows) { return addLocalRow(c, soft, steps, job, rows); });
}

}  // namespace clothlab::papers::boxerman
