#include "window/view_command.hpp"

#include "commands/assets.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"
#include "window/window_loop.hpp"

namespace clothlab::app {

int runView(const ViewOptions& options) {
    const auto scene = loadScene(options.scene, options.sets, options.threads);
    if (!scene) return complain(scene.error());

    WindowLoop::Options loopOptions{.assets = assetsFolder(),
                                    .shaders = shadersFolder(),
                                    .stateFile = options.stateFile,
                                    .screenshotFile = options.screenshotFile,
                                    .sweepFile = options.sweepFile,
                                    .msaa = options.msaa,
                                    .maxFrames = options.maxFrames,
                                    .script = {},
                                    .inputs = inputsOf(*scene),
                                    .interrupted = [] { return Interrupt::signal() != 0; }};
    if (!options.inputFile.empty()) {
        auto script = InputScript::read(options.inputFile);
        if (!script) return complain(script.error());
        loopOptions.script = std::move(*script);
        loopOptions.inputs.add(options.inputFile);
    }
    if (!options.sweepFile.empty()) loopOptions.inputs.add(options.sweepFile);
    const auto window = GlfwWindow::create(
        {.width = options.width, .height = options.height, .scale = options.scale, .title = "Clothlab"});
    if (!window) return complain(window.error());
    const auto loop = WindowLoop::create(**window, *scene, std::move(loopOptions));
    if (!loop) return complain(loop.error());
    return endOf("the window", (*loop)->run());
}

}  // namespace clothlab::app
