#include <fmt/format.h>

#include <algorithm>

#include "experiments/race.hpp"
#include "solvers/parameters.hpp"

namespace clothlab::experiments {

using preconditioners::BreakdownCure;
using preconditioners::FactorOf;
using preconditioners::Permute;
using preconditioners::PreconditionerKind;
using preconditioners::PreconditionerSettings;
using preconditioners::Variant;
using solvers::DirectForm;
using solvers::SolverKind;
using solvers::SolverSettings;

namespace {

/// Calls f(field) for each of the keys that differs from its default.
template <class S, class F>
void forDifferences(S settings, const std::vector<std::string_view>& keys, F f) {
    S defaults;
    FieldList list, ofDefaults;
    describe(settings, list);
    describe(defaults, ofDefaults);
    for (const std::string_view key : keys)
        if (const Field* field = list.find(key); !equalValues(field->ref, ofDefaults.find(key)->ref)) f(*field);
}

template <class F>
void forDifferences(const Contestant& c, F f) {
    if (solvers::usesPreconditioner(c.solver.kind))
        forDifferences(c.preconditioner, solvers::parametersOf(c.preconditioner), f);
    forDifferences(c.solver, solvers::parametersOf(c.solver), f);
}

/// "fill level 1", "single unknowns", "shear in the core"
std::string words(const Field& field) {
    if (const EnumRef* choice = std::get_if<EnumRef>(&field.ref))
        for (const EnumEntry& entry : choice->table)
            if (entry.value == choice->value()) return std::string(entry.label);
    if (std::holds_alternative<bool*>(field.ref)) return std::string(field.meta.label);
    return fmt::format("{} {}", field.meta.label, valueText(field.ref));
}

/// 0 = no complete factor, 1 = one of a part or an older matrix, 2 = of the matrix itself.
int costClass(const Contestant& c) {
    if (!solvers::usesPreconditioner(c.solver.kind)) return 2;
    return c.preconditioner.kind == PreconditionerKind::MatrixCore ||
           c.preconditioner.kind == PreconditionerKind::LaggedCholesky;
}

}  // namespace

std::string Contestant::methodText() const {
    std::string text(solvers::usesPreconditioner(solver.kind) ? enumKey(preconditioner.kind) : "");
    forDifferences(*this, [&](const Field& field) {
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", field.key, valueText(field.ref));
    });
    return text;
}

bool Contestant::isLagged() const {
    return solvers::usesPreconditioner(solver.kind) && preconditioner.kind == PreconditionerKind::LaggedCholesky;
}

std::string Contestant::fullLabel() const {
    return (solver.kind == SolverKind::ReducedPcg ? std::string(enumLabel(solver.kind)) + " · " : "") + label();
}

std::string Contestant::label() const {
    std::string text = solver.kind == SolverKind::Mpcg ? "MPCG · " : "";
    text += solvers::usesPreconditioner(solver.kind) ? enumLabel(preconditioner.kind) : enumLabel(solver.kind);
    forDifferences(*this, [&](const Field& field) { text += ", " + words(field); });
    return text;
}

bool racesAmong(const Contestant& who, RaceChoice choice) {
    if (choice == RaceChoice::All || who.inForce) return true;
    return who.solver.kind == SolverKind::ReducedPcg && who.methodText() == enumKey(who.preconditioner.kind);
}

std::vector<Contestant> raceField(const scene::Settings& inForce, RaceChoice choice) {
    std::vector<Contestant> field;
    const auto same = [](const Contestant& a, const Contestant& b) {
        return a.solver.kind == b.solver.kind && a.methodText() == b.methodText();
    };
    const auto add = [&](Contestant c) {
        for (const Contestant& other : field)
            if (same(other, c)) return;
        if (!solvers::usesPreconditioner(c.solver.kind) || solvers::refusal(c.solver.kind, c.preconditioner).empty())
            field.push_back(std::move(c));
    };
    add({inForce.solver, inForce.preconditioner, true});
    using factors::Factorization;
    for (const SolverSettings& direct : std::initializer_list<SolverSettings>{
             {.kind = SolverKind::Cholesky},
             {.kind = SolverKind::Cholesky, .form = DirectForm::Reduced},
             {.kind = SolverKind::Cholesky, .factorization = Factorization::Supernodal},
             {.kind = SolverKind::Cholesky, .factorization = Factorization::Simplicial},
             {.kind = SolverKind::EigenLdlt},
             {.kind = SolverKind::CombinedLu}})
        add({direct, {}});
    for (const SolverKind solver : {SolverKind::ReducedPcg, SolverKind::Mpcg})
        for (auto kind = preconditioners::kPreconditionerKinds.rbegin();
             kind != preconditioners::kPreconditionerKinds.rend(); ++kind)
            add({{.kind = solver}, {.kind = PreconditionerKind(kind->value)}});  // the simplest, which take long, late
    for (const PreconditionerSettings& variant : std::initializer_list<PreconditionerSettings>{
             {.kind = PreconditionerKind::Ssor, .variant = Variant::Point},
             {.kind = PreconditionerKind::IncompleteCholesky, .fillLevel = 1},
             {.kind = PreconditionerKind::IncompleteCholesky, .ordering = factors::Ordering::ReverseCuthillMcKee},
             {.kind = PreconditionerKind::IncompleteCholesky, .factorOf = FactorOf::Core},
             {.kind = PreconditionerKind::IncompleteCholesky, .breakdown = BreakdownCure::Compensate},
             {.kind = PreconditionerKind::IncompletePoisson, .variant = Variant::Published},
             {.kind = PreconditionerKind::MatrixCore, .variant = Variant::Point},
             {.kind = PreconditionerKind::MatrixCore, .permute = Permute::Once},
             {.kind = PreconditionerKind::MatrixCore, .shearInCore = true},
             {.kind = PreconditionerKind::LaggedCholesky, .factorOf = FactorOf::Core}})
        add({{.kind = SolverKind::ReducedPcg}, variant});
    add({{.kind = SolverKind::ReducedPcg, .matrixPrecision = linalg::Precision::Single},
         {.kind = PreconditionerKind::BlockJacobi}});
    std::erase_if(field, [&](const Contestant& c) { return !racesAmong(c, choice); });
    std::stable_sort(field.begin() + 1, field.end(),
                     [](const Contestant& a, const Contestant& b) { return costClass(a) < costClass(b); });
    return field;
}

}  // namespace clothlab::experiments
