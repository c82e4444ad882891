#include "preconditioners/block_jacobi.hpp"
#include "preconditioners/chebyshev.hpp"
#include "preconditioners/identity.hpp"
#include "preconditioners/incomplete_cholesky.hpp"
#include "preconditioners/incomplete_poisson.hpp"
#include "preconditioners/jacobi.hpp"
#include "preconditioners/lagged_cholesky.hpp"
#include "preconditioners/matrix_core.hpp"
#include "preconditioners/ssor.hpp"

namespace clothlab::preconditioners {

MatrixForm matrixForm(const PreconditionerSettings& settings) {
    switch (settings.kind) {
        case PreconditionerKind::ConstrainedBlock:
            return settings.variant == Variant::Published ? MatrixForm::PublishedDiagonal
                                                          : MatrixForm::ConstrainedDiagonal;
        // Block forms of SAS + s(I - S) give the iterates of the reduced system.
        case PreconditionerKind::IncompleteCholesky:
            return settings.factorOf == FactorOf::Matrix ? MatrixForm::ConstrainedView : MatrixForm::Constrained;
        case PreconditionerKind::Ssor:
        case PreconditionerKind::IncompletePoisson:
        case PreconditionerKind::MatrixCore:
        case PreconditionerKind::LaggedCholesky:
        case PreconditionerKind::Chebyshev:
            return MatrixForm::Constrained;
        default:
            return MatrixForm::Plain;
    }
}

/// P<double> or P<float>
template <template <class> class P, class... Arguments>
static std::unique_ptr<Preconditioner> inPrecision(linalg::Precision precision, const Arguments&... arguments) {
    if (precision == linalg::Precision::Double) return std::make_unique<P<double>>(arguments...);
    return std::make_unique<P<float>>(arguments...);
}

std::unique_ptr<Preconditioner> makePreconditioner(const PreconditionerSettings& settings) {
    switch (settings.kind) {
        case PreconditionerKind::Identity:
            return std::make_unique<Identity>();
        case PreconditionerKind::Jacobi:
            return std::make_unique<Jacobi>();
        case PreconditionerKind::BlockJacobi:
            return std::make_unique<BlockJacobi>();
        case PreconditionerKind::ConstrainedBlock:
            return std::make_unique<BlockJacobi>(settings.variant);
        case PreconditionerKind::Ssor:
            return inPrecision<Ssor>(settings.precision, settings.variant, settings.omega, settings.domains);
        case PreconditionerKind::IncompleteCholesky:
            return inPrecision<IncompleteCholesky>(settings.precision, settings);
        case PreconditionerKind::IncompletePoisson:
            return inPrecision<IncompletePoisson>(settings.precision, settings.variant, settings.product);
        case PreconditionerKind::MatrixCore:
            return std::make_unique<MatrixCore>(settings);
        case PreconditionerKind::LaggedCholesky:
            return std::make_unique<LaggedCholesky>(settings);
        case PreconditionerKind::Chebyshev:
            return std::make_unique<Chebyshev>(settings.degree);
    }
    return std::make_unique<Identity>();
}

}  // namespace clothlab::preconditioners
