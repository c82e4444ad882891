#include <pybind11/stl.h>

#include "base/platform.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "experiments/race/race_text.hpp"
#include "interruptible.hpp"
#include "loading.hpp"

namespace clothlab::python {
namespace {

using experiments::Contestant;
using experiments::RaceResult;

struct RaceRequest {
    std::vector<double> tolerances;
    int runs, maxIterations, threads;
};

/// One of the field: a name as a race prints it, or settings that differ from the active ones.
void add(std::vector<Contestant>& field, const scene::Settings& active, const py::handle& who) {
    if (py::isinstance<py::str>(who)) {
        const std::string name[] = {who.cast<std::string>()};
        for (Contestant& each : valueOf(experiments::contestantsNamed(active, name))) field.push_back(std::move(each));
        return;
    }
    scene::Settings settings = active;
    assignSettings(settings, who.cast<std::vector<std::string>>(), "race");
    field.push_back({{settings.solver, settings.preconditioner}});
}

RaceResult race(Lab& lab, const py::list& who, const RaceRequest& request) {
    const simulation::Simulation& simulation = lab.between();
    const auto system = lab.system(), earlier = lab.earlierSystem();
    if (!system) throw Failure("race: the last step left no linear system to race on");
    const scene::Settings settings = simulation.settings();
    std::vector<Contestant> field;
    for (const py::handle& each : who) add(field, settings, each);
    if (field.empty()) field = experiments::raceField(settings);
    experiments::RaceOptions options;
    options.tolerances = request.tolerances;
    options.runs = request.runs;
    options.maxIterations = request.maxIterations;
    const int threads = request.threads > 0 ? request.threads : simulation.threads();
    const std::string scene = simulation.scene().name;
    RaceResult result = interruptible([&](const std::stop_token& stop) {
        WorkerPool pool(threads);
        return experiments::race(*system, earlier.get(), std::move(field), options, {.stop = stop}, pool);
    });
    result.scene = scene;
    return result;
}

}  // namespace

void bindRace(py::module_& module, py::class_<Lab>& lab) {
    py::class_<RaceResult>(module, "Race")
        .def("table", [](const RaceResult& r) { return experiments::raceTable(r); })
        .def("csv", [](const RaceResult& r) { return experiments::raceCsv(r); })
        .def("curves_csv", [](const RaceResult& r) { return experiments::raceCurvesCsv(r); })
        .def("json", [](const RaceResult& r) { return experiments::toJson(r); })
        .def("labels", [](const RaceResult& r) {
            std::vector<std::string> labels;
            for (const experiments::RaceRow& row : r.rows) labels.push_back(r.field[row.contestant].label());
            return labels;
        })
        .def("messages", [](const RaceResult& r) {
            std::vector<std::string> messages;
            for (const experiments::RaceRow& row : r.rows) messages.push_back(row.message);
            return messages;
        });
    lab.def(
        "race",
        [](Lab& from, const py::list& who, std::vector<double> tolerances, int runs, int maxIterations, int threads) {
            return race(from, who, {std::move(tolerances), runs, maxIterations, threads});
        },
        py::arg("who"), py::arg("tolerances"), py::arg("runs"), py::arg("max_iterations"), py::arg("threads"));
}

}  // namespace clothlab::python
