#include "model/stored_workspace.hpp"

#include <utility>

#include "model/ui_model.hpp"

// What the window puts aside, and how it comes back.
namespace clothlab::app::model {

OpenScene UiModel::openScene() const {
    return {scene, settings, patch, activePatch, brushTool.painting, looks.overlay, folds.sections, view.camera};
}

void UiModel::take(const OpenScene& to) {
    scene = to.scene;
    settings = to.settings;
    patch = to.patch;
    activePatch = to.activePatch;
    brushTool.painting = to.painting;
    looks.overlay = to.overlay;
    folds.sections = to.sections;
    forgetProven();
}

StoredWorkspace UiModel::storeWorkspace() {
    StoredWorkspace all{openScene(), std::make_shared<worker::MotionSlot>(), editor.changes, speed};
    editor.changes.clear();
    editor.outbox.push_back(worker::StoreMotion{all.motion});
    return all;
}

void UiModel::returnTo(StoredWorkspace workplace) {
    goTo(workplace.scene, std::move(workplace.motion), {});
    setSpeed(*this, workplace.speed);
    editor.changes = std::move(workplace.changes);
    editor.changes.settings = settings;
    editor.changes.painting = brushTool.painting;
}

void UiModel::goToMotion(std::shared_ptr<const worker::MotionSlot> motion, worker::SharedMotionSlot present,
                         std::uint64_t asRevision) {
    editor.outbox.push_back(worker::ReturnToMotion{std::move(motion), asRevision, std::move(present)});
    editor.changes.settings = settings;
    editor.changes.painting = brushTool.painting;
    postSettings();  // what was set and not yet active when the motion was put aside
}

void UiModel::goTo(const OpenScene& to, std::shared_ptr<const worker::MotionSlot> motion,
                   worker::SharedMotionSlot present) {
    sceneBefore = openScene();
    take(to);
    load = ++revision;
    cameraToCome_ = to.camera;
    goToMotion(std::move(motion), std::move(present), load);
}

}  // namespace clothlab::app::model
