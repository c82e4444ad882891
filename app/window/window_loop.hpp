#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/output.hpp"
#include "canvas/imgui_canvas.hpp"
#include "canvas/picture_store.hpp"
#include "columns/ui.hpp"
#include "render/renderer.hpp"
#include "render/scene_fit.hpp"
#include "window/effect_budget.hpp"
#include "window/film_taker.hpp"
#include "window/following.hpp"
#include "window/frame_times.hpp"
#include "window/glfw_window.hpp"
#include "window/input_script.hpp"
#include "window/preferences.hpp"
#include "window/reframing.hpp"
#include "window/slow_view.hpp"
#include "window/state_file.hpp"
#include "window/view_controller.hpp"
#include "worker/simulation_thread.hpp"

namespace clothlab::app::window {

/// The main loop of the window: events -> panels and camera -> commands; snapshot -> picture. One frame:
///
///     poll ─> script ─> queue ─> ImGuiIO ─> panels ─> view controller ─> commands ─> draw cloth ─> draw panels ─> swap
///
/// The step runs on another thread; no call in here waits for it.
class WindowLoop {
public:
    struct Options {
        std::string assets, shaders, stateFile, screenshotFile, sweepFile;
        std::optional<widgets::ThemeKind> theme;  ///< at the start; none: as remembered
        bool playground = false;                  ///< starts in the playground
        Preferences preferences;
        int maxFrames = -1;
        std::optional<InputScript> script;
        std::optional<lessons::Lesson> lesson = {};       ///< to begin with
        std::vector<experiments::Program> programs = {};  ///< the user's programs, offered by the race
        InputFiles inputs;                                ///< files that no output may overwrite
        std::function<bool()> interrupted;                ///< closes the window; empty = never
        std::shared_ptr<const integrators::SimulationState> state =
            {};                                           ///< of the scene, to begin with; null: its start
        std::shared_ptr<GrowingFile> recording = {};      ///< receives all edits and steps
        std::shared_ptr<simulation::Replay> replay = {};  ///< whose first load is the scene and the state
        std::shared_ptr<ProgramLink> link = {};           ///< to the program that the scene and the state are from
        std::uint64_t followed = 0;                       ///< serial of that state
    };

    /// The scene is loaded already; Errors: shaders, the simulation.
    static Expected<std::unique_ptr<WindowLoop>> create(GlfwWindow& window, const scene::Scene& scene, Options options);
    ~WindowLoop();

    /// Runs until the window closes, the frame limit is reached, or the script quits or fails. Returns the exit code.
    int run();
    /// Why writing the recording stopped, or empty.
    const std::string& unrecorded() const { return simulation_->snapshot().unrecorded; }

private:
    WindowLoop(GlfwWindow& window, Options options) : window_(window), options_(std::move(options)) {}

    void listScenes();
    void recallLooks();
    void restoreLooks();
    void storeLooks();
    void makeTheme();
    float uiScale() const;
    float wantedZoom() const;
    void frame();
    void receive();
    Expected<void> setByScript(const std::string& assignment);
    void runScript();
    void feed();
    void buildPanels();
    void reframe();
    render::Covered coveredPicture() const;
    bool coversCloth() const;
    void postCommands();
    void openRequested();
    void drawScene(render::ViewState view, const render::DrawTarget& target);
    /// A picture of the window as drawn last, or of only the cloth, drawn again.
    Expected<render::Image> capturePicture(model::PictureOf of);
    /// Only the cloth, drawn with `factor` times the pixels of the screen on each side.
    Expected<render::Image> drawCloth(int factor, std::optional<float> backdrop);
    void savePicture();
    void updateFilm();
    void draw(const render::Effects& effects);
    void drawSlowMotion(const render::ViewState& view, const render::DrawTarget& target);
    void drawBeside(const render::ViewState& view, const render::DrawTarget& target);
    void saveRequests();
    void savePlot(const widgets::PlotFile& plot);
    void saveScreenshot(const std::string& path);
    void note(const Expected<void>& written);
    void waitForNextFrame();
    ViewController::Context context(bool pointerTaken) const;
    std::optional<ImVec2> particleOnScreen(Index particle) const;
    WindowState state() const;
    bool settled() const;

    GlfwWindow& window_;
    Options options_;
    std::unique_ptr<render::Renderer> renderer_;
    std::unique_ptr<canvas::ImGuiCanvas> canvas_;
    canvas::PictureStore pictures_;
    std::unique_ptr<worker::SimulationThread> simulation_;
    model::UiModel model_;
    WindowSize size_;
    FieldList looks_;  ///< remembered values
    std::unique_ptr<columns::Ui> ui_;
    ViewController controller_;
    render::ViewState view_;
    SlowView slowView_;
    Reframing reframing_;
    bool slowShown_ = false;
    FilmTaker filmTaker_;
    std::optional<Following> following_;
    render::Camera fitted_;    ///< the last camera that saw the whole cloth
    ImVec2 pointedAt_{};       ///< where the pointer is
    bool unpointed_ = false;   ///< this frame is for a picture of the window: nothing is under the pointer
    bool ghostShown_ = false;  ///< beside the cloth, which then has the left half of the picture
    worker::Snapshot besideGhost_;
    std::vector<worker::ReportEntry> reports_;
    std::vector<InputEvent> events_;
    ScriptRequest request_;
    worker::OverlayRequest overlayAsked_;
    std::string cameraScene_;
    struct Screen {
        float scale = 1, pixelsPerPoint = 1;  ///< of the monitor
        float zoom = 1;                       ///< of the panels, times that
        int width = 1, height = 1;            ///< of the framebuffer, pixels
    };
    struct Frames {
        std::int64_t count = 0;
        double start = 0, lastActivity = 0;  ///< s
        double longestExchangeMs = 0;
        FrameTimes times;
        EffectBudget budget;
    };
    struct End {
        bool asked = false;
        int code = 0;         ///< of the program
        std::string problem;  ///< of an output
    };
    Screen screen_;
    Frames frames_;
    End end_;
};

}  // namespace clothlab::app::window
