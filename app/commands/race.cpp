#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/input.hpp"
#include "base/platform.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/freeze.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"
#include "experiments/race/nonlinear_race.hpp"
#include "experiments/race/race_bundle.hpp"
#include "experiments/race/race_text.hpp"
#include "experiments/systems/system_files.hpp"

namespace clothlab::app::commands {
namespace {

std::string misuse(const RaceCommand& c) {
    if (c.scene.empty() == c.systemFolder.empty()) return "race takes a SCENE with --step K, or --system DIR";
    if (c.nonlinear && (c.scene.empty() || !c.outFolder.empty() || !c.tolerances.empty() || !c.programs.empty()))
        return "--nonlinear needs a SCENE and --step K, and excludes --system, --tolerance, --with and --out";
    if (!c.scene.empty() && c.step == 0) return "race SCENE needs --step K: which step's system is it to be?";
    if (!c.systemFolder.empty() && (c.step > 0 || !c.sets.empty()))
        return "--step and --set need a SCENE, not --system";
    return {};
}

/// The cloth of the step, off screen. Returns why there is none, or empty: a bundle without a picture is still a
/// bundle.
std::string drawPicture(const std::string& folder, const SceneStep& frozen, const DrawingCommands& drawing) {
    if (!frozen.simulation) return "No picture: a system from files has no cloth.";
    const auto drawn = drawing.picture(*frozen.simulation, folder + "/picture.png");
    return drawn ? "" : "No picture: " + drawn.error().text();
}

Expected<void> writeBundle(const OutputFolder& folder, const experiments::RaceResult& race, const SceneStep& frozen,
                           const scene::Scene& scene, const DrawingCommands& drawing) {
    const std::string missing = drawPicture(folder.path(), frozen, drawing);
    if (!missing.empty()) fmt::print(stderr, "clothlab: {}\n", missing);
    return experiments::writeRaceBundle(folder, race, frozen.system, scene,
                                        frozen.simulation ? &frozen.origin : nullptr, missing);
}

/// What a race of files reads, and of a scene's step.
InputFiles listInputs(const RaceCommand& command, const scene::Scene& scene) {
    InputFiles inputs = commands::listInputs(scene);
    if (!command.systemFolder.empty())
        for (const std::string_view name : experiments::raceBundleNames())
            inputs.add(command.systemFolder + "/" + std::string(name));
    return inputs;
}

/// The system to race on, and where it comes from.
int prepare(const RaceCommand& command, SceneStep& frozen, scene::Scene& scene) {
    if (command.systemFolder.empty()) {
        auto loaded = loadScene(command.scene, command.sets, command.threads);
        if (!loaded) return complain(loaded.error());
        scene = std::move(*loaded);
        return kExitDone;
    }
    auto system = experiments::importSystem(command.systemFolder);
    if (!system) return complain(system.error());
    frozen.system = std::move(*system);
    if (const std::string file = command.systemFolder + "/scene.toml"; somethingAt(file)) {
        auto read = scene::readScene(file);
        if (!read) return complain(read.error());
        scene = std::move(*read);
    }
    return kExitDone;
}

/// The programs of --with. What is configured is read only where a name asks for it.
Expected<std::vector<experiments::Program>> resolvePrograms(const RaceCommand& command) {
    std::vector<experiments::Program> configured, out;
    for (const std::string& text : command.programs) {
        if (text.find('=') == text.npos && configured.empty()) {
            auto read = experiments::readPrograms(experiments::programsFile());
            if (!read) return fail(read.error());
            configured = std::move(*read);
        }
        auto program = experiments::readProgram(text, configured);
        if (!program) return fail(program.error());
        if (std::ranges::find(out, program->name, &experiments::Program::name) != out.end())
            return fail(fmt::format("two programs have the name '{}'", shown(program->name)));
        out.push_back(std::move(*program));
    }
    return out;
}

/// The methods that go down the energy of step K, from state K-1.
int raceOnEnergy(const RaceCommand& command) {
    auto scene = loadScene(command.scene, command.sets, command.threads);
    if (!scene) return complain(scene.error());
    auto simulation = simulation::Simulation::create(std::move(*scene), platform::hardwareThreads());
    if (!simulation) return complain(simulation.error());
    const std::stop_token stop = Interrupt::current()->token();
    for (int k = 1; k < command.step; ++k) {
        if (stop.stop_requested()) return signalExitCode(fmt::format("after step {}", k - 1), kExitDone);
        const simulation::StepReport& report = (*simulation)->step({.stop = stop, .hash = false});
        if (!integrators::hasFailed(report.status)) continue;
        fmt::print(stderr, "clothlab: stopped after step {}: {}\n", k - 1, report.message);
        return kExitDiverged;
    }
    const auto race = experiments::raceNonlinear(**simulation, experiments::nonlinearField((*simulation)->settings()),
                                                 {.stop = stop});
    if (!race && stop.stop_requested()) return signalExitCode("before the minimum was found", kExitDone);
    if (!race) return complain(race.error());
    const int code = say(command.json  ? toJson(*race)
                         : command.csv ? experiments::nonlinearCsv(*race)
                                       : experiments::nonlinearTable(*race));
    return Interrupt::signal() == 0 ? code : signalExitCode("before all methods were measured", code);
}

}  // namespace

int runRace(const RaceCommand& command, const DrawingCommands& drawing) {
    if (const std::string wrong = misuse(command); !wrong.empty()) return complain(Error{.message = wrong});
    if (command.nonlinear) return raceOnEnergy(command);
    auto programs = resolvePrograms(command);
    if (!programs) return complain(programs.error());
    SceneStep frozen;
    scene::Scene scene;  ///< where the system comes from, with the active settings
    if (const int code = prepare(command, frozen, scene); code != kExitDone) return code;
    std::optional<OutputFolder> folder;
    if (!command.outFolder.empty()) {
        std::vector<std::string_view> names = experiments::raceBundleNames();
        names.push_back("picture.png");
        auto made = OutputFolder::create(command.outFolder, names, listInputs(command, scene));
        if (!made) return complain(made.error());
        folder.emplace(std::move(*made));
    }
    if (command.systemFolder.empty())
        if (const int code = freezeScene(scene, command.step, frozen); code != kExitDone) return code;
    experiments::RaceOptions options;
    options.runs = command.runs;
    options.maxIterations = command.maxIterations;
    options.programs = std::move(*programs);
    options.programLimitSeconds = command.programLimit;
    options.programMemory = command.programMemory << 20;
    if (!command.tolerances.empty()) options.tolerances = command.tolerances;
    experiments::RaceControl control{.stop = Interrupt::current()->token()};
    if (frozen.simulation) control.positions = &frozen.origin.x;
    if (platform::stderrIsTerminal())
        control.onRow = [](const experiments::RaceResult& so, double share) {
            const auto& who = so.field[so.rows.back().contestant];
            fmt::print(stderr, "\r\033[K{:3.0f} % {} {}", 100 * share, who.solverKey(), who.methodText());
        };
    const int threads = command.threads > 0 ? command.threads
                        : frozen.simulation ? frozen.simulation->threads()
                                            : platform::hardwareThreads();
    WorkerPool pool(threads);
    if (frozen.simulation) scene = frozen.simulation->scene();
    std::vector<experiments::Contestant> field = experiments::raceField(scene.settings);
    for (experiments::Contestant& one : experiments::toContestants(options.programs)) field.push_back(std::move(one));
    experiments::RaceResult race = experiments::race(frozen.system, frozen.earlier ? &*frozen.earlier : nullptr,
                                                     std::move(field), options, control, pool);
    if (platform::stderrIsTerminal()) fmt::print(stderr, "\r\033[K");
    race.scene = scene.name;
    const bool stopped = Interrupt::signal() != 0;
    if (folder && !stopped)
        if (auto done = writeBundle(*folder, race, frozen, scene, drawing); !done) return complain(done.error());
    const int code = say(command.json  ? toJson(race)
                         : command.csv ? experiments::raceCsv(race)
                                       : experiments::raceTable(race));
    if (!stopped)
        return signalExitCode("", code);  // a signal that came while the files were written has cut nothing off
    return signalExitCode(
        folder ? "before all rows were measured; nothing was written to a folder" : "before all rows were measured",
        code);
}

}  // namespace clothlab::app::commands
