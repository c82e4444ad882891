#pragma once

#include <span>

#include "panels/panel.hpp"
#include "render/camera.hpp"

namespace clothlab::app::window {

/// A panel that takes room from the cloth would cut it off: the view steps back as it opens, and returns when it
/// closes, unless somebody has turned it meanwhile.
class Reframing {
public:
    /// Once a frame: which such panel is open, and what it leaves to the cloth at `positions` (#P x 3, m).
    void update(panels::Panel open, std::span<const float> positions, const render::Viewport& viewport,
                render::Camera& camera);

private:
    panels::Panel open_ = panels::Panel::None;
    render::Camera before_, framed_;  ///< while one is open
};

}  // namespace clothlab::app::window
