#pragma once

#include <span>
#include <string>

#include "experiments/charts/chart.hpp"
#include "render/gl/capture.hpp"
#include "widgets/layout_map.hpp"
#include "widgets/palette.hpp"

namespace clothlab::app::film {

/// Charts drawn off screen, without a display. `layout`, if any, receives their rectangles in pixels, "chart.0" and so
/// on, `svg` the same picture as a document.
Expected<render::Image> drawChartPicture(std::span<const experiments::Chart> charts, const std::string& title,
                                         int width, int height, widgets::LayoutMap* layout = nullptr,
                                         widgets::ThemeKind kind = widgets::ThemeKind::Dark,
                                         std::string* svg = nullptr);

}  // namespace clothlab::app::film
