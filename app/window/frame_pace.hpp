#pragma once

#include <algorithm>

/// When the window draws next.
namespace clothlab::app::window {

struct FramePace {
    bool software = false;  ///< the picture is drawn by the cores that step
    bool idle = false;      ///< nothing moves
    bool busy = false;      ///< the motion needs a large part of a core at the wanted speed
    double lastFrame = 0;   ///< duration of the last frame, s

    /// From the start of a frame to that of the next, s. With software rendering, if the motion needs the cores, each
    /// picture is followed by a pause as long as it took, at most 0.1 s.
    double interval() const {
        if (idle) return 0.1;
        if (!software) return 1.0 / 60;
        return std::max(1.0 / 30, busy ? lastFrame + std::min(lastFrame, 0.1) : 0.0);
    }
};

}  // namespace clothlab::app::window
