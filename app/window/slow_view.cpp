#include "window/slow_view.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::app::window {

using panels::SlowState;

void SlowView::color(const SlowState& slow, std::size_t side, std::size_t frame, worker::ParticleField& field) {
    constexpr double kDecades = 4, kMillimetres = 1e3;
    const experiments::SlowMotion& motion = slow.shown()->motion;
    if (slow.measure == SlowState::Measure::Error) {
        for (float& value : field.values) value *= float(kMillimetres);
        field.to = kMillimetres * motion.largestError;
        field.label = "error of dv";
        field.unit = "mm/s";
    } else {
        field.values = motion.methods[side].undone[frame];
        field.to = motion.largestUndone;
        field.label = "residual, relative";
        field.unit = "";
    }
    field.to = std::max(field.to, 1e-12);
    field.from = field.to * std::pow(10.0, -kDecades);
    field.logarithmic = true;
}

bool SlowView::update(panels::UiModel& model) {
    SlowState& slow = model.slow;
    const worker::SlowMotionResult* result = model.isOpen(panels::Panel::SlowMotion) ? slow.shown() : nullptr;
    const worker::Snapshot& now = *model.snapshot;
    if (!result || !now.mesh || now.mesh->revision != result->mesh)
        return false;  // a scene loaded since then has another mesh
    const experiments::SlowMotion& motion = result->motion;
    const Of wanted{result, result->request, slow.frame, slow.exaggeration, slow.measure};
    if (wanted == made_ && snapshots_[0].mesh == now.mesh) return sides_ > 0;
    made_ = wanted;
    sides_ = 0;
    for (std::size_t side = 0; side < std::min<std::size_t>(2, motion.methods.size()); ++side) {
        if (motion.methods[side].frames() == 0) continue;
        worker::Snapshot& snapshot = snapshots_[sides_++];
        const std::size_t frame = slow.frameOf(side);
        snapshot.mesh = now.mesh;
        snapshot.colliderPoses = result->colliders;
        snapshot.pins = result->pins;
        snapshot.pinGuides = result->pinGuides;
        motion.positions(side, frame, slow.exaggeration, snapshot.positions);
        motion.errors(side, frame, snapshot.field.values);
        slow.largestError[side] = *std::max_element(snapshot.field.values.begin(), snapshot.field.values.end());
        color(slow, side, frame, snapshot.field);
    }
    return sides_ > 0;
}

}  // namespace clothlab::app::window
