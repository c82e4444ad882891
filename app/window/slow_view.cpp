#include "window/slow_view.hpp"

#include <algorithm>
#include <cmath>

#include "worker/snapshots/round_up.hpp"

namespace clothlab::app::window {

using model::SlowState;

/// Two decades, from the largest value of both sides: over more of them iterates that differ by a factor of five, as a
/// teacher compares, would have one colour.
void SlowView::color(const SlowState& slow) {
    constexpr double kDecades = 2;
    const bool error = slow.measure == SlowState::Measure::Error;
    double largest = 1e-12;
    for (int side = 0; side < sides_; ++side)
        for (const float value : snapshots_[side].field.values)
            if (std::isfinite(value)) largest = std::max(largest, double(value));
    for (int side = 0; side < sides_; ++side) {
        worker::ParticleField& field = snapshots_[side].field;
        field.to = worker::roundedUp(largest);
        field.from = field.to * std::pow(10.0, -kDecades);
        field.logarithmic = true;
        field.label = error ? "error of dv" : "residual, relative";
        field.unit = error ? "mm/s" : "";
    }
}

bool SlowView::update(model::UiModel& model) {
    SlowState& slow = model.slow;
    const worker::SlowMotionResult* result = model.isOpen(model::Panel::SlowMotion) ? slow.shown() : nullptr;
    const worker::Snapshot& now = *model.snapshot;
    if (!result || !now.mesh || now.mesh->revision != result->origin.mesh)
        return false;  // a scene loaded since then has another mesh
    const experiments::SlowMotion& motion = result->motion;
    constexpr double kMillimetres = 1e3;
    const Of wanted{result, result->request, slow.frame, slow.exaggeration, slow.measure};
    if (wanted == made_ && snapshots_[0].mesh == now.mesh) return sides_ > 0;
    made_ = wanted;
    sides_ = 0;
    for (std::size_t side = 0; side < std::min<std::size_t>(2, motion.methods.size()); ++side) {
        if (motion.methods[side].frames() == 0) continue;
        worker::Snapshot& snapshot = snapshots_[sides_++];
        const std::size_t frame = slow.sideFrame(side);
        snapshot.mesh = now.mesh;
        snapshot.colliderPoses = result->colliders;
        snapshot.pins = result->pins;
        snapshot.pinGuides = result->pinGuides;
        motion.positions(side, frame, slow.exaggeration, snapshot.positions);
        motion.errors(side, frame, snapshot.field.values);
        slow.largestError[side] = *std::max_element(snapshot.field.values.begin(), snapshot.field.values.end());
        if (slow.measure == SlowState::Measure::Error)
            for (float& value : snapshot.field.values) value *= float(kMillimetres);
        else
            snapshot.field.values = motion.methods[side].undone[frame];
    }
    color(slow);
    return sides_ > 0;
}

}  // namespace clothlab::app::window
