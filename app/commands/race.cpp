#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/platform.hpp"
#include "commands/assets.hpp"
#include "commands/commands.hpp"
#include "commands/freeze.hpp"
#include "commands/load_scene.hpp"
#include "render/film.hpp"
#include "simulation/files.hpp"
#include "simulation/race_text.hpp"
#include "simulation/system_files.hpp"

namespace clothlab::app {
namespace {

std::string misuse(const RaceCommand& c) {
    if (c.scene.empty() == c.systemFolder.empty()) return "race takes a SCENE with --step K, or --system DIR";
    if (!c.scene.empty() && c.step == 0) return "race SCENE needs --step K: which step's system is it to be?";
    if (!c.systemFolder.empty() && (c.step > 0 || !c.sets.empty())) return "--step and --set go with a SCENE, not with --system";
    return {};
}

/// The cloth of the step, off screen. Returns why there is none, or empty: a bundle without a picture is still a bundle.
std::string drawPicture(const std::string& folder, const FrozenStep& frozen) {
    if (!frozen.simulation) return "No picture: a system from files has no cloth.";
    const FilmOptions picture{.out = folder + "/picture.png", .shaderFolder = shadersFolder(), .panels = {}};
    const auto drawn = makeFilm(*frozen.simulation, picture);
    return drawn ? "" : "No picture: " + drawn.error().text();
}

Expected<void> writeBundle(const std::string& folder, const simulation::RaceResult& race, const FrozenStep& frozen, const scene::Scene& scene) {
    if (auto done = simulation::makeFolder(folder); !done) return done;
    const std::string missing = drawPicture(folder, frozen);
    if (!missing.empty()) fmt::print(stderr, "clothlab: {}\n", missing);
    return simulation::writeRaceBundle(folder, race, frozen.system, scene, missing);
}

}  // namespace

int runRace(const RaceCommand& command) {
    if (const std::string wrong = misuse(command); !wrong.empty()) return complain(Error{.message = wrong});
    FrozenStep frozen;
    scene::Scene scene;  ///< where the system comes from, with the settings in force
    if (!command.systemFolder.empty()) {
        auto system = simulation::importSystem(command.systemFolder);
        if (!system) return complain(system.error());
        frozen.system = std::move(*system);
        if (const std::string file = command.systemFolder + "/scene.toml"; std::filesystem::exists(file)) {
            auto read = scene::readScene(file);
            if (!read) return complain(read.error());
            scene = std::move(*read);
        }
    } else if (const int code = freezeStep(command.scene, command.sets, command.threads, command.step, frozen); code != kExitDone) {
        return code;
    }
    simulation::RaceOptions options;
    options.runs = command.runs;
    options.maxIterations = command.maxIterations;
    if (!command.tolerances.empty()) options.tolerances = command.tolerances;
    simulation::RaceControl control;
    if (platform::stderrIsTerminal())
        control.onRow = [](const simulation::RaceResult& so, double share) {
            const auto& who = so.field[so.rows.back().contestant];
            fmt::print(stderr, "\r\033[K{:3.0f} % {} {}", 100 * share, who.solverKey(), who.methodText());
            if (share >= 1) fmt::print(stderr, "\r\033[K");
        };
    const int threads = command.threads > 0  ? command.threads
                        : frozen.simulation ? frozen.simulation->threads()
                                            : platform::hardwareThreads();
    WorkerPool pool(threads);
    if (frozen.simulation) {
        scene = frozen.simulation->scene();
        scene.settings = frozen.simulation->settings();
    }
    simulation::RaceResult race = simulation::race(frozen.system, frozen.earlier ? &*frozen.earlier : nullptr,
                                                   simulation::raceField(scene.settings), options, control, pool);
    race.scene = scene.name;
    if (!command.outFolder.empty())
        if (auto done = writeBundle(command.outFolder, race, frozen, scene); !done) return complain(done.error());
    fmt::print("{}", command.json ? simulation::toJson(race) : command.csv ? simulation::raceCsv(race) : simulation::raceTable(race));
    return kExitDone;
}

}  // namespace clothlab::app
