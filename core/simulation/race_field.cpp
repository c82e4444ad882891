#include <fmt/format.h>

#include "simulation/race.hpp"

namespace clothlab::simulation {

using preconditioners::BreakdownCure;
using preconditioners::FactorOf;
using preconditioners::PreconditionerKind;
using preconditioners::PreconditionerSettings;
using preconditioners::Variant;
using solvers::DirectForm;
using solvers::SolverKind;
using solvers::SolverSettings;

namespace {

/// " key=value" for everything that differs from the defaults, of the keys that are named.
template <class S>
std::string differences(S settings, std::initializer_list<std::string_view> keys) {
    S defaults;
    FieldList list, ofDefaults;
    describe(settings, list);
    describe(defaults, ofDefaults);
    std::string text;
    for (const std::string_view key : keys) {
        const Field *one = list.find(key), *other = ofDefaults.find(key);
        if (!equalValues(one->ref, other->ref)) text += fmt::format(" {}={}", key, valueText(one->ref));
    }
    return text;
}

/// The parameters that a method has.
std::string parameters(const PreconditionerSettings& s) {
    switch (s.kind) {
        case PreconditionerKind::Ssor: return differences(s, {"variant", "omega"});
        case PreconditionerKind::IncompleteCholesky:
            return differences(s, {"fill_level", "ordering", "breakdown", "factor_of", "shear_in_core"});
        case PreconditionerKind::IncompletePoisson: return differences(s, {"variant", "product"});
        case PreconditionerKind::MatrixCore: return differences(s, {"variant", "ordering", "shear_in_core"});
        case PreconditionerKind::LaggedCholesky:
            return differences(s, {"factor_of", "ordering", "shear_in_core", "max_age", "patience"});
        case PreconditionerKind::Chebyshev: return differences(s, {"degree"});
        default: return {};
    }
}

}  // namespace

std::string Contestant::methodText() const {
    if (solvers::usesPreconditioner(solver.kind)) return std::string(enumKey(preconditioner.kind)) + parameters(preconditioner);
    std::string text = solver.kind == SolverKind::CombinedLu ? "" : differences(solver, {"form", "ordering", "factorization"});
    return text.empty() ? text : text.substr(1);
}

std::vector<Contestant> raceField(const scene::Settings& inForce) {
    std::vector<Contestant> field;
    const auto same = [](const Contestant& a, const Contestant& b) {
        return a.solver.kind == b.solver.kind && a.methodText() == b.methodText();
    };
    const auto add = [&](Contestant c) {
        for (const Contestant& other : field)
            if (same(other, c)) return;
        if (!solvers::usesPreconditioner(c.solver.kind) || solvers::refusal(c.solver.kind, c.preconditioner.kind).empty())
            field.push_back(std::move(c));
    };
    add({inForce.solver, inForce.preconditioner, true});
    using linalg::Factorization;
    for (const SolverSettings& direct : std::initializer_list<SolverSettings>{
             {.kind = SolverKind::Cholesky},
             {.kind = SolverKind::Cholesky, .form = DirectForm::Reduced},
             {.kind = SolverKind::Cholesky, .factorization = Factorization::Supernodal},
             {.kind = SolverKind::Cholesky, .factorization = Factorization::Simplicial},
             {.kind = SolverKind::EigenLdlt},
             {.kind = SolverKind::CombinedLu}})
        add({direct, {}});
    for (const SolverKind solver : {SolverKind::ReducedPcg, SolverKind::Mpcg})
        for (const EnumEntry& kind : preconditioners::kPreconditionerKinds)
            add({{.kind = solver}, {.kind = PreconditionerKind(kind.value)}});
    for (const PreconditionerSettings& variant : std::initializer_list<PreconditionerSettings>{
             {.kind = PreconditionerKind::Ssor, .variant = Variant::Point},
             {.kind = PreconditionerKind::IncompleteCholesky, .fillLevel = 1},
             {.kind = PreconditionerKind::IncompleteCholesky, .ordering = linalg::Ordering::ReverseCuthillMcKee},
             {.kind = PreconditionerKind::IncompleteCholesky, .factorOf = FactorOf::Core},
             {.kind = PreconditionerKind::IncompleteCholesky, .breakdown = BreakdownCure::Compensate},
             {.kind = PreconditionerKind::IncompletePoisson, .variant = Variant::Published},
             {.kind = PreconditionerKind::MatrixCore, .variant = Variant::Point},
             {.kind = PreconditionerKind::MatrixCore, .shearInCore = true},
             {.kind = PreconditionerKind::LaggedCholesky, .factorOf = FactorOf::Core}})
        add({{.kind = SolverKind::ReducedPcg}, variant});
    return field;
}

}  // namespace clothlab::simulation
