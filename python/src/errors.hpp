#pragma once

#include <pybind11/pybind11.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "base/errors.hpp"

/// Passes errors to Python: an Error of the core becomes a clothlab.Error with the message of the command line.
namespace clothlab::python {

namespace py = pybind11;

struct Failure : std::exception {
    explicit Failure(Error e) : error(std::move(e)) {}
    explicit Failure(std::string message) : error{.message = std::move(message)} {}
    Error error;
};

inline void require(const Expected<void>& done) {
    if (!done) throw Failure(done.error());
}
template <class T>
T valueOf(Expected<T> expected) {
    if (!expected) throw Failure(std::move(expected.error()));
    return std::move(*expected);
}

void bindErrors(py::module_& module);

}  // namespace clothlab::python
