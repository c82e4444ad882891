#include "solvers/parameters.hpp"

namespace clothlab::solvers {

using preconditioners::FactorOf;
using preconditioners::PreconditionerKind;
using preconditioners::Variant;

std::vector<std::string_view> parametersOf(const SolverSettings& s) {
    if (s.kind == SolverKind::Cholesky) return {"form", "ordering", "factorization"};
    if (s.kind == SolverKind::EigenLdlt) return {"form"};
    if (s.kind == SolverKind::CombinedLu) return {};
    if (s.kind == SolverKind::ReducedPcg) return {"matrix_precision", "basis"};
    if (s.kind == SolverKind::Mpcg) return {"matrix_precision", "mpcg_variant"};
    return {"matrix_precision"};
}

std::vector<std::string_view> parametersOf(const preconditioners::PreconditionerSettings& s) {
    const auto ofThePart = [&s](std::vector<std::string_view> keys) {
        if (s.factorOf == FactorOf::Core) keys.emplace_back("shear_in_core");
        return keys;
    };
    switch (s.kind) {
        case PreconditionerKind::ConstrainedBlock:
            return {"variant"};
        case PreconditionerKind::Ssor:
            if (s.variant == Variant::Published) return {"variant", "precision", "domains"};  // its formula gives omega
            return {"variant", "omega", "precision", "domains"};
        case PreconditionerKind::IncompleteCholesky:
            return ofThePart({"fill_level", "ordering", "domains", "breakdown", "precision", "factor_of"});
        case PreconditionerKind::IncompletePoisson:
            return {"variant", "product", "precision"};
        case PreconditionerKind::MatrixCore:
            return {"variant", "shear_in_core", "ordering", "precision", "permute"};
        case PreconditionerKind::LaggedCholesky:
            return ofThePart({"max_age", "patience", "factor_of", "ordering"});
        case PreconditionerKind::Chebyshev:
            return {"degree"};
        case PreconditionerKind::Identity:
        case PreconditionerKind::Jacobi:
        case PreconditionerKind::BlockJacobi:
            break;
    }
    return {};
}

}  // namespace clothlab::solvers
