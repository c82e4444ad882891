#pragma once

#include "model/ui_model.hpp"

namespace clothlab::app::window {

/// The two cloths of slow motion as snapshots for the renderer: the mesh of the simulation, all else from the frozen
/// step; the positions of an iterate, coloured by its error or its residual, both sides on one scale.
class SlowView {
public:
    /// Adopts changes. False if there is nothing to show: then the simulation's own snapshot is drawn.
    bool update(model::UiModel& model);
    int sides() const { return sides_; }
    const worker::Snapshot& side(int i) const { return snapshots_[i]; }

private:
    /// The inputs of the snapshots.
    struct Of {
        const worker::SlowMotionResult* result = nullptr;
        std::uint64_t request = 0;
        std::size_t frame = 0;
        double exaggeration = 0;
        model::SlowState::Measure measure{};
        bool operator==(const Of&) const = default;
    };
    void color(const model::SlowState& slow);

    worker::Snapshot snapshots_[2];
    int sides_ = 0;
    Of made_;
};

}  // namespace clothlab::app::window
