#pragma once

#include "model/undo_list.hpp"

namespace clothlab::app::model {

/// The user's work, saved while a lesson uses the window (UiModel::storeWorkspace, returnTo): the scene, its motion
/// with pins, clock and history, and the undo list.
struct StoredWorkspace {
    OpenScene scene;
    std::shared_ptr<worker::MotionSlot> motion;
    UndoList changes;
    double speed = 1;
};

}  // namespace clothlab::app::model
