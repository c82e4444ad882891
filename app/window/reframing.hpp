#pragma once

#include <span>

#include <glm/glm.hpp>

#include "model/panel.hpp"
#include "render/scene_fit.hpp"

namespace clothlab::app::window {

/// A panel that takes room from the cloth would cut it off: the view steps back as it opens, and returns when it
/// closes, unless somebody has turned it meanwhile.
class Reframing {
public:
    /// Once a frame: which such panel is open, and what it leaves to the cloth at `positions` (#P x 3, m); words cover
    /// the uppermost pixels of that.
    void update(model::Panel open, std::span<const float> positions, const render::Viewport& viewport,
                const render::Covered& covered, render::Camera& camera);

private:
    model::Panel open_ = model::Panel::None;
    render::Camera before_, framed_;  ///< while one is open
    glm::ivec2 room_{0};              ///< pixels that `framed_` was found for
};

}  // namespace clothlab::app::window
