#pragma once

#include <atomic>
#include <utility>

#include "simulation/stored_motion.hpp"

namespace clothlab::app::worker {

/// A place for a kept motion. The window creates it empty and sends it along with a command; the simulation's thread
/// fills it, once, if the command changes anything, and restores it on request.
class MotionSlot {
public:
    struct Content {
        simulation::StoredMotion simulation;
        std::uint64_t mesh = 0;  ///< revision of its mesh
        bool playing = false;
        std::int64_t id = 0;  ///< in a recording
    };

    /// Null until it is filled; constant afterwards.
    const Content* content() const { return filled_.load(std::memory_order_acquire) ? &content_ : nullptr; }
    std::size_t bytes() const { return content() ? content_.simulation.bytes() : 0; }

    // --- the simulation's thread
    void fill(Content content) {
        content_ = std::move(content);
        filled_.store(true, std::memory_order_release);
    }

private:
    Content content_;
    std::atomic<bool> filled_{false};
};

}  // namespace clothlab::app::worker
