#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace clothlab::app::worker {

/// Alternates measurements and steps of the simulation: one step after each measurement while the simulation wants to
/// move.
class StepGate {
public:
    // --- the simulation's side
    /// Waits for a running measurement. False when the token was set meanwhile: there is no step then.
    bool enter(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        stepWaits_ = true;
        const bool in = turn_.wait(lock, stop, [this] { return !held_; });
        stepWaits_ = false;
        if (!in) return false;
        stepDue_ = false;
        stepping_ = true;
        return true;
    }
    void leave() {
        {
            std::lock_guard lock(mutex_);
            stepping_ = false;
        }
        turn_.notify_all();
    }

    // --- the measurement's side
    void hold() {
        std::unique_lock lock(mutex_);
        turn_.wait(lock, [this] { return !stepping_ && !(stepDue_ && stepWaits_); });
        held_ = true;
    }
    void release() {
        {
            std::lock_guard lock(mutex_);
            held_ = false;
            stepDue_ = true;
        }
        turn_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable_any turn_;
    bool stepping_ = false, held_ = false, stepWaits_ = false, stepDue_ = false;
};

}  // namespace clothlab::app::worker
