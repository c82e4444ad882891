#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fields.hpp"

namespace clothlab::app::columns {

/// Whether every word of the text stands in the label, the key, the help or a choice of the field; capitals do not
/// matter. A text without words finds nothing.
bool fieldMatches(const Field& field, std::string_view text);

/// The same of any text.
bool textMatches(std::string_view text, std::string_view wanted);

/// The heading over a field that was found: the table that has its key in a scene file ("Fast mass spring").
std::string headingOf(std::string_view key);

}  // namespace clothlab::app::columns
