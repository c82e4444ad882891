#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "solvers/method.hpp"

/// Objects of Python in the catalogues of the core.
///
/// An entry of a catalogue stays for ever, an object does not: an entry is a place that one object has at a time, and
/// that a later object of a class of the same name gets. Places are looked for and left with the interpreter's lock.
namespace clothlab::python {

namespace py = pybind11;

/// A place in a catalogue. What is made of the entry meanwhile holds the object by itself.
struct Place {
    bool isSolver = false;
    std::string key;
    int kind = 0;
    py::object object;           ///< null: free
    py::object raised;           ///< what the object raised last; null: nothing
    const void* user = nullptr;  ///< the preconditioner that it was last set up for
};

/// The place of an object while it is in use. Its settings are those that name it.
class Foreign {
public:
    /// Throws a Failure where the object has neither `apply` nor `solve`, or has a place already.
    explicit Foreign(py::object object);
    ~Foreign();
    Foreign(const Foreign&) = delete;
    Foreign& operator=(const Foreign&) = delete;

    const py::object& object() const { return place_.object; }
    bool isSolver() const { return place_.isSolver; }
    /// Whether these are settings that name it.
    bool isIn(const solvers::SolverSettings& solver, const preconditioners::PreconditionerSettings& other) const {
        return place_.kind == (isSolver() ? int(solver.kind) : int(other.kind));
    }
    /// A preconditioner comes with MPCG, which hands it SAS + s(I - S).
    void enter(solvers::Method& method) const;
    /// The exception that it raised last, or None; only once.
    py::object takeRaised();

private:
    Place& place_;
};

/// Whether a method has an object of Python in it, be there one now or not.
bool isForeign(const solvers::Method& method);

}  // namespace clothlab::python
