#include "errors.hpp"

#include <pybind11/stl.h>

namespace clothlab::python {
namespace {

/// The class is written in Python, where its members are easiest to document.
void raise(const Error& error) {
    const py::object type = py::module_::import("clothlab.errors").attr("Error");
    const py::object raised = type(error.text(), error.message, error.file, error.line, error.column, error.choices);
    PyErr_SetObject(type.ptr(), raised.ptr());
}

}  // namespace

void bindErrors(py::module_&) {
    // NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 requires this signature.
    py::register_exception_translator([](std::exception_ptr caught) {
        try {
            if (caught) std::rethrow_exception(caught);
        } catch (const Failure& failure) {
            raise(failure.error);
        }
    });
}

}  // namespace clothlab::python
