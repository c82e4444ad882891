#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/editor.hpp"
#include "model/lesson_guide.hpp"
#include "model/panel.hpp"
#include "model/papers_state.hpp"
#include "model/plot_history.hpp"
#include "model/quadratic_state.hpp"
#include "model/requests/job_requests.hpp"
#include "model/requests/paint_requests.hpp"
#include "model/requests/play_requests.hpp"
#include "model/slow_state.hpp"
#include "model/stored_workspace.hpp"
#include "model/tools/brush_tool.hpp"
#include "model/tools/picture_settings.hpp"
#include "model/tools/pin_tool.hpp"
#include "model/tools/playground.hpp"
#include "model/ui_states.hpp"
#include "model/work_state.hpp"
#include "render/overlays.hpp"
#include "widgets/plots/plot_views.hpp"
#include "worker/commands.hpp"

namespace clothlab::app::model {

/// Groups of scenes in the gallery.
enum class SceneGroup : int { Hanging, OnSolids, InLayers, Bodies, Inside, Files };

struct SceneChoice {
    std::string name, title, watch;
    std::string problem;  ///< why it cannot be opened, or empty
    SceneGroup group = SceneGroup::Hanging;
    std::string picture = name;  ///< name of the scene whose picture it has
    std::string paper = {};      ///< its paper: "Ye, table 2"; empty: none
};
/// The choice for a scene read under a name: that of a built-in one, or a file.
SceneChoice makeSceneChoice(const scene::Scene& scene, const std::string& name);

/// "NAME" + ending in a folder, or "NAME-2" + ending and so on if that exists. Slashes, control characters and a
/// leading dot are replaced by _, so that it stays in the folder.
std::string freeName(std::string name, const std::string& ending, const std::string& folder = {});

/// Callbacks to actions (actions/actions.hpp), set by the layer above: the model does not depend on it.
struct ActionHooks {
    /// The key of an action, in words.
    std::function<std::string(std::string_view action)> actionKey = [](std::string_view) { return std::string(); };
    /// Runs an action; the result says why it was refused, or is empty.
    std::function<std::string(UiModel&, std::string_view action)> run = [](UiModel&, std::string_view) {
        return std::string();
    };
};

/// The state of the window, wanted and known: panels read and change only this. They post commands to the outbox; the
/// answers come back in snapshots and reports.
/// Wide on purpose: the root of the state of the window, one member for each of its parts.
struct UiModel {
    // --- what is wanted: the window's own copy, posted whole with a revision
    scene::Settings settings;
    std::uint64_t revision = 1;       ///< of `settings`
    std::uint64_t followed = 0;       ///< counts settings that came from a recording; they are not posted
    scene::Scene scene;               ///< as loaded; scene.settings are what "default" means
    scene::ClothPatch patch;          ///< grid being edited, for "apply and restart"
    scene::ClothPatch activePatch;    ///< grid of the first cloth as it was loaded last
    std::uint64_t load = 0;           ///< revision of a scene that is being built, or 0
    OpenScene sceneBefore;            ///< the current scene meanwhile, kept if the new one cannot be built
    std::vector<SceneChoice> scenes;  ///< to choose from
    /// The texture of a picture, by its place below assets/pictures without its ending ("scenes/flag"); null where
    /// there is none. Empty: nothing can be drawn, as in tests.
    std::function<ImTextureID(const std::string&)> pictures;

    ActionHooks actions;
    Editor editor{*this};  ///< posts commands to the simulation, and undoes them

    // --- what is known
    const worker::Snapshot* snapshot = nullptr;  ///< never null while panels are built
    PlotHistory history;
    worker::JobResults results;               ///< latest results of the background jobs
    std::vector<render::LegendEntry> legend;  ///< of the overlay
    bool playing = true;
    double speed = 1;
    SaidLine said;
    /// Settings that worked before the present ones were tried, and the last step that they took.
    struct Proven {
        scene::Settings settings;
        std::int64_t step = 0;
    };
    std::optional<Proven> proven;
    std::string buildNote;  ///< "not optimised", or empty

    // --- its parts
    Looks looks;
    Folds folds;
    ViewWishes view;
    FileWishes files;
    Popups popups;
    Panel panel = Panel::None;  ///< that is open over the cloth
    RaceState racing;
    SparsityState sparsity;
    SlowState slow{results};
    QuadraticState quadratic;
    LessonGuide lessons;
    WorkState work{results};
    PapersState papers{results};
    PinTool pinTool;
    BrushTool brushTool;
    Playground playground;

    // --- what is asked of the main loop
    widgets::PlotViews plotViews;
    PictureSettings pictureSettings;
    FilmTaking film;

    UiModel() = default;
    UiModel(const UiModel&) = delete;  ///< field lists point into it
    UiModel& operator=(const UiModel&) = delete;

    /// Adopts a running scene: its settings become the wanted ones. The plots stay until the simulation reports a new
    /// motion.
    void adopt(const scene::Scene& loaded);
    /// Asks for a scene that has been read; until it is built, the present one is remembered.
    void loadScene(const scene::Scene& loaded);
    /// The same of a saved state: its scene, and the motion from there.
    void loadState(const scene::Scene& loaded, std::shared_ptr<const integrators::SimulationState> state);
    /// Writes the whole simulation into a new file of the working folder.
    bool saveState();
    /// Writes the edits that lead to the current motion to the user's folder of recordings, then copies the command.
    void saveRecording();
    /// Copies to the clipboard, with a message over the cloth.
    void copy(std::string text, std::string words);
    /// The window's data of the current scene.
    OpenScene openScene() const;
    /// Saves the user's work: scene, settings, grid, painting, overlay, pins, motion. Changes nothing; load and set
    /// whatever is needed afterwards.
    StoredWorkspace storeWorkspace();
    /// Restores it, with the motion bit for bit, which continues if it was playing.
    void returnTo(StoredWorkspace workplace);
    /// The last race, or null before the first.
    const worker::RaceProgress* race() const { return results.of<worker::RaceProgress>(); }
    /// The last descent, or null before the first.
    const worker::DescentProgress* descent() const { return results.of<worker::DescentProgress>(); }
    /// A new snapshot: `settled` says that every command posted so far has been carried out.
    void receive(const worker::Snapshot& next, bool settled);
    /// The requested scene could not be built: restores text, settings and overlay of the current one.
    void returnToActiveScene();
    /// The settings have been changed: posts them whole under a new revision.
    void postSettings();
    /// Opens a panel in place of the one that is open.
    void open(Panel panel);
    void closePanel() { panel = Panel::None; }
    void toggle(Panel which) { isOpen(which) ? closePanel() : open(which); }
    bool isOpen(Panel which) const { return panel == which; }
    /// Loads the scene anew with the grid in `patch`.
    void applyAndRestart();
    /// Two pictures: the cloth, and at its right the ghost.
    bool showsGhostBeside() const { return looks.ghostBeside && snapshot->ghost.present; }
    bool panelOpen() const { return panel != Panel::None; }
    /// Closes what lies on top: an open list, the keys, the panel over the cloth. False when there is nothing to close.
    bool closeTopmost();
    /// Puts a line over the cloth, for some seconds; an error stays longer.
    void say(std::string text, bool isError);
    /// The same with a button that runs an action; it stays longer.
    void offer(std::string text, std::string action);
    bool patchChanged() const { return !scene.cloths.empty() && !(patch == activePatch); }
    /// Number of steps that playing from here would drop.
    std::int64_t laterSteps() const { return snapshot->historyLast - snapshot->step; }
    bool settingsActive() const { return snapshot != nullptr && snapshot->settingsRevision == revision; }

private:
    friend class Editor;
    void take(const OpenScene& to);
    void goTo(const OpenScene& to, std::shared_ptr<const worker::MotionSlot> motion, worker::SharedMotionSlot present);
    void goToMotion(std::shared_ptr<const worker::MotionSlot> motion, worker::SharedMotionSlot present,
                    std::uint64_t asRevision);
    void forgetProven();
    void followReplay(const worker::Snapshot& next);
    void followProgram(const worker::Snapshot& next);
    void saySaved(const worker::Snapshot& next);
    void watchSettings(const worker::Snapshot& next);
    void followUse();

    /// Last seen values of snapshots, so that each change is reported once.
    struct Followed {
        bool solverUsed = true, preconditionerUsed = true;
        std::string warning;
        worker::Snapshot::Replayed replayed;
        std::uint64_t state = 0;  ///< of another program
        std::string unrecorded;   ///< why the recording stopped
    };
    /// Counts of saved states and recordings.
    struct Saves {
        std::uint64_t asked = 0, said = 0;
        std::uint64_t recording = 0;  ///< the one whose command is copied
    };
    Followed followed_;
    Saves saves_;
    Proven running_;               ///< the settings that step now, and the last step that they have taken
    std::int64_t provenFrom_ = 0;  ///< the step at which they began
    std::optional<render::Camera> cameraToCome_;  ///< with the motion that was asked for
};

/// "41 × 41" of a grid, "disc.obj" of a mesh.
std::string sizeText(const scene::ClothPatch& cloth);

}  // namespace clothlab::app::model
