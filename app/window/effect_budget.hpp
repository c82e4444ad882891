#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "render/renderer.hpp"

namespace clothlab::app::window {

/// Selects the effects that the window can afford. One is dropped when frames take longer than 50 ms, in the order of
/// kOrder, and restored once they have been short for a while; each further drop doubles that time, so that a picture
/// which is nearly too slow does not flicker.
class EffectBudget {
public:
    static constexpr double kMostMs = 50, kShortMs = 33;
    static constexpr int kSlowFrames = 20, kQuickFrames = 120, kMostPatience = 32;

    struct Entry {
        bool render::Effects::*effect;
        const char* name;
    };
    /// Occlusion is a quarter of a frame, the others are a few percent. Shadows go last: without them nothing stands on
    /// the floor.
    static constexpr std::array kOrder{Entry{&render::Effects::occlusion, "occlusion"},
                                       Entry{&render::Effects::outlines, "smooth edges"},
                                       Entry{&render::Effects::shadows, "shadows"}};

    /// ms, of a frame that had effects(). Single slow frames do not count: more than half of the last kSlowFrames.
    void add(double ms) {
        slow_.push_back(ms > kMostMs);
        quick_ = ms < kShortMs ? quick_ + 1 : 0;
        if (slow_.size() > kSlowFrames) slow_.erase(slow_.begin());
        const bool slow = slow_.size() == kSlowFrames && std::ranges::count(slow_, true) > kSlowFrames / 2;
        if (slow && without_ < kOrder.size()) {
            ++without_;
            if (tried_) patience_ = std::min(2 * patience_, kMostPatience);
            tried_ = false;
            begin();
        } else if (without_ > 0 && quick_ >= kQuickFrames * patience_) {
            --without_;
            tried_ = true;
            begin();
        }
    }
    render::Effects effects() const {
        render::Effects effects;
        for (std::size_t k = 0; k < without_; ++k) effects.*kOrder[k].effect = false;
        return effects;
    }
    /// How many of kOrder are left out.
    std::size_t without() const { return without_; }

private:
    void begin() {
        slow_.clear();
        quick_ = 0;
    }
    std::vector<bool> slow_;
    std::size_t without_ = 0;
    int quick_ = 0, patience_ = 1;
    bool tried_ = false;  ///< the last change brought one back
};

}  // namespace clothlab::app::window
