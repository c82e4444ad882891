#include "model/ui_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/build_info.hpp"
#include "base/text.hpp"
#include "integrators/kind.hpp"
#include "model/step_note.hpp"
#include "solvers/solver.hpp"

namespace clothlab::app::model {

void UiModel::adopt(const scene::Scene& loaded) {
    // A scene may bring an overlay; one that the user has chosen stays where the next scene brings none.
    if (loaded.overlay != scene::OverlayKind::None || looks.overlay == scene.overlay) looks.overlay = loaded.overlay;
    scene = loaded;
    settings = loaded.settings;
    ++revision;
    folds.sections.contact = scene::hasSolids(loaded) || settings.contact.selfCollision != contact::SelfCollision::Off;
    folds.sections.wind = settings.wind.dragCoefficient != 0 || settings.wind.linearDrag != 0;
    followUse();
    folds.sections.solver = followed_.solverUsed;
    folds.sections.preconditioner = followed_.preconditionerUsed;
    forgetProven();
    brushTool.painting = {};
    editor.changes.settings = settings;
    editor.changes.painting = {};
    patch = activePatch = loaded.cloths.empty() ? scene::ClothPatch{} : loaded.cloths.front();
    if (!buildFacts().optimized) buildNote = "This build is not optimised: times say nothing.";
}

void UiModel::forgetProven() {
    proven.reset();
    running_ = {.settings = settings};
    provenFrom_ = 0;
}

void UiModel::loadScene(const scene::Scene& loaded) { loadState(loaded, {}); }

void UiModel::loadState(const scene::Scene& loaded, std::shared_ptr<const integrators::SimulationState> state) {
    sceneBefore = openScene();
    adopt(loaded);
    load = revision;
    editor.post(worker::LoadScene{.scene = loaded, .revision = revision, .state = std::move(state)});
}

bool UiModel::saveState() {
    const std::string path =
        freeName(fmt::format("clothlab-{}-{}", scene.name, snapshot->step), std::string(simulation::kStateEnding));
    editor.outbox.push_back(worker::SaveState{path, files.inputs, ++saves_.asked});
    return true;
}

void UiModel::returnToActiveScene() {
    take(sceneBefore);
    patch = activePatch;
    cameraToCome_.reset();
    settings = editor.changes.settings = snapshot->settings;
    editor.changes.painting = brushTool.painting;
    load = 0;
    postSettings();  // under a revision of their own: the refused one must not come back
}

/// Settings that took some steps without a problem are proven; they are offered when the next ones fail.
void UiModel::watchSettings(const worker::Snapshot& next) {
    constexpr std::int64_t kEnough = 5;  // steps: a slider's way passes through many settings that nobody meant
    if (!(next.settings == running_.settings)) {  // also where they have failed before any picture had them
        if (running_.step - provenFrom_ >= kEnough) proven = running_;
        running_.settings = next.settings;
        provenFrom_ = next.step;
    }
    if (!next.problem.empty()) return;
    running_.step = next.step;
    provenFrom_ = std::min(provenFrom_, next.step);
}

void UiModel::receive(const worker::Snapshot& next, bool settled) {
    snapshot = &next;
    watchSettings(next);
    if (std::exchange(saves_.said, next.saved.serial) != next.saved.serial) saySaved(next);
    if (next.unrecorded != std::exchange(followed_.unrecorded, next.unrecorded) && !next.unrecorded.empty())
        say("Recording stopped: " + next.unrecorded, true);
    // Advice on settings has no place where there are none.
    if (next.warning != std::exchange(followed_.warning, next.warning) && !next.warning.empty() && !playground.on)
        say(next.warning, true);
    followReplay(next);
    followProgram(next);
    papers.take(playing && next.playing);
    if (load != 0 && next.refusedLoad == load) returnToActiveScene();
    if (load != 0 && next.settingsRevision >= load) {
        load = 0;
        if (cameraToCome_) view.wanted = std::exchange(cameraToCome_, {});
    }
    // While a command is on its way, what the user has just asked for counts, not what is still true.
    if (!settled) return;
    editor.settle();
    playing = next.playing;
    speed = next.speed;
    lessons.update(*this);
}

/// The window adopts the settings that a recording makes and the scenes that it loads: a user who takes over continues
/// from there.
void UiModel::followReplay(const worker::Snapshot& next) {
    using Phase = worker::Snapshot::Replayed::Phase;
    const worker::Snapshot::Replayed before = std::exchange(followed_.replayed, next.replayed), &now = next.replayed;
    if (now.phase == Phase::None) return;
    if (now.scene != before.scene && now.scene) {
        const std::uint64_t kept = revision;
        adopt(*now.scene);
        revision = kept;
        ++followed;
    }
    if (now.phase == Phase::On || before.phase == Phase::On)
        if (settings == editor.changes.settings && !(settings == next.settings)) {
            settings = editor.changes.settings = next.settings;
            ++followed;
            followUse();
        }
    if (now.phase == before.phase) return;
    if (now.phase == Phase::On)
        say(fmt::format("A recording of {} steps. Any change ends the replay; the motion continues from that step.",
                        now.all),
            false);
    else if (now.phase == Phase::Left)
        say(fmt::format("Replay ended at step {} of {}; the simulation continues from here.", now.steps, now.all),
            false);
    else
        say(fmt::format("End of the recording: {} steps.", now.steps), false);
}

/// Settings of the simulation that the window shows a copy of. Undo reaches back to its last state.
void UiModel::followProgram(const worker::Snapshot& next) {
    if (next.followed == 0) return;
    if (std::exchange(followed_.state, next.followed) != next.followed) editor.changes.clear();
    if (next.settingsRevision != revision || !(settings == editor.changes.settings) || settings == next.settings)
        return;
    settings = editor.changes.settings = next.settings;
    ++followed;
    followUse();
}

void UiModel::saySaved(const worker::Snapshot& next) {
    const auto& [serial, path, problem] = next.saved;
    std::error_code ignored;
    const std::string where = std::filesystem::absolute(path, ignored).string();
    if (!problem.empty()) return say(problem, true);
    if (serial != saves_.recording) return say("saved " + where, false);
    const std::string command = fmt::format("clothlab run --replay {} --steps {}", shellWord(where), next.taken);
    copy(command, "copied: " + command);
}

void UiModel::saveRecording() {
    const std::string path = freeName(fmt::format("{}-{}", scene.name, snapshot->step),
                                      std::string(simulation::kRecordingEnding), files.recordings);
    saves_.recording = ++saves_.asked;
    editor.outbox.push_back(worker::SaveRecording{path, saves_.recording});
}

void UiModel::copy(std::string text, std::string words) {
    files.toCopy = std::move(text);
    say(std::move(words), false);
}

/// What has come into use opens. What has gone out of use stays as it is: its disabled lists say why.
void UiModel::followUse() {
    const bool solver = integrators::usesSolver(settings.integrator.kind),
               preconditioner = solver && solvers::usesPreconditioner(settings.solver.kind);
    if (!std::exchange(followed_.solverUsed, solver) && solver) folds.sections.solver = true;
    if (!std::exchange(followed_.preconditionerUsed, preconditioner) && preconditioner)
        folds.sections.preconditioner = true;
}

void UiModel::postSettings() {
    followUse();
    editor.post(worker::SetSettings{settings, ++revision});
}

void UiModel::open(Panel which) {
    panel = which;
    if (const auto opened = entryFor(which).opened) opened(*this);
}

std::string freeName(std::string name, const std::string& ending, const std::string& folder) {
    // A name of a scene may come from a saved state or a recording, which may hold anything.
    for (char& c : name)
        if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
    if (name.starts_with('.')) name.front() = '_';
    name = (std::filesystem::path(folder) / name).string();
    std::string path = name + ending;
    // Another window may be writing a film of that name, which comes last.
    for (int n = 2; std::filesystem::exists(path) || isBeingWritten(path); ++n)
        path = fmt::format("{}-{}{}", name, n, ending);
    return path;
}

void UiModel::say(std::string text, bool isError) {
    constexpr float kSeconds = 6, kErrorSeconds = 30;
    said.text = std::move(text);
    said.isError = isError;
    said.seconds = isError ? kErrorSeconds : kSeconds;
    said.action.clear();
}

void UiModel::offer(std::string text, std::string action) {
    constexpr float kSeconds = 120;  // a newcomer looks at other things first
    say(std::move(text), false);
    said.seconds = kSeconds;
    said.action = std::move(action);
}

bool UiModel::closeTopmost() {
    if (popups.open)
        popups.close = true;
    else if (popups.keys)
        popups.keys = false;
    else if (panelOpen())
        closePanel();
    else if (!popups.search.empty())
        popups.search.clear();
    else
        return false;
    return true;
}

void UiModel::applyAndRestart() {
    if (scene.cloths.empty()) return;
    scene::Scene next = scene;
    next.cloths.front() = patch;
    next.settings = settings;  // a new mesh is no reason to lose what was set
    sceneBefore = openScene();
    sceneBefore.patch = activePatch;
    load = ++revision;
    activePatch = patch;
    brushTool.painting = {};  // its particles are those of the grid that goes
    editor.post(worker::LoadScene{std::move(next), load});
}

SceneChoice makeSceneChoice(const scene::Scene& scene, const std::string& name) {
    using enum SceneGroup;
    const bool robust = scene.settings.contact.selfCollision != contact::SelfCollision::Off;
    const bool bodies = std::ranges::any_of(scene.cloths, [](const auto& cloth) { return bool(cloth.solid); });
    return {.name = name,
            .title = scene.title.empty() ? std::filesystem::path(name).filename().string() : scene.title,
            .watch = scene.watch,
            .problem = {},
            .group = name.ends_with(".toml")                     ? Files
                     : scene.overlay != scene::OverlayKind::None ? Inside
                     : bodies                                    ? Bodies
                     : robust                                    ? InLayers
                     : scene::hasSolids(scene)                   ? OnSolids
                                                                 : Hanging,
            .paper = scene.paper.source};
}

std::string sizeText(const scene::ClothPatch& cloth) {
    if (cloth.solid) return std::string(cloth.solid.name());
    return cloth.mesh ? shownPath(cloth.mesh.name()) : fmt::format("{} × {}", cloth.rows, cloth.columns);
}

}  // namespace clothlab::app::model
