#pragma once

#include "model/undo_list.hpp"

namespace clothlab::app::model {

/// All that a user was at, put aside while something else has the window (UiModel::takeWorkplace, returnTo): the scene,
/// the motion in it with its pins, its clock and its history, and what can be taken back.
struct Workplace {
    OpenScene scene;
    std::shared_ptr<worker::KeptMotion> motion;
    UndoList changes;
    double speed = 1;
};

}  // namespace clothlab::app::model
