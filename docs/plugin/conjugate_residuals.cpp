// A solver of one's own: conjugate residuals on S A dv = S b, without a preconditioner.
#include "plugin/plugin.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

using namespace clothlab;
using linalg::BlockVector;

class ConjugateResiduals final : public solvers::Solver {
public:
    explicit ConjugateResiduals(const solvers::SolverSettings& settings) : settings_(settings) {}

private:
    void run(const linalg::LinearSystem& system, BlockVector& dv, solvers::SolveSummary& summary,
             const solvers::SolveControl& control, WorkerPool& pool) override {
        const double tolerance = solvers::toleranceOf(settings_, system);
        system.constraints.prescribed(dv);  // (I - S) z
        BlockVector r(dv.size()), Ar(dv.size());
        const double scale = solvers::residual(system, dv, r);
        const auto multiply = [&] {
            linalg::multiply(system.A, r, Ar, pool);
            system.constraints.filter(Ar);
            return r.flat().dot(Ar.flat());
        };
        double rAr = multiply();
        BlockVector p = r, Ap = Ar;
        while (r.flat().norm() > tolerance * scale && rAr > 0 && summary.iterations < settings_.maxIterations &&
               !control.stop.stop_requested()) {
            const double alpha = rAr / Ap.flat().squaredNorm(), before = rAr;
            dv.flat() += alpha * p.flat();
            r.flat() -= alpha * Ap.flat();
            rAr = multiply();
            p.flat() = r.flat() + rAr / before * p.flat();
            Ap.flat() = Ar.flat() + rAr / before * Ap.flat();
            ++summary.iterations;
        }
        solvers::conclude(summary, solvers::trueRelativeResidual(system, dv), tolerance);
    }

    solvers::SolverSettings settings_;
};

Expected<void> enter() {
    return solvers::addSolver({.key = "conjugate-residuals",
                               .label = "Conjugate residuals",
                               .help = "Makes |r| least in each Krylov space.",
                               .traits = {.iterates = true},
                               .make = [](const auto& m) { return std::make_unique<ConjugateResiduals>(m.solver); }})
        .map([](auto) {});
}
CLOTHLAB_PLUGIN(enter)
