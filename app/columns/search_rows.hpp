#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fields.hpp"

namespace clothlab::app::columns {

/// Whether every word of the text occurs in the label, the key, the help or a choice of the field, ignoring case. A
/// text without words matches nothing.
bool fieldMatches(const Field& field, std::string_view text);

/// The same for any text.
bool textMatches(std::string_view text, std::string_view wanted);

/// The heading over a found field: the table of its key in a scene file ("Fast mass spring").
std::string fieldHeading(std::string_view key);

}  // namespace clothlab::app::columns
