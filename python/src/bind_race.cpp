#include <pybind11/stl.h>

#include "base/platform.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "experiments/race/race_text.hpp"
#include "foreign.hpp"
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

/// The field of a race, and the owners of the places of its Python objects.
struct Starters {
    std::vector<Contestant> contestants;
    std::vector<std::unique_ptr<Foreign>> objects;
};

/// Adds a contestant: a name as a race prints it, settings that differ from the active ones, or an object.
void add(Starters& field, const Lab& lab, const scene::Settings& active, const py::handle& who) {
    if (py::isinstance<py::str>(who)) {
        const std::string name[] = {who.cast<std::string>()};
        const std::vector<Contestant> named = valueOf(experiments::contestantsNamed(active, name));
        field.contestants.insert(field.contestants.end(), named.begin(), named.end());
        return;
    }
    scene::Settings settings = active;
    solvers::Method method;
    if (py::isinstance<py::list>(who)) {
        assignSettings(settings, who.cast<std::vector<std::string>>(), "race");
        method = {settings.solver, settings.preconditioner};
    } else if (lab.uses(who)) {
        method = {settings.solver, settings.preconditioner};
    } else {
        field.objects.push_back(std::make_unique<Foreign>(py::reinterpret_borrow<py::object>(who)));
        field.objects.back()->enter(method);
    }
    field.contestants.push_back({method});
}

Starters makeField(const Lab& lab, const scene::Settings& active, const py::list& who) {
    Starters field;
    for (const py::handle& each : who) add(field, lab, active, each);
    if (!field.contestants.empty()) return field;
    field.contestants = experiments::raceField(active);
    std::erase_if(field.contestants, [](const Contestant& c) { return !c.active && isForeign(c.method); });
    return field;
}

RaceResult race(Lab& lab, const py::list& who, const RaceRequest& request) {
    const simulation::Simulation& simulation = lab.between();
    const auto system = lab.system(), earlier = lab.earlierSystem();
    if (!system) throw Failure("race: the last step left no linear system to race on");
    Starters field = makeField(lab, simulation.settings(), who);
    experiments::RaceOptions options;
    options.tolerances = request.tolerances;
    options.runs = request.runs;
    options.maxIterations = request.maxIterations;
    const int threads = request.threads > 0 ? request.threads : simulation.threads();
    const std::string scene = simulation.scene().name;
    RaceResult result = interruptible([&](const std::stop_token& stop) {
        WorkerPool pool(threads);
        return experiments::race(*system, earlier.get(), std::move(field.contestants), options, {.stop = stop}, pool);
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
        .def("labels",
             [](const RaceResult& r) {
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
