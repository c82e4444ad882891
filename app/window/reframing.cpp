#include "window/reframing.hpp"

#include "render/scene_fit.hpp"

namespace clothlab::app::window {

using panels::Panel;

void Reframing::update(panels::Panel open, std::span<const float> positions, const render::Viewport& viewport,
                       render::Camera& camera) {
    if (open == open_) return;
    if (open_ != Panel::None && camera == framed_) camera = before_;
    open_ = open;
    if (open == Panel::None) return;
    before_ = camera;
    camera = framed_ = render::seeing(camera, positions, viewport);
}

}  // namespace clothlab::app::window
