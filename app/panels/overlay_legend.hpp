#pragma once

#include <span>

#include "render/overlays.hpp"
#include "widgets/layout_map.hpp"
#include "widgets/ui_theme.hpp"

namespace clothlab::app::panels {

/// The rows of an overlay's legend at the cursor: labelled swatches, colour scales between two numbers.
void overlayLegendRows(std::span<const render::LegendEntry> legend, const widgets::UiTheme& theme,
                       widgets::LayoutMap& layout);

}  // namespace clothlab::app::panels
