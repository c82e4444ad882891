#pragma once

#include <memory>

#include "panels/panel_context.hpp"

namespace clothlab::app::panels {

/// A panel of the table, but None.
std::unique_ptr<ClothPanel> makePanel(model::Panel panel, const PanelContext& context);

}  // namespace clothlab::app::panels
