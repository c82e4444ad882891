#include "window/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scene/mesh_scene.hpp"
#include "simulation/recording.hpp"
#include "simulation/state_file.hpp"

// What the window opens: scenes, saved states and meshes, by the gallery, by the list of scenes, or dropped on it.
namespace clothlab::app::window {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 24;  // of the working folder

/// States, scenes and meshes of the working folder, the newest first.
std::vector<std::string> filesHere() {
    std::vector<std::pair<fs::file_time_type, std::string>> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(".", ignored)) {
        const std::string ending = entry.path().extension().string(), name = entry.path().filename().string();
        const bool opens = ending == simulation::kStateEnding || ending == ".toml" || geometry::namesMesh(name);
        if (opens && entry.is_regular_file(ignored)) found.emplace_back(entry.last_write_time(ignored), name);
    }
    std::ranges::sort(found, std::greater<>());
    if (found.size() > kMostFiles) found.resize(kMostFiles);
    std::vector<std::string> names;
    names.reserve(found.size());
    for (auto& [time, name] : found) names.push_back(std::move(name));
    return names;
}

}  // namespace

void listFiles(model::UiModel& model, const std::string& assets, const std::vector<std::string>& recent) {
    std::erase_if(model.scenes, [](const model::SceneChoice& c) { return c.group == model::SceneGroup::Files; });
    std::vector<std::string> names = recent;
    for (std::string& name : filesHere())
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    for (const std::string& name : names) {
        const std::string file = fs::path(name).filename().string();
        model::SceneChoice choice{.name = name, .title = file, .group = model::SceneGroup::Files};
        if (name.ends_with(simulation::kStateEnding)) {
            if (const auto saved = simulation::loadState(name)) {
                choice.watch = fmt::format("{} at step {}", saved->scene.name, saved->state.step);
                choice.picture = saved->scene.name;
            } else {
                choice.problem = saved.error().text();
            }
        } else if (geometry::namesMesh(name)) {
            choice.watch = "A mesh, as a cloth that falls.";
        } else if (const auto found = scene::findScene(name, assets)) {
            choice = model::makeSceneChoice(*found, name);
        } else if (name.find('/') == name.npos) {
            continue;  // a TOML file of something else
        } else {
            choice.problem = found.error().text();
        }
        model.scenes.push_back(std::move(choice));
    }
}

void open(model::UiModel& model, const std::string& assets, const std::string& path) {
    std::error_code ignored;
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))  // a pipe would keep the window waiting
        return model.say(path + ": this is no file", true);
    if (path.ends_with(simulation::kRecordingEnding))
        return model.say(
            fmt::format("{} is a recording: clothlab view --replay FILE plays it.", fs::path(path).filename().string()),
            true);
    if (path.ends_with(simulation::kStateEnding)) {
        auto saved = simulation::loadState(path);
        if (!saved) return model.say(saved.error().text(), true);
        const std::string lost = simulation::lostFactor(saved->scene.settings);
        model.say(fmt::format("Opened {}: {} at step {}.{}", fs::path(path).filename().string(), saved->scene.name,
                              saved->state.step, lost.empty() ? "" : " But " + lost + "."),
                  false);
        return model.loadState(saved->scene,
                               std::make_shared<const integrators::SimulationState>(std::move(saved->state)));
    }
    const auto found = geometry::namesMesh(path) ? scene::sceneOfMesh(path) : scene::findScene(path, assets);
    if (!found) return model.say(found.error().text(), true);
    model.say("", false);
    model.loadScene(*found);
}

}  // namespace clothlab::app::window
