#pragma once

#include <span>

#include "widgets/ui_theme.hpp"
#include "window/view_controller.hpp"

/// What the pointer draws behind the panels.
namespace clothlab::app::window {

/// The line of a cut, while it is drawn; places in pixels.
void drawStroke(std::span<const glm::vec2> stroke, float pixelsPerPoint, const widgets::UiTheme& theme);
/// What the brush would touch: a circle of its radius (m) around the place, as it faces the camera.
void drawBrush(const ViewController& controller, const ViewController::Context& context, double radius,
               const widgets::UiTheme& theme);

}  // namespace clothlab::app::window
