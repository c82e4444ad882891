#pragma once

#include <memory>

#include "panels/panel_context.hpp"

namespace clothlab::app::panels {

/// Makes a panel of the table; not for None.
std::unique_ptr<ClothPanel> makePanel(model::Panel panel, const PanelContext& context);

}  // namespace clothlab::app::panels
