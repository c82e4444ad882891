#pragma once

#include <string>

#include "lessons/claim.hpp"
#include "widgets/layout_map.hpp"
#include "widgets/ui_theme.hpp"

namespace clothlab::app::panels {

/// A claim at the cursor, as text; with the values of both sides, and whether it holds, once its quantities are `known`
/// (null: not yet). Returns its plain text.
std::string lessonClaim(const std::string& id, const lessons::Claim& claim, const lessons::Lookup* known,
                        const widgets::UiTheme& theme, widgets::LayoutMap& layout);

}  // namespace clothlab::app::panels
