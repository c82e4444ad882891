#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

namespace clothlab::app::worker {

/// A lossless queue between the window and the simulation thread. The lock guards a push or a swap, never a step.
/// The window's side never waits for it: a failed `try` function is repeated in the next frame.
template <class T>
class Channel {
public:
    void push(T value) {
        {
            std::lock_guard lock(mutex_);
            items_.push_back(std::move(value));
        }
        ready_.notify_one();
    }

    /// Moves all of `values` in, unless the lock is taken.
    bool tryPush(std::vector<T>& values) {
        {
            std::unique_lock lock(mutex_, std::try_to_lock);
            if (!lock) return false;
            for (T& value : values) items_.push_back(std::move(value));
        }
        values.clear();
        ready_.notify_one();
        return true;
    }

    /// Appends all values to `out`, unless the lock is taken.
    bool tryDrain(std::vector<T>& out) {
        std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return false;
        for (T& value : items_) out.push_back(std::move(value));
        items_.clear();
        return true;
    }

    /// Moves all values into `out` (whose content is dropped) without waiting for more.
    void drain(std::vector<T>& out) {
        out.clear();
        std::lock_guard lock(mutex_);
        items_.swap(out);
    }

    /// Sleeps until there is something, the token is set, or the time has come.
    template <class TimePoint>
    void waitUntil(const std::stop_token& stop, const TimePoint& time) {
        std::unique_lock lock(mutex_);
        ready_.wait_until(lock, stop, time, [this] { return !items_.empty(); });
    }
    void wait(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, stop, [this] { return !items_.empty(); });
    }

private:
    std::mutex mutex_;
    std::condition_variable_any ready_;
    std::vector<T> items_;
};

}  // namespace clothlab::app::worker
