#pragma once

#include <string_view>

#include "widgets/layout_map.hpp"
#include "widgets/ui_theme.hpp"

namespace clothlab::app::widgets {

/// Draws a text of Markdown in the width that is left, from the cursor on: paragraphs, lists ("- item"), **bold** and
/// *italic* (both semibold), `code` and [links](https://...). A link copies its address when it is pressed. Each is
/// marked in the layout as ID/link/ADDRESS. Ink 0 is that of texts. Lines break only at blanks, not within a number.
void markdown(std::string_view id, std::string_view text, const UiTheme& theme, LayoutMap& layout, ImU32 ink = 0);

}  // namespace clothlab::app::widgets
