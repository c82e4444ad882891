#pragma once

#include "base/stage_timer.hpp"
#include "worker/jobs/step_gate.hpp"

namespace clothlab::app::worker {

/// Holds the motion during many short measurements, for at most a frame or two at a time. A step after each of them
/// would evict their data from the caches.
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
    /// Between two measurements: the motion takes a step if the slice is over.
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
