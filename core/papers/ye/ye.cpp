#include "papers/ye/ye.hpp"

#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

namespace clothlab::papers::ye {
namespace {

const std::array kTables{
    PaperTable{"ye-table-1", "Ye, table 1: MPCG and the reduced system, pinned and draped", table1},
    PaperTable{"ye-table-2", "Ye, table 2: MPCG, direct solvers and corePCG, a ball hits a sheet", table2},
    PaperTable{"ye-section-3-basis", "Ye, section 3: effect of the basis U of the free directions on the iterations",
               section3Basis},
    PaperTable{"ye-section-6-imex", "Ye, section 6: the shear at which IMEX turns unstable", section6Imex},
    PaperTable{"ye-figure-1", "Ye, figure 1: a T-shirt and a sheet on a solid, a step's time by method", figure1},
    PaperTable{"ye-figure-4", "Ye, figure 4: clumping cloth, a step's time for dynamics and for contact", figure4},
    PaperTable{"ye-section-7", "Ye, section 7: iterations while contact moves particles", section7},
};

}  // namespace

std::span<const PaperTable> tables() { return kTables; }

Method conjugateGradients(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner) {
    return {{.kind = solver, .tolerance = kTolerance, .stopping = solvers::Stopping::PNorm, .maxIterations = 5000},
            {.kind = preconditioner}};
}

Method corePcg() {
    return conjugateGradients(solvers::SolverKind::ReducedPcg, preconditioners::PreconditionerKind::MatrixCore);
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
