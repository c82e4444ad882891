#include <string_view>

#include "integrators/kind.hpp"
#include "papers/boxerman/decomposition.hpp"
#include "papers/boxerman/tables.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

/// [B] chapter 7: "Taken together, the three methods double to triple the speed" of the simulation.
namespace clothlab::papers::boxerman {
namespace {

/// A sheet on a sphere, held by friction or not; the thesis names none.
struct Drape {
    const char* name;
    Friction friction;
    double shear;  ///< N/m
};
constexpr std::array kDrapes{Drape{"sticking", Friction::Sticking, 100}, Drape{"sliding", Friction::Sliding, 300}};

/// Which of the thesis' methods a run has.
struct Combination {
    const char* name;
    bool adaptive = false;     ///< adaptive IMEX, chapter 4
    bool constrained = false;  ///< corrected MPCG with its start and CP, chapter 5
    bool components = false;   ///< decomposition, chapter 6
};
constexpr std::array kCombinations{
    Combination{"none"},
    Combination{.name = "adaptive IMEX", .adaptive = true},
    Combination{.name = "constrained preconditioner", .constrained = true},
    Combination{.name = "components", .components = true},
    Combination{"all three", true, true, true},
};

/// What the thesis starts from: backward Euler, MPCG of Baraff and Witkin from zero, the diagonal of A.
scene::Scene makeScene(const Cloth& cloth, const Drape& drape, const Combination& with) {
    scene::Scene scene = decomposingScene(cloth, drape.friction);
    if (!with.adaptive) scene.settings.integrator.kind = integrators::IntegratorKind::LinearizedBackwardEuler;
    const double tolerance = computeTolerance(kReadings[0], cloth.dt);
    Method method = with.constrained ? mpcg(tolerance, kPreconditioners[kConstrained])
                                     : mpcg(tolerance, preconditioners::PreconditionerKind::Jacobi,
                                            solvers::MpcgVariant::Original, false);
    method.solver.decompose = with.components;
    stepWith(scene, cloth.dt, method);
    return scene;
}

Expected<void> addRows(const Drape& drape, int side, int steps, Job& job, std::vector<ReproductionRow>& rows) {
    const Cloth cloth{.configuration = Configuration::Sphere,
                      .side = side,
                      .spacing = 1.5 / (side - 1),
                      .density = 0.1,
                      .stretch = 1000,
                      .shear = drape.shear,
                      .dt = 0.01};
    std::vector<std::unique_ptr<Simulation>> owned;
    std::vector<Walker> walkers;
    for (const Combination& with : kCombinations) {
        auto made = startSimulation(makeScene(cloth, drape, with), job);
        if (!made) return fail(made.error());
        walkers.push_back({.simulation = made->get()});
        owned.push_back(std::move(*made));
    }
    std::array<double, kCombinations.size()> ms{}, iterations{};
    const auto after = [&](int step) {
        job.say(fmt::format("{}, step {} of {}", drape.name, step, steps), double(step) / steps);
        for (std::size_t k = 0; k < walkers.size(); ++k) {
            ms[k] += owned[k]->lastReport().stepMs / steps;
            iterations[k] += double(owned[k]->lastReport().iterations) / steps;
        }
    };
    if (auto done = walk(walkers, {.steps = steps, .afterAll = after}, job); !done) return done;
    for (std::size_t k = 0; k < walkers.size(); ++k)
        rows.push_back({{{"cloth", drape.name}, {"with", kCombinations[k].name}},
                        {{"iterations", iterations[k]}, {"step_ms", ms[k]}, {"speed_up", ms[0] / ms[k]}}});
    return {};
}

}  // namespace

Expected<Reproduction> allThreeTogether(Job& job) {
    const int side = job.side(41, 31), steps = job.choose(200, 100, 20);
    job.tell("side", side, "steps", steps);
    return tableOfCases(
        kDrapes, job, [](const Drape& drape) { return std::string(drape.name); },
        [&](const Drape& drape, auto& rows) { return addRows(drape, side, steps, job, rows); });
}

}  // namespace clothlab::papers::boxerman
