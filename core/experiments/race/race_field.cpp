#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "experiments/race/race.hpp"
#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::experiments {

using preconditioners::Cost;
using solvers::kUsualSolver;
using solvers::SolverEntry;

namespace {

/// Calls f(field) for each of the keys that differs from its default.
template <class S, class F>
void forDifferences(S settings, const std::vector<std::string_view>& keys, F f) {
    S defaults;
    FieldList list, ofDefaults;
    describe(settings, list);
    describe(defaults, ofDefaults);
    for (const std::string_view key : keys)
        if (const Field* field = list.find(key); field && !equalValues(field->ref, ofDefaults.find(key)->ref))
            f(*field);
}

template <class F>
void forDifferences(const Contestant& c, F f) {
    const auto& [solver, preconditioner] = c.method;
    if (solvers::usesPreconditioner(solver.kind))
        forDifferences(preconditioner, preconditioners::activeParameters(preconditioner), f);
    forDifferences(solver, solvers::activeParameters(solver), f);
}

/// "fill level 1", "single unknowns", "shear in the core"
std::string words(const Field& field) {
    if (const EnumRef* choice = std::get_if<EnumRef>(&field.ref))
        for (const EnumEntry& entry : choice->table)
            if (entry.value == choice->value()) return std::string(entry.label);
    if (std::holds_alternative<bool*>(field.ref)) return std::string(field.meta.label);
    return fmt::format("{} {}", field.meta.label, valueText(field.ref));
}

Cost contestantCost(const Contestant& c) {
    const solvers::SolverTraits& traits = solvers::entryFor(c.method.solver.kind).traits;
    if (!solvers::iterates(c.method.solver.kind) || traits.factorsCompletely) return Cost::OfMatrix;
    if (!traits.needsPreconditioner) return Cost::NoCompleteFactor;
    return preconditioners::entryFor(c.method.preconditioner.kind).cost;
}

/// Contestants that are added, once each, if the catalogue lets the two go together.
class Entrants {
public:
    void add(const Contestant& c) {
        const bool there = std::ranges::any_of(all, [&](const Contestant& other) {
            return other.method.solver.kind == c.method.solver.kind && other.methodText() == c.methodText();
        });
        if (!there && solvers::findRefusal(c.method).reason.empty()) all.push_back(c);
    }
    /// The solver with each preconditioner: the simplest, which take long, late.
    void addWithAll(const SolverEntry& solver) {
        const auto rows = preconditioners::catalogue();
        for (auto row = rows.rbegin(); row != rows.rend(); ++row) add({{{.kind = solver.kind}, {.kind = row->kind}}});
    }
    void addVariants(const SolverEntry& solver) {
        for (const solvers::SolverSettings& variant : solver.variants) add({{variant, {}}});
    }

    std::vector<Contestant> all;
};

}  // namespace

std::string Contestant::solverKey() const { return isProgram() ? "program" : std::string(enumKey(method.solver.kind)); }

std::string Contestant::methodText() const {
    if (isProgram()) return program.name;
    const auto& [solver, preconditioner] = method;
    std::string text(solvers::usesPreconditioner(solver.kind) ? enumKey(preconditioner.kind) : "");
    forDifferences(*this, [&](const Field& field) {
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", field.key, valueText(field.ref));
    });
    return text;
}

bool Contestant::isLagged() const {
    return !isProgram() && solvers::usesPreconditioner(method.solver.kind) &&
           preconditioners::traitsFor(method.preconditioner).lag;
}

std::string Contestant::fullLabel() const {
    if (isProgram()) return label();
    return (method.solver.kind == kUsualSolver ? std::string(enumLabel(kUsualSolver)) + " · " : "") + label();
}

std::string Contestant::label() const {
    if (isProgram()) return program.name + " (a program)";
    const auto& [solver, preconditioner] = method;
    std::string text(enumLabel(solver.kind));
    if (solvers::usesPreconditioner(solver.kind))
        text = (solver.kind == kUsualSolver ? "" : text + " · ") + std::string(enumLabel(preconditioner.kind));
    forDifferences(*this, [&](const Field& field) { text += ", " + words(field); });
    return text;
}

std::string Contestant::name() const {
    std::string text = methodText();
    if (isProgram() || method.solver.kind == kUsualSolver) return text;
    return text.empty() ? solverKey() : solverKey() + " " + text;
}

bool goesBy(const Contestant& who, std::string_view name) {
    return name == who.name() || name == who.solverKey() + " " + who.methodText();
}

std::vector<Contestant> toContestants(std::span<const Program> programs) {
    std::vector<Contestant> out;
    for (const Program& program : programs) out.push_back({.program = program});
    return out;
}

Expected<std::vector<Contestant>> contestantsNamed(const scene::Settings& active, std::span<const std::string> names,
                                                   std::span<const Program> programs) {
    std::vector<Contestant> field = raceField(active);
    for (Contestant& one : toContestants(programs)) field.push_back(std::move(one));
    std::vector<Contestant> out;
    for (const std::string& name : names) {
        const auto at = std::ranges::find_if(field, [&](const Contestant& who) { return goesBy(who, name); });
        if (at == field.end()) {
            Error error{.message = fmt::format("no method of a race goes by '{}'", shown(name)), .choices = {}};
            for (const Contestant& who : field) error.choices.push_back(who.name());
            return fail(std::move(error));
        }
        out.push_back(*at);
    }
    return out;
}

bool racesAmong(const Contestant& who, RaceChoice choice) {
    if (choice == RaceChoice::All || who.active || who.isProgram()) return true;
    return who.method.solver.kind == kUsualSolver && who.methodText() == enumKey(who.method.preconditioner.kind);
}

std::vector<Contestant> raceField(const scene::Settings& active, RaceChoice choice) {
    Entrants entrants;
    entrants.add({{active.solver, active.preconditioner}, true});
    std::vector<const SolverEntry*> iterative;  // the usual one first
    for (const SolverEntry& solver : solvers::catalogue()) {
        if (solver.traits.needsPreconditioner) {
            iterative.insert(solver.kind == kUsualSolver ? iterative.begin() : iterative.end(), &solver);
            continue;
        }
        entrants.add({{{.kind = solver.kind}, {}}});
        entrants.addVariants(solver);
    }
    for (const SolverEntry* solver : iterative) entrants.addWithAll(*solver);
    for (const auto& row : preconditioners::catalogue())
        for (const auto& variant : preconditioners::listVariants(row.kind))
            entrants.add({{{.kind = kUsualSolver}, variant}});
    for (const SolverEntry* solver : iterative) entrants.addVariants(*solver);
    std::vector<Contestant> field = std::move(entrants.all);
    std::erase_if(field, [&](const Contestant& c) { return !racesAmong(c, choice); });
    std::stable_sort(field.begin() + 1, field.end(),
                     [](const Contestant& a, const Contestant& b) { return contestantCost(a) < contestantCost(b); });
    return field;
}

}  // namespace clothlab::experiments
