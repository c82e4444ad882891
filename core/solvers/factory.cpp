#include "solvers/combined_lu.hpp"
#include "solvers/decomposed.hpp"
#include "solvers/direct.hpp"
#include "solvers/mpcg.hpp"
#include "solvers/reduced_pcg.hpp"

namespace clothlab::solvers {

using preconditioners::PreconditionerKind;

bool usesPreconditioner(SolverKind solver) { return solver == SolverKind::Mpcg || solver == SolverKind::ReducedPcg; }

std::string refusal(SolverKind solver, const preconditioners::PreconditionerSettings& preconditioner) {
    if (solver == SolverKind::ReducedPcg && preconditioner.kind == PreconditionerKind::ConstrainedBlock)
        return "constrained-block is for mpcg: the reduced system has no constrained directions left, and there it is "
               "the same as block-jacobi";
    if (solver == SolverKind::Mpcg && preconditioner.kind == PreconditionerKind::MatrixCore &&
        preconditioner.permute == preconditioners::Permute::Once)
        return "permute=once is for reduced-pcg: mpcg filters the constrained directions in the order of the particles";
    return {};
}

namespace {

/// Stands in for a pair that makes no sense: every solve says so.
class Refusing final : public Solver {
public:
    explicit Refusing(std::string reason) : reason_(std::move(reason)) {}

private:
    void run(const linalg::LinearSystem&, linalg::BlockVector&, SolveSummary& summary, const SolveControl&,
             WorkerPool&) override {
        summary.status = SolveStatus::Refused;
        summary.message = reason_;
    }

    std::string reason_;
};

std::unique_ptr<Solver> makeOfKind(const SolverSettings& settings,
                                   const preconditioners::PreconditionerSettings& preconditioner) {
    if (usesPreconditioner(settings.kind))
        if (std::string reason = refusal(settings.kind, preconditioner); !reason.empty())
            return std::make_unique<Refusing>(std::move(reason));
    switch (settings.kind) {
        case SolverKind::Mpcg:
            return std::make_unique<Mpcg>(settings, preconditioners::makePreconditioner(preconditioner),
                                          preconditioners::matrixForm(preconditioner));
        case SolverKind::ReducedPcg:
            return std::make_unique<ReducedPcg>(settings, preconditioners::makePreconditioner(preconditioner));
        case SolverKind::Cholesky:
            return std::make_unique<Direct>(settings, makeCholmod(settings));
        case SolverKind::EigenLdlt:
            return std::make_unique<Direct>(settings, makeEigenLdlt());
        case SolverKind::CombinedLu:
            return std::make_unique<CombinedLu>(settings);
    }
    return std::make_unique<Refusing>("unknown solver");
}

}  // namespace

std::unique_ptr<Solver> makeSolver(const SolverSettings& settings,
                                   const preconditioners::PreconditionerSettings& preconditioner) {
    if (!settings.decompose) return makeOfKind(settings, preconditioner);
    return std::make_unique<Decomposed>(settings,
                                        [settings, preconditioner] { return makeOfKind(settings, preconditioner); });
}

}  // namespace clothlab::solvers
