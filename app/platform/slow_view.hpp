#pragma once

#include "panels/ui_model.hpp"

namespace clothlab::app {

/// The two cloths of slow motion as snapshots that the renderer can draw: the mesh and colliders of the simulation, the
/// positions of an iterate, coloured by its error.
class SlowView {
public:
    /// Takes over what has changed. False when there is nothing to show: then the simulation's own snapshot is drawn.
    bool update(UiModel& model);
    int sides() const { return sides_; }
    const Snapshot& side(int i) const { return snapshots_[i]; }

private:
    Snapshot snapshots_[2];
    int sides_ = 0;
    const SlowMotionResult* shown_ = nullptr;
    std::uint64_t serial_ = 0;
    std::size_t frames_[2] = {0, 0};
    double exaggeration_ = 0;
};

}  // namespace clothlab::app
