#include "actions/take_away.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "integrators/methods/catalogue.hpp"
#include "scene/painting.hpp"

namespace clothlab::app::actions {

using model::Panel;
using model::UiModel;
using widgets::Key;

namespace {

/// KEY=VALUE of the fields that differ.
template <class Described>
std::vector<std::string> changed(Described from, Described to, std::string_view prefix) {
    FieldList old, fresh;
    describe(from, old);
    describe(to, fresh);
    std::vector<std::string> sets;
    for (std::size_t k = 0; k < fresh.fields().size(); ++k) {
        const Field& field = fresh.fields()[k];
        if (field.key == "threads" || equalValues(old.fields()[k].ref, field.ref)) continue;
        std::string value = valueText(field.ref);
        if (std::holds_alternative<Vec3*>(field.ref))  // "0,-9.81,0" needs no quotes in a shell
            std::erase_if(value, [](char c) { return c == '[' || c == ']' || c == ' '; });
        sets.push_back(fmt::format("{}{}={}", prefix, field.key, value));
    }
    return sets;
}

/// What of --set makes the one scene the other; none: no --set does.
std::optional<std::vector<std::string>> setsBetween(const scene::Scene& from, const scene::Scene& to) {
    std::vector<std::string> sets;
    if (!from.cloths.empty() && !to.cloths.empty() && !(from.cloths.front() == to.cloths.front()))
        sets = changed(from.cloths.front(), to.cloths.front(), "cloth.");
    for (std::string& one : changed(from.settings, to.settings, "")) sets.push_back(std::move(one));
    scene::Scene made = from;
    for (const std::string& one : sets)
        if (!scene::applyOverride(made, one)) return {};
    made.name = to.name, made.file = to.file;
    made.settings.threads = to.settings.threads;
    return made == to ? std::optional(sets) : std::nullopt;
}

bool copyCommand(UiModel& model) {
    if (const auto plain = plainCommand(model))
        model.copy(*plain, "copied: " + *plain);
    else
        model.saveRecording();
    return true;
}

bool copyScene(UiModel& model) {
    model.copy(sceneText(model), "The scene is copied, as TOML.");
    return true;
}

}  // namespace

std::optional<std::string> plainCommand(const UiModel& model) {
    const worker::Snapshot& now = *model.snapshot;
    if (!now.plain || integrators::traitsFor(now.settings.integrator.kind).ownMatrix) return {};
    scene::Scene wanted = model.scene;
    wanted.settings = now.settings;
    std::error_code ignored;
    const std::string name = wanted.file.ends_with(".toml") && !wanted.file.starts_with(model.lessons.assets)
                                 ? std::filesystem::absolute(wanted.file, ignored).string()  // pasted anywhere
                                 : wanted.name;
    const auto found = scene::findScene(name, model.lessons.assets);
    if (!found) return {};
    const auto sets = setsBetween(*found, wanted);
    if (!sets) return {};
    std::string text = "clothlab run " + shellWord(name);
    for (const std::string& one : *sets) text += " --set " + shellWord(one);
    return text + fmt::format(" --steps {}", now.taken);
}

std::string sceneText(const UiModel& model) {
    scene::Scene scene = scene::withPainting(model.scene, model.brushTool.painting);
    scene.settings = model.settings;
    return scene::writeScene(scene);
}

std::vector<Action> takeAwayActions() {
    return {
        {.name = "state.save",
         .label = "Save the state",
         .help = "saves the whole simulation, to continue from",
         .key = Key::S,
         .run = [](UiModel& model) { return model.saveState(); },
         .group = "file",
         .control = true},
        {.name = "file.open",
         .label = "Open",
         .help = "opens a saved state, a scene or a mesh",
         .key = Key::O,
         .run =
             [](UiModel& model) {
                 model.open(Panel::Gallery);
                 return model.files.asked = model.files.first = true;
             },
         .group = "file",
         .control = true},
        {.name = "copy.command",
         .label = "Copy as command",
         .help = "copies a command that reproduces the current state",
         .key = Key::C,
         .run = copyCommand,
         .group = "copy",
         .control = true},
        {.name = "copy.scene",
         .label = "Copy as scene",
         .help = "copies the scene with its settings",
         .run = copyScene},
    };
}

}  // namespace clothlab::app::actions
