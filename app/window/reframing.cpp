#include "window/reframing.hpp"

#include "render/scene_fit.hpp"

namespace clothlab::app::window {

using model::Panel;

void Reframing::update(model::Panel open, std::span<const float> positions, const render::Viewport& viewport,
                       const render::Covered& covered, render::Camera& camera) {
    const glm::ivec2 room{viewport.width, viewport.height};
    if (open == open_) {
        // The panel has grown or shrunk with what it shows.
        if (open == Panel::None || room == room_ || !(camera == framed_)) return;
        room_ = room;
        camera = framed_ = render::seeing(before_, positions, viewport, covered);
        return;
    }
    if (open_ != Panel::None && camera == framed_) camera = before_;
    open_ = open;
    if (open == Panel::None) return;
    before_ = camera;
    room_ = room;
    camera = framed_ = render::seeing(camera, positions, viewport, covered);
}

}  // namespace clothlab::app::window
