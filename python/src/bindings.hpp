#pragma once

#include <pybind11/pybind11.h>

#include "lab.hpp"

/// The functions by which each source in this folder adds to the module.
namespace clothlab::python {

py::class_<Lab> bindLab(py::module_& module);
void bindSystem(py::module_& module, py::class_<Lab>& lab);
void bindRace(py::module_& module, py::class_<Lab>& lab);
void bindBatch(py::module_& module);
void bindExperiments(py::module_& module);

}  // namespace clothlab::python
