#include "window/window_loop.hpp"

#include "window/files.hpp"
#include "window/pointer_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "actions/actions.hpp"
#include "actions/showing.hpp"
#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "canvas/figure_picture.hpp"
#include "papers/claims.hpp"
#include "render/gl/capture.hpp"
#include "render/positions.hpp"
#include "render/scene_fit.hpp"
#include "widgets/imgui_keys.hpp"
#include "window/frame_pace.hpp"
#include "window/playground_view.hpp"

namespace clothlab::app::window {

using worker::Snapshot;

namespace {

constexpr double kIdleAfter = 1.0;  // s, of a window in which nothing moves
constexpr double kBusy = 0.4;       // of a core, by the step
// Columns find their widths within the first frames. A script that pointed at something earlier, because the simulation
// was ahead of the window, would miss it.
constexpr std::int64_t kLaidOut = 5;  // frames

}  // namespace

Expected<std::unique_ptr<WindowLoop>> WindowLoop::create(GlfwWindow& window, const scene::Scene& scene,
                                                         Options options) {
    std::unique_ptr<WindowLoop> loop(new WindowLoop(window, std::move(options)));
    auto renderer = render::Renderer::create(loop->options_.shaders);
    if (!renderer) return fail(renderer.error());
    loop->renderer_ = std::move(*renderer);

    loop->model_.adopt(scene);
    loop->model_.files.inputs = loop->options_.inputs;
    const std::string data = platform::userDataFolder();
    loop->model_.files.recordings = data.empty() ? "." : data + "/clothlab/recordings";
    if (!data.empty()) loop->model_.papers.folder = data + "/clothlab/tables";
    loop->recallLooks();
    loop->model_.lessons.assets = loop->options_.assets;
    loop->model_.papers.measured = papers::measuredFolder(loop->options_.assets);
    for (experiments::Program& program : loop->options_.programs)
        loop->model_.racing.programs.push_back({.program = std::move(program)});
    if (!loop->options_.sweepFile.empty()) {
        loop->model_.open(model::Panel::Work);
        model::openWork(loop->model_, loop->options_.sweepFile);
    }
    worker::SimulationThread::Options start;
    start.settingsRevision = loop->model_.revision;
    start.state = loop->options_.state;
    start.recording = std::move(loop->options_.recording);
    start.replay = std::move(loop->options_.replay);
    start.followed = loop->options_.followed;
    if (loop->options_.link) {
        start.playing = false;
        loop->following_.emplace(std::move(loop->options_.link), start.followed);
        loop->model_.say("The simulation of Python. It takes what you do here with update().", false);
    }
    auto simulation = worker::SimulationThread::start(scene, std::move(start));
    if (!simulation) return fail(simulation.error());
    loop->simulation_ = std::move(*simulation);

    auto canvas = canvas::ImGuiCanvas::create();
    if (!canvas) return fail(canvas.error());
    loop->canvas_ = std::move(*canvas);
    widgets::prepareKeys(ImGui::GetIO());
    window.connectClipboard();
    loop->listScenes();
    loop->makeTheme();
    if (loop->options_.lesson) loop->model_.lessons.start(loop->model_, std::move(*loop->options_.lesson));
    if (loop->options_.playground) model::togglePlayground(loop->model_);
    return loop;
}

WindowLoop::~WindowLoop() = default;

void WindowLoop::makeTheme() {
    screen_.scale = window_.contentScale();
    int width = 1, height = 1;
    window_.windowSize(width, height);
    window_.framebufferSize(screen_.width, screen_.height);
    screen_.pixelsPerPoint = float(screen_.width) / float(std::max(width, 1));
    screen_.zoom = wantedZoom();
    const widgets::UiTheme theme = canvas_->makeTheme(uiScale() * screen_.zoom);
    if (ui_)
        ui_->setTheme(theme);  // what is chosen in the panels stays
    else
        ui_ = std::make_unique<columns::Ui>(model_, theme);
}

/// Where window coordinates are already scaled (macOS), only the font's pixels are.
float WindowLoop::uiScale() const { return std::max(screen_.scale / screen_.pixelsPerPoint, 1.0f); }

float WindowLoop::wantedZoom() const {
    int width = 1, height = 1;
    window_.windowSize(width, height);
    return float(actions::zoomFor(model_, {float(width) / uiScale(), float(height) / uiScale()}));
}

int WindowLoop::run() {
    const auto interrupted = [this] { return options_.interrupted && options_.interrupted(); };
    while (!end_.asked && !window_.closing() && !interrupted() && !(following_ && following_->ended()) &&
           (options_.maxFrames < 0 || frames_.count < options_.maxFrames))
        frame();
    if (!options_.screenshotFile.empty()) {
        draw({});
        saveScreenshot(options_.screenshotFile);
    }
    storeLooks();
    if (following_) following_->finish(*simulation_);
    return end_.code;
}

void WindowLoop::frame() {
    waitForNextFrame();
    frames_.start = GlfwWindow::seconds();
    ++frames_.count;
    if (window_.contentScale() != screen_.scale || wantedZoom() != screen_.zoom) makeTheme();
    if (std::exchange(model_.looks.usual, false)) restoreLooks();
    receive();
    runScript();
    feed();
    buildPanels();
    postCommands();
    draw(frames_.budget.effects());
    saveRequests();
    updateFilm();
    window_.swap();
    const double ms = (GlfwWindow::seconds() - frames_.start) * 1e3;
    frames_.times.add(ms);
    frames_.budget.add(ms);
    frames_.longestExchangeMs = std::max(frames_.longestExchangeMs, simulation_->longestExchangeMs());
}

void WindowLoop::waitForNextFrame() {
    const double now = GlfwWindow::seconds();
    const bool scripted = options_.script && !options_.script->finished();
    const Snapshot& snapshot = simulation_->snapshot();
    const bool slow = snapshot.report.stepMs * 1e-3 * snapshot.speed > kBusy * snapshot.report.dt;
    const FramePace pace{.software = window_.softwareRendering(),
                         .idle = !scripted && !model_.playing && now - frames_.lastActivity > kIdleAfter,
                         .busy = model_.playing && (snapshot.speed <= 0 || slow),
                         .lastFrame = now - frames_.start};
    window_.poll(std::max(0.0, frames_.start + pace.interval() - now));
}

bool WindowLoop::settled() const {
    return simulation_->snapshot().commands == simulation_->posted() && model_.settingsActive();
}

void WindowLoop::receive() {
    if (simulation_->update()) frames_.lastActivity = frames_.start;
    const Snapshot& snapshot = simulation_->snapshot();
    model_.receive(snapshot, snapshot.commands == simulation_->posted());
    if (following_) following_->update(model_, snapshot);
    model_.results = simulation_->results();
    slowShown_ = slowView_.update(model_);
    reports_.clear();
    simulation_->takeReports(reports_);
    for (const worker::ReportEntry& entry : reports_) {
        model_.editor.noteTear(entry);
        model_.history.push(entry);
        model_.lessons.push(entry);
    }
    const bool light = model_.looks.theme == widgets::ThemeKind::Light;
    model_.legend = slowShown_ ? render::legend(scene::OverlayKind::Residual, slowView_.side(0), light)
                               : render::legend(model_.looks.overlay, snapshot, light);
    if (snapshot.mesh && snapshot.mesh->sceneName != cameraScene_) {
        cameraScene_ = snapshot.mesh->sceneName;
        window_.setTitle("Clothlab · " + cameraScene_ + (following_ ? " · Python" : "") +
                         (buildFacts().optimized ? "" : " · NOT OPTIMISED"));
        model_.view.reset = true;
    }
    if (model_.view.reset && snapshot.mesh) {
        controller_.camera = render::Camera::fromHint(snapshot.mesh->camera);
        model_.view.reset = false;
    }
    if (model_.view.wanted) controller_.camera = *std::exchange(model_.view.wanted, {});
    // The cloths of a lesson stay in sight as they move, until the camera is moved by hand.
    const bool follows = model_.lessons.isOn() && controller_.camera == fitted_;
    if (std::exchange(model_.view.wholeInView, false) || follows)
        controller_.camera = fitted_ =
            render::seeing(controller_.camera, render::shownPositions(snapshot, renderer_->world(snapshot)),
                           view_.viewport, coveredPicture());
    model_.view.camera = controller_.camera;
}

/// A setting of the scene, or of the window's pictures.
Expected<void> WindowLoop::setByScript(const std::string& assignment) {
    if (auto done = model::assign(model_.pictureSettings, assignment)) return std::move(*done);
    scene::Scene changed = model_.scene;
    changed.settings = model_.settings;
    if (auto done = scene::applyOverride(changed, assignment, "set"); !done) return done;
    if (!(changed.regions == model_.scene.regions)) return fail("set: regions are defined in the scene, or painted");
    model_.settings = changed.settings;
    return {};
}

void WindowLoop::runScript() {
    request_ = {};
    if (!options_.script || frames_.count < kLaidOut) return;
    const ScriptContext scriptContext{frames_.count,
                                      simulation_->snapshot(),
                                      settled(),
                                      model_.race() && !model_.race()->running,
                                      slowShown_,
                                      ui_->layout(),
                                      [this](Index number) {
                                          const auto& mesh = model_.snapshot->mesh;
                                          return particleOnScreen(mesh ? mesh->findParticle(number) : number);
                                      },
                                      model_.work.progress() && !model_.work.progress()->running,
                                      model_.descent() && !model_.descent()->running,
                                      model_.lessons.phase() == model::LessonGuide::Phase::Reached,
                                      !model_.film.running && !model_.film.turned};
    request_ = options_.script->advance(scriptContext, window_.input());
    if (request_.quit) end_.asked = true;
    if (!request_.action.empty())
        if (const std::string refusal = actions::runAction(model_, request_.action); !refusal.empty())
            request_.problem = options_.script->at(request_.line, request_.action + ": " + refusal);
    if (!request_.setting.empty())
        if (const auto done = setByScript(request_.setting); !done)
            request_.problem = options_.script->at(request_.line, done.error().message);
    if (!request_.problem.empty()) {
        fmt::print(stderr, "clothlab: {}\n", request_.problem);
        end_.code = 2;
        end_.asked = true;
    }
}

void WindowLoop::feed() {
    // What is typed waits for a field that is about to take the keyboard.
    events_ =
        ui_ && ui_->fieldComing() ? std::vector<InputEvent>() : window_.input().takeFrame(ImGui::GetIO().WantTextInput);
    if (!events_.empty()) frames_.lastActivity = frames_.start;
    ImGuiIO& io = ImGui::GetIO();
    int width = 1, height = 1;
    window_.windowSize(width, height);
    window_.framebufferSize(screen_.width, screen_.height);
    screen_.pixelsPerPoint = float(screen_.width) / float(std::max(width, 1));
    canvas_->setSize(std::max(width, 1), std::max(height, 1), screen_.pixelsPerPoint);
    static constexpr float kLongest = 0.1f;
    io.DeltaTime = std::clamp(float(frames_.times.percentile(0.5) / 1e3), 1e-3f, kLongest);
    feedImGui(io, events_);
    unpointed_ = model_.files.screenshot;
    pointedAt_ = io.MousePos;
    if (unpointed_ && !io.MouseDown[0] && !io.MouseDown[1]) io.MousePos = {-FLT_MAX, -FLT_MAX};
}

void WindowLoop::buildPanels() {
    canvas_->beginFrame();
    const ImGuiIO& io = ImGui::GetIO();
    const bool keysFree = !io.WantTextInput;
    for (const InputEvent& event : events_)
        if (event.kind == InputEvent::Kind::Key && event.down && keysFree)
            actions::handleShortcut(model_, static_cast<widgets::Key>(event.code), event.control, event.shift);

    model_.playground.looking = viewDirection(controller_.camera);
    view_.viewport = canvas::toViewport(ui_->build(), screen_.pixelsPerPoint);
    ghostShown_ = model_.showsGhostBeside() && !slowShown_;
    if (ghostShown_) view_.viewport.width /= 2;
    reframe();
    const auto viewContext = context(io.WantCaptureMouse);
    std::vector<worker::Command> commands;
    for (const InputEvent& event : events_) controller_.handle(event, viewContext, commands);
    for (worker::Command& command : commands) model_.editor.post(std::move(command));
    if (const auto pick = controller_.takeMenuRequest()) {
        model_.popups.pin = {pick->particle, pick->topologyRevision};
        model_.popups.pinAsked = true;
    }
    for (const model::BrushTouch& touch : controller_.takeTouches()) paint(model_, touch);
    view_.hovered = simulation_->snapshot().mesh && !unpointed_ ? controller_.hovered(viewContext) : -1;
    model_.view.hovered = view_.hovered;
    view_.linked = model_.sparsity.linked;
    drawStroke(controller_.stroke(), screen_.pixelsPerPoint, ui_->theme());
    drawBrush(controller_, viewContext, model_.brushTool.brush.radius, ui_->theme());
    window_.showCursor(ImGui::GetMouseCursor());
    canvas_->endFrame();
}

void WindowLoop::postCommands() {
    worker::OverlayRequest overlay = render::requestFor(model_.looks.overlay);
    overlay.fitStrain = model_.looks.fitStrain;
    if (overlay != overlayAsked_) {
        overlayAsked_ = overlay;
        model_.editor.outbox.push_back(worker::SetOverlay{overlay});
    }
    openRequested();
    for (worker::Command& command : model_.editor.outbox) simulation_->post(std::move(command));
    model_.editor.outbox.clear();
    if (simulation_->snapshot().mesh)
        if (const auto target = controller_.pointerTarget(context(false))) simulation_->setPointerTarget(*target);
}

void WindowLoop::openRequested() {
    if (std::exchange(model_.files.asked, false)) listFiles(model_, options_.assets, options_.preferences.recent());
    for (const std::string& path : window_.takeDropped()) open(model_, options_.assets, path);
    for (const std::string& path : request_.dropped) open(model_, options_.assets, path);
    if (!model_.files.request.empty()) open(model_, options_.assets, std::exchange(model_.files.request, {}));
}

void WindowLoop::saveRequests() {
    for (const std::string& path : request_.screenshots) saveScreenshot(path);
    // What the pointer rests on explains itself, and would lie over the picture: it is of a frame without that.
    if (std::exchange(unpointed_, false)) {
        model_.files.screenshot = false;
        savePicture();
        ImGui::GetIO().MousePos = pointedAt_;
    }
    if (const auto plot = model_.plotViews.takeAsked()) savePlot(*plot);
    if (bundleWantsPictures(model_)) {
        saveScreenshot(model_.racing.folder + "/picture.png");
        for (const auto& [name, svg] : std::exchange(model_.racing.pictures, {}))
            note(writeFile(model_.racing.folder + "/" + name, svg, options_.inputs));
        model_.racing.folder.clear();
    }
    if (options_.stateFile.empty() && request_.stateFiles.empty()) return;
    const std::string json = toJson(state());
    if (!options_.stateFile.empty()) note(writeFile(options_.stateFile, json, options_.inputs, Care::Quick));
    for (const std::string& path : request_.stateFiles) note(writeFile(path, json, options_.inputs, Care::Quick));
}

/// What a script or an option asked for and did not get makes the program end with 2; said once, not at every frame.
void WindowLoop::note(const Expected<void>& written) {
    if (written) return;
    const std::string text = written.error().text();
    if (text != end_.problem) fmt::print(stderr, "clothlab: {}\n", text);
    end_.problem = text;
    end_.code = 2;
}

void WindowLoop::saveScreenshot(const std::string& path) {
    note(capturePicture(model::PictureOf::Window).and_then([&](const render::Image& image) {
        return render::writePng(path, image, options_.inputs);
    }));
}

void WindowLoop::savePlot(const widgets::PlotFile& plot) {
    const std::string path = model::freeName(
        fmt::format("clothlab-{}-{}-{}", model_.scene.name, simulation_->snapshot().step, plot.name), plot.ending);
    const auto written = plot.figure
                             ? canvas::paintFigure(*plot.figure, plot.scale).and_then([&](const render::Image& image) {
                                   return render::writePng(path, image, options_.inputs);
                               })
                             : writeFile(path, plot.text, options_.inputs);
    model_.say(written ? "saved " + std::filesystem::absolute(path).string() : written.error().text(), !written);
}

WindowState WindowLoop::state() const {
    const glm::vec2 pointer = controller_.pointer() / screen_.pixelsPerPoint;
    return {
        .frame = frames_.count,
        .model = model_,
        .layout = ui_->layout(),
        .settled = settled(),
        .pointer = {pointer.x, pointer.y},
        .grabbed = model_.snapshot->mesh ? model_.snapshot->mesh->particleNumber(controller_.grabbedParticle()) : -1,
        .grabbedAt = particleOnScreen(controller_.grabbedParticle()),
        .frameP95Ms = frames_.times.percentile(0.95),
        .without = frames_.budget.without(),
        .longestExchangeMs = frames_.longestExchangeMs,
        .renderer = window_.rendererName()};
}

}  // namespace clothlab::app::window
