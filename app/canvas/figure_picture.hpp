#pragma once

#include "render/gl/capture.hpp"
#include "widgets/plots/figure.hpp"

namespace clothlab::app::canvas {

/// A figure with so many pixels a point: 2 is 1280 wide. It has an ImGui of its own for as long as it is drawn, since
/// its letters are made for this size; the one of the window stays as it is. Between two frames, with a current context
/// of OpenGL.
Expected<render::Image> paintFigure(const widgets::Figure& figure, int scale);

}  // namespace clothlab::app::canvas
