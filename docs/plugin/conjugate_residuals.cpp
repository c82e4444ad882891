// A solver of one's own: conjugate residuals on S A dv = S b, without a preconditioner.
#include "plugin/plugin.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

using namespace clothlab;

struct ConjugateResiduals final : solvers::Solver {
    solvers::SolverSettings settings;

    void run(const linalg::LinearSystem& system, linalg::BlockVector& dv, solvers::SolveSummary& summary,
             const solvers::SolveControl& control, WorkerPool& pool) override {
        const double tolerance = solvers::computeTolerance(settings, system);
        system.constraints.prescribed(dv);  // (I - S) z
        linalg::BlockVector r(dv.size()), Ar(dv.size());
        const double scale = solvers::residual(system, dv, r);
        const auto multiply = [&] {
            linalg::multiply(system.A, r, Ar, pool);
            system.constraints.filter(Ar);
            return r.flat().dot(Ar.flat());
        };
        double rAr = multiply();
        linalg::BlockVector p = r, Ap = Ar;
        while (r.flat().norm() > tolerance * scale && rAr > 0 && summary.iterations < settings.maxIterations &&
               !control.stop.stop_requested()) {
            const double alpha = rAr / Ap.flat().squaredNorm(), before = rAr;
            dv.flat() += alpha * p.flat();
            r.flat() -= alpha * Ap.flat();
            rAr = multiply();
            p.flat() = r.flat() + rAr / before * p.flat();
            Ap.flat() = Ar.flat() + rAr / before * Ap.flat();
            ++summary.iterations;
            summary.history.push_back(float(r.flat().norm() / scale));
        }
        solvers::conclude(summary, solvers::trueRelativeResidual(system, dv), tolerance);
    }
};

Expected<void> enter() {
    const auto make = [](const solvers::Method& method) {
        auto solver = std::make_unique<ConjugateResiduals>();
        solver->settings = method.solver;
        return solver;
    };
    return solvers::addSolver({.key = "conjugate-residuals", .traits = {.iterates = true}, .make = make}).map([](auto) {
    });
}
CLOTHLAB_PLUGIN(enter)
