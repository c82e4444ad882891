#pragma once

#include <chrono>
#include <cstdint>

#include "worker/pace_meter.hpp"

namespace clothlab::app::worker {

/// Tells whether the motion plays, and when its next step is due. Playing is paced to the wall clock; a late simulation
/// does not catch up.
class Pacer {
public:
    using Clock = std::chrono::steady_clock;
    /// Simulated seconds per second of the wall clock, 0.1 to 4; 0: unlimited.
    Pacer(bool playing, double speed) : playing_(playing), speed_(speed), due_(Clock::now()) {}

    bool playing() const { return playing_; }
    void setPlaying(bool playing);
    /// Plays until the motion is at this step.
    void playUntil(std::int64_t step);
    double speed() const { return speed_; }
    void setSpeed(double factor);
    /// Resets pacing after a jump of the motion.
    void restart();
    /// False: a step is due as soon as the previous one is done.
    bool waits() const { return speed_ > 0; }
    Clock::time_point due() const { return due_; }
    bool isDue() const { return playing_ && (!waits() || Clock::now() >= due_); }
    /// A step of length dt (s) was taken; the motion is now at this step number and time (s).
    void stepped(double dt, std::int64_t step, double time);
    /// Simulated seconds per second of the wall clock, measured; 0: not yet.
    double realTimeFactor() const { return meter_.factor(); }

private:
    bool playing_;
    double speed_;
    std::int64_t pauseAt_ = -1;  ///< step of the motion; -1: none
    Clock::time_point due_;
    PaceMeter meter_;
};

}  // namespace clothlab::app::worker
