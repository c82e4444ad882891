#pragma once

#include <span>

#include <glm/glm.hpp>

#include "model/panel.hpp"
#include "render/scene_fit.hpp"

namespace clothlab::app::window {

/// Moves the camera back when a panel takes room from the cloth, and restores it when the panel closes, unless the user
/// has moved it meanwhile.
class Reframing {
public:
    /// Once per frame: the open panel, and the part that it leaves to the cloth at `positions` (#P x 3, m), whose
    /// uppermost pixels are under text.
    void update(model::Panel open, std::span<const float> positions, const render::Viewport& viewport,
                const render::Covered& covered, render::Camera& camera);

private:
    model::Panel open_ = model::Panel::None;
    render::Camera before_, framed_;  ///< while one is open
    glm::ivec2 room_{0};              ///< pixels that `framed_` was found for
};

}  // namespace clothlab::app::window
