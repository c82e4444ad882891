#include "foreign.hpp"

#include <deque>

#include "errors.hpp"
#include "foreign_methods.hpp"
#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/kind.hpp"

namespace clothlab::python {
namespace {

/// Never destroyed, since entries of the catalogues refer to the places.
std::deque<Place>& places() {
    static auto& all = *new std::deque<Place>();
    return all;
}

/// "python-my-solver" for MySolver: a key that files and options can contain.
std::string keyOf(const std::string& className) {
    std::string key = "python-";
    for (const char c : className) {
        const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
        if ((upper || !(lower || digit)) && key.back() != '-') key += '-';
        if (upper || lower || digit) key += upper ? char(c - 'A' + 'a') : c;
    }
    while (key.back() == '-') key.pop_back();
    return key.substr(0, 48);
}

int addEntry(Place& place, const std::string& className) {
    const std::string label = className + " (Python)", help = "An object of Python.";
    if (place.isSolver) {
        solvers::SolverEntry entry{.key = place.key, .label = label, .help = help};
        entry.traits.iterates = true;              // it gets the tolerance, so it may iterate
        entry.traits.bitwiseReproducible = false;  // unknown
        entry.make = [&place](const solvers::Method& method) { return makeForeignSolver(place, method.solver); };
        return int(valueOf(solvers::addSolver(std::move(entry))));
    }
    preconditioners::PreconditionerEntry entry{.key = place.key, .label = label, .help = help};
    entry.traits = [](const auto&) {
        return preconditioners::PreconditionerTraits{.form = preconditioners::MatrixForm::ConstrainedView};
    };
    entry.make = [&place](const auto&) { return makeForeignPreconditioner(place); };
    return int(valueOf(preconditioners::addPreconditioner(std::move(entry))));
}

/// A free place with this name, or a new one.
Place& placeFor(const std::string& className, bool isSolver) {
    const std::string base = keyOf(className);
    for (int number = 1;; ++number) {
        const std::string key = number == 1 ? base : base + "-" + std::to_string(number);
        Place* there = nullptr;
        for (Place& place : places())
            if (place.isSolver == isSolver && place.key == key) there = &place;
        if (there && there->object) continue;
        if (!there) {
            there = &places().emplace_back(Place{.isSolver = isSolver, .key = key});
            there->kind = addEntry(*there, className);
        }
        return *there;
    }
}

Place& takePlace(py::object object) {
    const bool solves = py::hasattr(object, "solve"), applies = py::hasattr(object, "apply");
    const std::string className = py::str(py::type::of(object).attr("__name__"));
    if (!solves && !applies)
        throw Failure(className + " is no method: a preconditioner has apply(r, z), a solver has solve(A, b, x)");
    for (const Place& place : places())
        if (place.object.is(object))
            throw Failure("this " + className + " is in use already: each simulation and each race needs its own");
    Place& place = placeFor(className, solves);
    place.object = std::move(object);
    place.raised = {};
    return place;
}

}  // namespace

Foreign::Foreign(py::object object) : place_(takePlace(std::move(object))) {}

Foreign::~Foreign() {
    place_.object = {};
    place_.raised = {};
}

void Foreign::enter(solvers::Method& method) const {
    if (place_.isSolver) {
        method.solver.kind = solvers::SolverKind(place_.kind);
        return;
    }
    method.solver.kind = solvers::SolverKind::Mpcg;
    method.preconditioner = {.kind = preconditioners::PreconditionerKind(place_.kind)};
}

py::object Foreign::takeRaised() {
    py::object raised = std::move(place_.raised);
    place_.raised = {};
    return raised ? raised : py::object(py::none());
}

bool isForeign(const solvers::Method& method) {
    for (const Place& place : places())
        if (place.kind == (place.isSolver ? int(method.solver.kind) : int(method.preconditioner.kind))) return true;
    return false;
}

}  // namespace clothlab::python
