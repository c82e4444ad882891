#include "preconditioners/block_jacobi.hpp"
#include "preconditioners/identity.hpp"
#include "preconditioners/jacobi.hpp"

namespace clothlab::preconditioners {

MatrixForm matrixForm(PreconditionerKind kind) {
    return kind == PreconditionerKind::ConstrainedBlock ? MatrixForm::ConstrainedDiagonal : MatrixForm::Plain;
}

std::unique_ptr<Preconditioner> makePreconditioner(const PreconditionerSettings& settings) {
    switch (settings.kind) {
        case PreconditionerKind::Identity: return std::make_unique<Identity>();
        case PreconditionerKind::Jacobi: return std::make_unique<Jacobi>();
        case PreconditionerKind::BlockJacobi: return std::make_unique<BlockJacobi>(enumKey(settings.kind));
        case PreconditionerKind::ConstrainedBlock: return std::make_unique<BlockJacobi>(enumKey(settings.kind));
    }
    return std::make_unique<Identity>();
}

}  // namespace clothlab::preconditioners
