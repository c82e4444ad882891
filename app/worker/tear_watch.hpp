#pragma once

#include <memory>
#include <utility>

#include "worker/motion_slot.hpp"

namespace clothlab::app::worker {

/// Groups torn steps for undo. Consecutive tears are one tear, and those of one grab are one pull. Undo of a tear
/// returns to before its first step, of a pull to the moment of the grab, since cloth that is already stretched would
/// tear again at once.
class TearWatch {
public:
    /// Begins a grab, with the motion kept at that moment. Null: the grab ends.
    void handHolds(std::shared_ptr<MotionSlot> pull) { pull_ = std::move(pull); }
    /// After another edit of the motion: later tears are new ones.
    void forget() { *this = {}; }
    /// Whether a tear in the next step, from `time` (s) on, needs the motion before that step.
    bool wantsState(double time) const { return !pull_ && !goesOn(time); }
    /// The step that began at `time` (s) has torn cloth. True: a tear begins with it.
    bool tore(double time) {
        const bool same = pull_ ? pull_ == told_ : goesOn(time);
        last_ = time;
        told_ = pull_;
        return !same;
    }
    /// The motion kept at the grab, if it tears the cloth.
    const std::shared_ptr<MotionSlot>& pull() const { return pull_; }

private:
    static constexpr double kPause = 0.5;  // s, of the motion: a longer one ends a tear
    bool goesOn(double time) const { return last_ >= 0 && time >= last_ && time - last_ <= kPause; }

    std::shared_ptr<MotionSlot> pull_, told_;
    double last_ = -1;  // s, when a step that tore cloth began last; negative: none
};

}  // namespace clothlab::app::worker
