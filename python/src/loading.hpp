#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "lab.hpp"

/// Scenes and settings by the names and keys of the command line.
namespace clothlab::python {

/// Applies assignments "key=value"; an Error names `option` and the valid values.
void assignSettings(scene::Settings& settings, const std::vector<std::string>& sets, const char* option);
/// A scene by name or path, with the assignments applied. `threads` as in a scene; negative: the scene's own.
scene::Scene sceneNamed(const std::string& nameOrPath, const std::vector<std::string>& sets, int threads,
                        const std::string& assets);

void bindLoading(py::module_& module, py::class_<Lab>& type);

}  // namespace clothlab::python
