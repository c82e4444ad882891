#include "window/view_command.hpp"

#include <cstdlib>
#include <memory>

#include "commands/assets.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"
#include "window/window_loop.hpp"

namespace clothlab::app::window {

using commands::complain;

namespace {

/// Somebody sits before it: no script, no picture, nothing that others read.
bool forHands(const commands::ViewOptions& options) {
    return options.inputFile.empty() && options.screenshotFile.empty() && options.stateFile.empty() &&
           options.maxFrames < 0;
}

/// If the display is lost, its library ends the program at once: this still gives the recording its final name.
void keepAtExit(const std::shared_ptr<GrowingFile>& recording) {
    static std::weak_ptr<GrowingFile> kept;
    kept = recording;
    std::atexit([] {
        if (const auto file = kept.lock()) (void)file->finish();
    });
}

WindowSize initialSize(const commands::ViewOptions& options, Preferences& preferences) {
    WindowSize size;
    FieldList fields;
    describe(size, fields);
    preferences.recall(fields);
    if (options.width > 0) size = {options.width, options.height};
    return size;
}

/// What the window begins with.
struct Shown {
    scene::Scene scene;
    std::shared_ptr<const integrators::SimulationState> state = {};
    std::shared_ptr<simulation::Replay> replay = {};
    std::shared_ptr<ProgramLink> link = {};
    std::uint64_t followed = 0;  ///< serial of the state that came by it
};

Expected<Shown> shownBy(const commands::ViewOptions& options) {
    if (options.link >= 0) {
        auto link = ProgramLink::open(options.link);
        if (!link) return fail(link.error());
        const auto first = (*link)->takeState();
        const simulation::SavedState& saved = first->shown->saved;
        return Shown{saved.scene,
                     std::shared_ptr<const integrators::SimulationState>(first->shown, &saved.state),
                     {},
                     *link,
                     first->serial};
    }
    if (!options.replayFile.empty()) {
        auto begun = simulation::beginReplay(options.replayFile);
        if (!begun) return fail(begun.error());
        Shown shown{std::move(begun->load.scene)};
        if (begun->load.state)
            shown.state = std::make_shared<const integrators::SimulationState>(std::move(*begun->load.state));
        commands::remark(begun->rest.note);
        shown.replay = std::make_shared<simulation::Replay>(std::move(begun->rest.events));
        return shown;
    }
    if (!options.fromFile.empty()) {
        auto saved = commands::loadSaved(options.fromFile, options.sets, options.threads);
        if (!saved) return fail(saved.error());
        return Shown{std::move(saved->scene),
                     std::make_shared<const integrators::SimulationState>(std::move(saved->state))};
    }
    auto scene = commands::loadScene(options.scene, options.sets, options.threads);
    if (!scene) return fail(scene.error());
    return Shown{std::move(*scene)};
}

/// The files that it reads and writes from the start on.
Expected<void> openFiles(const commands::ViewOptions& options, WindowLoop::Options& out) {
    if (!options.replayFile.empty()) out.inputs.add(options.replayFile);
    if (!options.fromFile.empty()) out.inputs.add(options.fromFile);
    if (!options.recordFile.empty()) {
        auto file = GrowingFile::create(options.recordFile, out.inputs, Care::Keeping);
        if (!file) return fail(file.error());
        for (const std::string& left : findLeftovers(options.recordFile))
            commands::remark(left + ": what a window that was killed had recorded; `run --replay` does it again");
        out.recording = std::make_shared<GrowingFile>(std::move(*file));
        keepAtExit(out.recording);
    }
    if (!options.lesson.empty()) {
        auto lesson = lessons::findLesson(options.lesson, commands::assetsFolder());
        if (!lesson) return fail(lesson.error());
        out.lesson = std::move(*lesson);
    }
    if (!options.inputFile.empty()) {
        auto script = InputScript::read(options.inputFile);
        if (!script) return fail(script.error());
        out.script = std::move(*script);
        out.inputs.add(options.inputFile);
    }
    if (!options.sweepFile.empty()) out.inputs.add(options.sweepFile);
    return {};
}

}  // namespace

int runView(const commands::ViewOptions& options) {
    const auto theme = widgets::themeNamed(options.theme);
    if (!theme) return complain(theme.error());
    const NamedOutput outputs[] = {{"the recording", options.recordFile},
                                   {"the window's state", options.stateFile},
                                   {"the screenshot", options.screenshotFile}};
    if (auto distinct = checkDistinct(outputs); !distinct) return complain(distinct.error());
    Preferences preferences = forHands(options) ? Preferences(Preferences::usersFile()) : Preferences();
    auto shown = shownBy(options);
    if (!shown) return complain(shown.error());

    WindowLoop::Options loopOptions{.assets = commands::assetsFolder(),
                                    .shaders = commands::shadersFolder(),
                                    .stateFile = options.stateFile,
                                    .screenshotFile = options.screenshotFile,
                                    .sweepFile = options.sweepFile,
                                    .theme = {},
                                    .playground = options.playground,
                                    .preferences = {},
                                    .maxFrames = options.maxFrames,
                                    .script = {},
                                    .inputs = commands::listInputs(shown->scene),
                                    .interrupted = [] { return commands::Interrupt::signal() != 0; }};
    loopOptions.state = std::move(shown->state);
    loopOptions.replay = std::move(shown->replay);
    loopOptions.link = std::move(shown->link);
    loopOptions.followed = shown->followed;
    if (auto done = openFiles(options, loopOptions); !done) return complain(done.error());
    if (forHands(options)) {
        auto programs = experiments::readPrograms(experiments::programsFile());
        if (programs)
            loopOptions.programs = std::move(*programs);
        else
            commands::remark("no programs in the race: " + programs.error().text());
    }
    if (!options.theme.empty()) loopOptions.theme = *theme;
    WindowSize size = initialSize(options, preferences);
    if (options.scene.ends_with(".toml")) preferences.addRecent(options.scene);
    loopOptions.preferences = std::move(preferences);
    const auto window = GlfwWindow::create({.width = size.width,
                                            .height = size.height,
                                            .fits = options.width == 0,
                                            .scale = options.scale,
                                            .title = "Clothlab"});
    if (!window) return complain(window.error());
    const auto loop = WindowLoop::create(**window, shown->scene, std::move(loopOptions));
    if (!loop) return complain(loop.error());
    const int code = (*loop)->run();
    if (const std::string& problem = (*loop)->unrecorded(); !problem.empty())
        return complain({.message = "the recording ends before the motion does: " + problem});
    return commands::signalExitCode("the window", code);
}

}  // namespace clothlab::app::window
