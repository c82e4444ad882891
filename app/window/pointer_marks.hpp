#pragma once

#include <span>

#include "widgets/ui_theme.hpp"
#include "window/view_controller.hpp"

/// Marks of the pointer, drawn behind the panels.
namespace clothlab::app::window {

/// The line of a cut, while it is drawn; places in pixels.
void drawStroke(std::span<const glm::vec2> stroke, float pixelsPerPoint, const widgets::UiTheme& theme);
/// The reach of the brush: a circle of its radius (m) around the place, facing the camera.
void drawBrush(const ViewController& controller, const ViewController::Context& context, double radius,
               const widgets::UiTheme& theme);

}  // namespace clothlab::app::window
