#pragma once

#include "base/stage_timer.hpp"
#include "worker/jobs/step_gate.hpp"

namespace clothlab::app::worker {

/// Holds the motion while many short times are taken: a frame or two at once at most, not for all of them. Were it to
/// step after each of them, the caches would be its own each time.
class HeldSlices {
public:
    explicit HeldSlices(StepGate& gate) : gate_(gate) {}
    ~HeldSlices() { release(); }
    HeldSlices(const HeldSlices&) = delete;
    HeldSlices& operator=(const HeldSlices&) = delete;

    void hold() {
        if (held_) return;
        gate_.hold();
        held_ = true;
        since_ = {};
    }
    /// Between two times: the motion takes a step where the slice is over.
    void pause() {
        if (held_ && since_.seconds() > kSliceSeconds) release();
    }
    void release() {
        if (held_) gate_.release();
        held_ = false;
    }

private:
    static constexpr double kSliceSeconds = 0.04;

    StepGate& gate_;
    bool held_ = false;
    StageTimer since_;
};

}  // namespace clothlab::app::worker
