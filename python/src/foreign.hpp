#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "solvers/method.hpp"

/// Python objects in the catalogues of the core.
///
/// An entry of a catalogue is permanent, an object is not. So an entry is a place for one object at a time, and a later
/// object of a class of the same name gets the same place. Find and leave places with the interpreter's lock held.
namespace clothlab::python {

namespace py = pybind11;

/// A place in a catalogue. Methods made from the entry keep the object alive themselves.
struct Place {
    bool isSolver = false;
    std::string key;
    int kind = 0;
    py::object object;           ///< null: free
    py::object raised;           ///< the last exception of the object; null: none
    const void* user = nullptr;  ///< the preconditioner that it was last set up for
};

/// The place of an object while it is in use.
class Foreign {
public:
    /// Throws a Failure if the object has neither `apply` nor `solve`, or already has a place.
    explicit Foreign(py::object object);
    ~Foreign();
    Foreign(const Foreign&) = delete;
    Foreign& operator=(const Foreign&) = delete;

    const py::object& object() const { return place_.object; }
    bool isSolver() const { return place_.isSolver; }
    /// Whether these settings name the object.
    bool isIn(const solvers::SolverSettings& solver, const preconditioners::PreconditionerSettings& other) const {
        return place_.kind == (isSolver() ? int(solver.kind) : int(other.kind));
    }
    /// Puts the object into a method. A preconditioner is combined with MPCG, which gives it SAS + s(I - S).
    void enter(solvers::Method& method) const;
    /// Returns the last exception of the object, or None, and forgets it.
    py::object takeRaised();

private:
    Place& place_;
};

/// Whether a method names a Python place, with or without an object in it.
bool isForeign(const solvers::Method& method);

}  // namespace clothlab::python
