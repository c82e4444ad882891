#include "worker/pacer.hpp"

#include <algorithm>

namespace clothlab::app::worker {

void Pacer::setPlaying(bool playing) {
    if (playing && !playing_) due_ = Clock::now();
    if (playing != playing_) meter_.clear();
    playing_ = playing;
    pauseAt_ = -1;
}

void Pacer::playUntil(std::int64_t step) {
    setPlaying(true);
    pauseAt_ = step;
}

void Pacer::setSpeed(double factor) {
    speed_ = factor > 0 ? std::clamp(factor, 0.1, 4.0) : 0;
    restart();
}

void Pacer::restart() {
    due_ = Clock::now();
    meter_.clear();
}

/// The next step is due dt / speed after this one was. A delay of less than one step is made up for (timers are never
/// exact), a longer one is not.
void Pacer::stepped(double dt, std::int64_t step, double time) {
    if (step == pauseAt_) setPlaying(false);
    meter_.add(std::chrono::duration<double>(Clock::now().time_since_epoch()).count(), time);
    if (!waits()) return;
    const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(dt / speed_));
    const auto now = Clock::now();
    due_ += period;
    if (now - due_ > period) due_ = now;
}

}  // namespace clothlab::app::worker
