#include "bindings.hpp"
#include "errors.hpp"

PYBIND11_MODULE(_core, module) {
    using namespace clothlab::python;
    module.doc() = "The compiled part of clothlab. Its public names are those of the package.";
    bindErrors(module);
    py::class_<Lab> lab = bindLab(module);
    bindSystem(module, lab);
    bindRace(module, lab);
    bindBatch(module);
    bindExperiments(module);
}
