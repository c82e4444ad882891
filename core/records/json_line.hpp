#pragma once

#include <string>
#include <string_view>

#include "base/json_reader.hpp"
#include "records/entries.hpp"
#include "records/json.hpp"

/// Lines of NDJSON: one flat object each.
namespace clothlab::records {

/// Whole numbers without a point.
Json entriesJson(const Entries& entries);
/// A flat object in one line; a number that is not finite is null.
std::string entriesLine(const Entries& entries);
/// A text in quotes, escaped.
std::string jsonText(std::string_view text);

/// An object that is read, flat: keys of objects within it are joined by dots, elements of arrays by their number. What
/// is null is not a number (NaN); true and false are text. A name has 256 letters at most.
Entries entriesOf(const JsonValue& object);
/// One object of an NDJSON file. An Error has the column; a line has 4096 values and 16 levels at most.
Expected<Entries> readJsonLine(std::string_view line);

}  // namespace clothlab::records
