#pragma once

#include "render/gl/capture.hpp"
#include "widgets/plots/figure.hpp"

namespace clothlab::app::canvas {

/// A figure with `scale` pixels per point: 2 is 1280 wide. It is drawn in an ImGui context of its own, since fonts are
/// made for this size; the window's context is unchanged. Call between two frames, with a current OpenGL context.
Expected<render::Image> paintFigure(const widgets::Figure& figure, int scale);

}  // namespace clothlab::app::canvas
