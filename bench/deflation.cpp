#include <cstdlib>

#include <fmt/format.h>

#include "bench.hpp"
#include "experiments/systems/freeze.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"

namespace clothlab::bench {
namespace {

linalg::FrozenSystem frozen(const char* name, std::initializer_list<const char*> assignments, int steps) {
    auto scene = scene::findScene(name, std::string(CLOTHLAB_SOURCE_DIR) + "/assets");
    for (const char* assignment : assignments)
        if (!scene || !scene::applyOverride(*scene, assignment)) std::exit(2);
    auto simulation = simulation::Simulation::create(*scene, 1);
    auto step = experiments::freezeStep(**simulation, steps);
    if (!step) {
        fmt::print(stderr, "the frame could not be made: {}\n", step.error().message);
        std::exit(1);
    }
    return std::move(step->system);
}

/// One solve from zero, including set-up, on one thread.
class Solve {
public:
    Solve(const linalg::FrozenSystem& system, double tolerance, preconditioners::Deflation deflation)
        : system_(system),
          solver_(solvers::makeSolver(
              {.kind = solvers::SolverKind::ReducedPcg, .tolerance = tolerance},
              {.kind = preconditioners::PreconditionerKind::IncompleteCholesky, .deflation = deflation})) {}
    void operator()() {
        linalg::LinearSystem view = system_.view();
        view.previous = nullptr;
        solver_->solve(view, deltaV_, summary_, {}, pool_);
        if (!solvers::converged(summary_.status)) std::exit(1);
    }

private:
    const linalg::FrozenSystem& system_;
    std::unique_ptr<solvers::Solver> solver_;
    linalg::BlockVector deltaV_;
    solvers::SolveSummary summary_;
    WorkerPool pool_{1};
};

}  // namespace

/// The time of incomplete Cholesky with a coarse space over that without one.
void deflationRatios(std::vector<Ratio>& out) {
    const auto row = [&](std::string name, const linalg::FrozenSystem& system, double tolerance) {
        Solve ours(system, tolerance, preconditioners::Deflation::Aggregates);
        Solve peer(system, tolerance, preconditioners::Deflation::None);
        out.push_back(compare(std::move(name), std::ref(ours), std::ref(peer), 9));
    };
    const auto solid = frozen("liu-frog", {"integrator.kind=linearized-backward-euler"}, 4);
    row("deflated_solid_1e-3_1t", solid, 1e-3);
    row("deflated_solid_1e-6_1t", solid, 1e-6);
    const auto shear = frozen(
        "hang",
        {"cloth.rows=100", "cloth.columns=100", "material.stretch_stiffness=6000", "material.shear_stiffness=1000"},
        40);
    row("deflated_stiff_shear_1e-3_1t", shear, 1e-3);
    row("deflated_stiff_shear_1e-6_1t", shear, 1e-6);
}

}  // namespace clothlab::bench
