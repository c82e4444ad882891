#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/text.hpp"
#include "commands/assets.hpp"
#include "commands/commands.hpp"
#include "commands/load_scene.hpp"
#include "records/settings_json.hpp"
#include "scene/builder.hpp"
#include "scene/cloth_facts.hpp"
#include "simulation/cure.hpp"

namespace clothlab::app::commands {

namespace {

/// Whose values they are, one line each; nothing of a scene that is of no paper.
std::string paperNotes(const scene::Scene& scene) {
    const std::vector<scene::PaperRow> rows = scene::paperRows(scene);
    if (!scene.paper) return {};
    std::string text = fmt::format("paper: {}\n", shown(scene::paperSummary(scene.paper, rows), kTextBytes));
    if (!scene.paper.note.empty()) text += fmt::format("  {}\n", shown(scene.paper.note, kTextBytes));
    using enum scene::PaperRow::From;
    for (const scene::PaperRow& row : rows) {
        const std::string unit = row.unit.empty() ? "" : " " + row.unit;
        const std::string paper = row.from == Ours
                                      ? "ours"
                                      : fmt::format("{} {}{}{}", row.from == Printed ? "printed" : "read off",
                                                    row.paper, unit, row.same ? "" : "; ours differs");
        text += fmt::format("  {} = {}{}  ({})\n", row.key, shown(row.here), unit, paper);
    }
    return text;
}

}  // namespace

int runScenes(const ScenesCommand& command) {
    std::vector<scene::Scene> scenes;
    const std::string assets = assetsFolder();
    for (const std::string& name : scene::builtInScenes(assets)) {
        auto scene = scene::findScene(name, assets);
        if (!scene) return complain(scene.error());
        scenes.push_back(std::move(*scene));
    }
    if (scenes.empty()) return complain(Error{.message = fmt::format("no scenes in {}/scenes", assets)});
    if (command.json) {
        return say(records::sceneListJson(scenes) + "\n");
    }
    std::size_t width = 0;
    for (const scene::Scene& s : scenes) width = std::max(width, s.name.size());
    std::string text;
    for (const scene::Scene& s : scenes) text += fmt::format("{:<{}}  {}. {}\n", s.name, width, s.title, s.watch);
    return say(text);
}

int runCheck(const CheckCommand& command) {
    if (command.scene.ends_with(".py")) return runPythonCheck(command);
    if (!command.exercise.empty() || command.json)
        return complain(Error{.message = "check: --exercise and --json are for files that end in .py"});
    const auto scene = loadScene(command.scene, command.sets, -1);
    if (!scene) return complain(scene.error());
    if (const scene::SettingsFault fault = scene::findFault(scene->settings); !fault.message.empty())  // of --set
        return complain(Error{.message = fmt::format("{}: {}", fault.key, fault.message)});
    const auto world = scene::buildWorld(*scene);
    if (!world) return complain(world.error());
    std::string notes = paperNotes(*scene);
    for (std::size_t k = 0; k < scene->cloths.size(); ++k) {
        const scene::ClothFacts facts = scene::clothFacts(*world->model, k);
        const std::string name = scene->cloths.size() > 1 ? fmt::format("cloth {}", k) : "cloth";
        notes += fmt::format("{}, {}: {}\n", name, scene::displayName(scene->cloths[k]), scene::toText(facts));
        if (const std::string note = scene::sizeNote(facts, scene->cloths[k]); !note.empty())
            notes += fmt::format("note: {}: {}\n", name, note);
    }
    for (const std::string& warning : simulation::findWarnings(*world->model, world->colliders, world->start))
        notes += fmt::format("warning: {}\n", warning);
    return say(
        fmt::format("{}: valid; {} particles, {} springs, {} pins, {} point forces, {} colliders, {} steps of {} s\n",
                    shown(scene->name), world->model->particles(), world->model->springs.size(),
                    world->start.pins.size(), world->pointForces.size(), world->colliders.size(), scene->steps,
                    scene->settings.integrator.dt) +
        notes);
}

}  // namespace clothlab::app::commands
