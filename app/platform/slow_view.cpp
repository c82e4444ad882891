#include "platform/slow_view.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::app {

bool SlowView::update(UiModel& model) {
    constexpr double kDecades = 4;
    SlowState& slow = model.slow;
    if (!slow.open || !slow.result || !slow.result->problem.empty()) return false;
    const simulation::SlowMotion& motion = slow.result->motion;
    const Snapshot& now = *model.snapshot;
    // A scene loaded since then has another mesh.
    if (!now.mesh || motion.inertial.size() != 3 * static_cast<std::size_t>(now.mesh->particles)) return false;
    const bool fresh = shown_ != slow.result || serial_ != slow.result->serial || exaggeration_ != slow.exaggeration ||
                       snapshots_[0].mesh != now.mesh;
    sides_ = 0;
    for (std::size_t side = 0; side < std::min<std::size_t>(2, motion.methods.size()); ++side) {
        if (motion.methods[side].frames() == 0) continue;
        Snapshot& snapshot = snapshots_[sides_++];
        const std::size_t frame = slow.frameOf(side);
        if (!fresh && frames_[side] == frame) continue;
        frames_[side] = frame;
        snapshot.mesh = now.mesh;
        snapshot.colliderPoses = now.colliderPoses;
        snapshot.pins = now.pins;
        motion.positions(side, frame, slow.exaggeration, snapshot.positions);
        motion.errors(side, frame, snapshot.field.values);
        slow.largestError[side] = *std::max_element(snapshot.field.values.begin(), snapshot.field.values.end());
        snapshot.field.to = std::max(motion.largestError, 1e-12);
        snapshot.field.from = snapshot.field.to * std::pow(10.0, -kDecades);
        snapshot.field.logarithmic = true;
        snapshot.field.label = "error of the velocity change";
        snapshot.field.unit = "m/s";
    }
    shown_ = slow.result;
    serial_ = slow.result->serial;
    exaggeration_ = slow.exaggeration;
    return sides_ > 0;
}

}  // namespace clothlab::app
