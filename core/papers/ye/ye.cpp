#include "papers/ye/ye.hpp"

#include "papers/plain_mpcg.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

namespace clothlab::papers::ye {
namespace {

const std::array kTables{
    PaperTable{"ye-table-1", table1, {"nodes", "relative", "pinned", "draping"}},
    PaperTable{"ye-table-2", table2, {"step", "before", "repeats"}},
    PaperTable{"ye-section-3-basis", section3Basis, {"side", "step"}},
    PaperTable{"ye-section-6-imex", section6Imex, {"dt_ms", "steps", "seeds", "speed"}},
    PaperTable{"ye-figure-1", figure1, {"first", "last", "apart", "around"}},
    PaperTable{"ye-figure-4", figure4, {"side", "stretch", "tolerance", "first", "last", "apart", "around"}},
    PaperTable{"ye-section-7", section7, {"side"}},
};

}  // namespace

std::span<const PaperTable> tables() { return kTables; }

Method conjugateGradients(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner) {
    return {{.kind = solver, .tolerance = kTolerance, .stopping = solvers::Stopping::PNorm, .maxIterations = 5000},
            {.kind = preconditioner}};
}

Method mpcg() { return conjugateGradients(solvers::SolverKind::Mpcg, preconditioners::PreconditionerKind::Jacobi); }

Method corePcg() {
    return conjugateGradients(solvers::SolverKind::ReducedPcg, preconditioners::PreconditionerKind::MatrixCore);
}

std::unique_ptr<solvers::Solver> buildSolver(const Method& method, Kernel kernel) {
    if (kernel == Kernel::Plain)
        return std::make_unique<PlainMpcg>(method.solver.tolerance, method.solver.maxIterations);
    return solvers::makeSolver(method.solver, method.preconditioner);
}

Method direct(solvers::SolverKind solver, solvers::DirectForm form, solvers::Factorization factorization) {
    return {{.kind = solver, .form = form, .factorization = factorization}, {}};
}

std::vector<std::string> meshSettings(int side, double dtMs, double stiffness) {
    std::vector<std::string> sets = fastStepping();
    for (std::string& each : square(side)) sets.push_back(std::move(each));
    sets.push_back(fmt::format("integrator.dt={:g}", 1e-3 * dtMs));
    sets.push_back(fmt::format("material.stretch_stiffness={:g}", stiffness));
    return sets;
}

}  // namespace clothlab::papers::ye
