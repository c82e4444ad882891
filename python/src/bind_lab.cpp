#include <pybind11/stl.h>

#include <algorithm>

#include "arrays.hpp"
#include "base/output.hpp"
#include "base/platform.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "lab.hpp"
#include "loading.hpp"
#include "simulation/branch.hpp"
#include "simulation/edits.hpp"
#include "simulation/report_columns.hpp"
#include "simulation/report_json.hpp"
#include "simulation/state_file.hpp"

namespace clothlab::python {
namespace {

using simulation::Simulation;

template <class Edit>
void apply(Lab& lab, const Edit& edit) {
    if (const auto done = edit.apply(lab.between()); !done) throw Failure(done.error());
}

void pin(Lab& lab, Index particle, int ndof, const Doubles& direction, const Doubles& velocity, double startTime) {
    simulation::edits::Pin edit{.particle = particle, .hold = {}, .motion = {}};
    if (ndof < 0 || ndof > 2) throw Failure("pin: ndof is 0 (a point), 1 (a line) or 2 (a plane)");
    if (ndof > 0) {
        const Vec3 along = vectorOf(direction, "pin: direction");
        if (!(along.norm() > 0)) throw Failure("pin: a line or a plane needs a direction");
        edit.hold = {ndof, along.normalized()};
    }
    edit.motion.velocity = vectorOf(velocity, "pin: velocity");
    edit.motion.startTime = edit.motion.velocity.isZero(0.0) ? 0 : startTime;
    apply(lab, edit);
}

void grab(Lab& lab, Index particle, const Doubles& target) {
    apply(lab, simulation::edits::Hold{{true, particle, vectorOf(target, "grab: target")}, {}});
}

py::array forces(Lab& lab) {
    const Simulation& simulation = lab.between();
    linalg::BlockVector all(simulation.model().particles());
    for (const cloth::PointForce& f : simulation.outsideForces()) all[f.particle] += f.force;
    return makeCopy(all);
}

void setForces(Lab& lab, const Doubles& given) {
    Simulation& simulation = lab.between();
    linalg::BlockVector all(simulation.model().particles());
    assign(all, given, "force");
    std::vector<cloth::PointForce> forces;
    for (Index i = 0; i < all.size(); ++i)
        if (!all[i].isZero(0.0)) forces.push_back({i, all[i]});
    simulation.setOutsideForces(forces);
}

void setForce(Lab& lab, Index particle, const Doubles& force) {
    Simulation& simulation = lab.between();
    if (particle < 0 || particle >= simulation.model().particles())
        throw Failure("set_force: there is no particle " + std::to_string(particle) + " (valid: 0 to " +
                      std::to_string(simulation.model().particles() - 1) + ")");
    const auto present = simulation.outsideForces();
    std::vector<cloth::PointForce> forces(present.begin(), present.end());
    std::erase_if(forces, [&](const cloth::PointForce& f) { return f.particle == particle; });
    forces.push_back({particle, vectorOf(force, "set_force")});
    simulation.setOutsideForces(forces);
}

void setState(Lab& lab, const Doubles& given, linalg::BlockVector integrators::SimulationState::*member,
              const char* what) {
    Simulation& simulation = lab.between();
    linalg::BlockVector fresh(simulation.model().particles());
    assign(fresh, given, what);
    simulation.changeState([&](integrators::SimulationState& state) {
        state.*member = fresh;
        integrators::forget(state, integrators::StateRole::Past);
    });
}

py::dict reportColumns(const Lab& lab, std::size_t last) {
    constexpr std::size_t kWidth = simulation::kReportColumns.size();
    const std::size_t steps = std::min(last, lab.statuses().size()), first = lab.statuses().size() - steps;
    py::dict out;
    for (std::size_t k = 0; k < kWidth; ++k) {
        py::array_t<double> column{py::ssize_t(steps)};
        double* to = column.mutable_data();
        for (std::size_t s = 0; s < steps; ++s) to[s] = lab.rows()[(first + s) * kWidth + k];
        out[py::str(simulation::kReportColumns[k].key)] = column;
    }
    py::list statuses;
    for (std::size_t s = first; s < lab.statuses().size(); ++s) statuses.append(py::str(lab.statuses()[s]));
    out["status"] = statuses;
    return out;
}

std::string stateBytes(Lab& lab) {
    scene::Scene scene = lab.between().scene();
    scene.settings = lab.ownSettings();
    return simulation::stateBytes(scene, lab.between().state());
}

/// The report of a step by a Python object would name methods that were not used.
std::string shownBytes(Lab& lab) {
    const simulation::StepReport& report = lab.between().lastReport();
    const bool stepped = report.step == lab.between().state().step && lab.between().settings() == lab.ownSettings();
    return simulation::shownBytes(stateBytes(lab), stepped ? &report : nullptr);
}

std::unique_ptr<Lab> branch(Lab& lab, const std::vector<std::string>& sets) {
    const Simulation& simulation = lab.between();
    scene::Settings settings = lab.ownSettings();
    assignSettings(settings, sets, "branch");
    return std::make_unique<Lab>(
        valueOf(simulation::Branch::makeCopy(simulation, settings, platform::hardwareThreads())), lab.keepsSystem());
}

void bindState(py::class_<Lab>& type) {
    using State = integrators::SimulationState;
    type.def("x", [](Lab& lab) { return makeCopy(lab.between().state().x); })
        .def("v", [](Lab& lab) { return makeCopy(lab.between().state().v); })
        .def(
            "set_x", [](Lab& lab, const Doubles& x) { setState(lab, x, &State::x, "x"); }, py::arg("x"))
        .def(
            "set_v", [](Lab& lab, const Doubles& v) { setState(lab, v, &State::v, "v"); }, py::arg("v"))
        .def("masses", [](Lab& lab) { return py::array_t<double>(py::cast(lab.between().model().mass)); })
        .def("triangles",
             [](Lab& lab) {
                 const auto& all = lab.between().model().triangles;
                 py::array_t<Index> out({py::ssize_t(all.size()), py::ssize_t(3)});
                 for (std::size_t t = 0; t < all.size(); ++t)
                     for (int k = 0; k < 3; ++k) out.mutable_at(t, k) = all[t][k];
                 return out;
             })
        .def("particles", [](Lab& lab) { return lab.between().model().particles(); })
        .def("time", [](Lab& lab) { return lab.between().state().time; })
        .def("steps", [](Lab& lab) { return lab.between().state().step; })
        .def("state_hash", [](Lab& lab) { return integrators::stateHash(lab.between().state()); })
        .def("pins",
             [](Lab& lab) {
                 std::vector<Index> pinned;
                 for (const integrators::Pin& each : lab.between().state().pins) pinned.push_back(each.particle);
                 return pinned;
             })
        .def("restart", [](Lab& lab) { lab.between().restart(); });
}

void bindEdits(py::class_<Lab>& type) {
    type.def("pin", &pin, py::arg("particle"), py::arg("ndof"), py::arg("direction"), py::arg("velocity"),
             py::arg("start_time"))
        .def(
            "unpin", [](Lab& lab, Index particle) { apply(lab, simulation::edits::Unpin{particle}); },
            py::arg("particle"))
        .def("grab", &grab, py::arg("particle"), py::arg("target"))
        .def("release", [](Lab& lab) { apply(lab, simulation::edits::Hold{}); })
        .def("forces", &forces)
        .def("set_forces", &setForces, py::arg("forces"))
        .def("set_force", &setForce, py::arg("particle"), py::arg("force"));
}

void bindFiles(py::class_<Lab>& type) {
    type.def(
            "save", [](Lab& lab, const std::string& path) { require(writeFile(path, stateBytes(lab), {})); },
            py::arg("path"))
        .def("state_bytes", [](Lab& lab) { return py::bytes(stateBytes(lab)); })
        .def("shown_bytes", [](Lab& lab) { return py::bytes(shownBytes(lab)); })
        .def(
            "take",
            [](Lab& lab, const py::bytes& handOver) {
                lab.take(valueOf(simulation::readHandOver(std::string_view(handOver))));
            },
            py::arg("hand_over"))
        .def("branch", &branch, py::arg("sets"))
        .def("scene_text", [](Lab& lab) { return scene::writeScene(lab.between().scene()); });
}

}  // namespace

py::class_<Lab> bindLab(py::module_& module) {
    py::class_<Lab> type(module, "Simulation");
    type.def("step", &Lab::step, py::arg("steps"), py::arg("on_step"))
        .def("report_line", [](Lab& lab) { return simulation::toJsonLine(lab.between().lastReport()); })
        .def("use", &Lab::use, py::arg("method"))
        .def("in_use", &Lab::inUse)
        .def("take_raised", &Lab::takeRaised)
        .def("reports", &reportColumns, py::arg("last"))
        .def("threads", [](Lab& lab) { return lab.between().threads(); })
        .def("name", [](Lab& lab) { return lab.between().scene().name; })
        .def("keeps_system", &Lab::keepsSystem);
    bindState(type);
    bindEdits(type);
    bindFiles(type);
    bindLoading(module, type);
    return type;
}

}  // namespace clothlab::python
