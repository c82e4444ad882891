#include "loading.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <filesystem>

#include "base/platform.hpp"
#include "base/text.hpp"
#include "errors.hpp"
#include "plugin/load.hpp"
#include "scene/data_folder.hpp"
#include "scene/toml/table_reader.hpp"
#include "simulation/state_file.hpp"

namespace clothlab::python {
namespace {

using simulation::Simulation;

void assignSetting(const FieldList& list, const std::string& assignment, const char* option) {
    const std::size_t equals = assignment.find('=');
    const std::string key = assignment.substr(0, equals), value = assignment.substr(equals + 1);
    Expected<void> done;
    if (const Field* field = list.find(key)) {
        done = assignText(*field, value);
    } else if (key.starts_with("cloth.")) {
        done = fail(fmt::format("'{}' cannot be set here: a simulation has its cloth already", shown(key)));
    } else {
        std::vector<std::string> valid;
        const std::string table = key.substr(0, key.find('.') + 1);
        for (const std::string& name : list.keys())
            if (table.empty() ? name.find('.') == name.npos : name.starts_with(table)) valid.push_back(name);
        done = fail(scene::unknownKey(key, list.similar(key), valid.empty() ? list.keys() : valid));
    }
    if (done) return;
    Error error = done.error();
    error.message = fmt::format("{} {}: {}", option, shown(assignment), error.message);
    throw Failure(std::move(error));
}

scene::Scene withSets(scene::Scene scene, const std::vector<std::string>& sets, int threads) {
    for (const std::string& assignment : sets) require(scene::applyOverride(scene, assignment, "settings"));
    if (threads >= 0) scene.settings.threads = threads;
    return scene;
}

std::unique_ptr<Lab> build(scene::Scene scene, bool keepSystem) {
    return std::make_unique<Lab>(valueOf(Simulation::create(std::move(scene), platform::hardwareThreads())),
                                 keepSystem);
}

std::unique_ptr<Lab> resume(const simulation::SavedState& saved, bool keepSystem) {
    return std::make_unique<Lab>(valueOf(simulation::resume(saved, platform::hardwareThreads())), keepSystem);
}

py::object pythonValue(const FieldRef& ref) {
    struct Visitor {
        py::object operator()(const bool* b) const { return py::bool_(*b); }
        py::object operator()(const int* i) const { return py::int_(*i); }
        py::object operator()(const double* d) const { return py::float_(*d); }
        py::object operator()(const Vec3* v) const { return py::make_tuple((*v)[0], (*v)[1], (*v)[2]); }
        py::object operator()(const std::string* s) const { return py::str(*s); }
        py::object operator()(const EnumRef& e) const { return py::str(valueText(e)); }
    };
    return std::visit(Visitor(), ref);
}

py::dict settingsOf(Lab& lab) {
    scene::Settings settings = lab.between().settings();
    FieldList list;
    describe(settings, list);
    py::dict out;
    for (const Field& field : list.fields()) out[py::str(field.key)] = pythonValue(field.ref);
    return out;
}

}  // namespace

void assignSettings(scene::Settings& settings, const std::vector<std::string>& sets, const char* option) {
    scene::Settings changed = settings;  // all of them or none
    FieldList list;
    describe(changed, list);
    for (const std::string& assignment : sets) assignSetting(list, assignment, option);
    settings = changed;
}

scene::Scene sceneNamed(const std::string& nameOrPath, const std::vector<std::string>& sets, int threads,
                        const std::string& assets) {
    return withSets(valueOf(scene::findScene(nameOrPath, assets)), sets, threads);
}

void bindLoading(py::module_& module, py::class_<Lab>& type) {
    type.def("settings", &settingsOf)
        .def(
            "assign",
            [](Lab& lab, const std::vector<std::string>& sets) {
                Simulation& simulation = lab.between();
                scene::Settings settings = simulation.settings();
                assignSettings(settings, sets, "settings");
                simulation.apply(settings);
            },
            py::arg("sets"));
    module.def(
        "simulation_of_scene",
        [](const std::string& name, const std::vector<std::string>& sets, int threads, bool keepSystem,
           const std::string& assets) { return build(sceneNamed(name, sets, threads, assets), keepSystem); },
        py::arg("name"), py::arg("sets"), py::arg("threads"), py::arg("keep_system"), py::arg("assets"));
    module.def(
        "simulation_of_text",
        [](const std::string& text, const std::vector<std::string>& sets, int threads, bool keepSystem) {
            auto scene = scene::readSceneText(text, {});
            if (!scene) {  // a dict has no lines
                scene.error().line = scene.error().column = 0;
                throw Failure(scene.error());
            }
            return build(withSets(std::move(*scene), sets, threads), keepSystem);
        },
        py::arg("text"), py::arg("sets"), py::arg("threads"), py::arg("keep_system"));
    module.def(
        "simulation_of_file",
        [](const std::string& path, bool keepSystem) {
            return resume(valueOf(simulation::loadState(path)), keepSystem);
        },
        py::arg("path"), py::arg("keep_system"));
    module.def(
        "simulation_of_bytes",
        [](const py::bytes& bytes, bool keepSystem) {
            return resume(valueOf(simulation::readStateBytes(std::string(bytes), "state")), keepSystem);
        },
        py::arg("state"), py::arg("keep_system"));
    module.def(
        "assets_folder",
        [](const std::string& package) {
            const std::filesystem::path up = std::filesystem::path(package) / ".." / ".." / ".." / "..";
            const std::filesystem::path roots[] = {up, up / "share" / "clothlab"};
            return scene::dataFolder("assets", "CLOTHLAB_ASSETS", roots);
        },
        py::arg("package"));
    module.def("scene_names", &scene::builtInScenes, py::arg("assets"));
    module.def(
        "load_plugin", [](const std::string& path) { require(plugin::load(path)); }, py::arg("path"));
}

}  // namespace clothlab::python
