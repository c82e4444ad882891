#pragma once

#include <string>
#include <string_view>

#include "base/json_reader.hpp"
#include "records/entries.hpp"
#include "records/json.hpp"

/// Lines of NDJSON: one flat object each.
namespace clothlab::records {

/// Whole numbers are written without a decimal point.
Json entriesJson(const Entries& entries);
/// A flat object in one line; a number that is not finite is null.
std::string entriesLine(const Entries& entries);
/// A text in quotes, escaped.
std::string jsonText(std::string_view text);

/// A parsed object, flattened: keys of nested objects are joined by dots, array elements by their number. Null becomes
/// NaN; true and false become text. A name has at most 256 letters.
Entries toEntries(const JsonValue& object);
/// One object of an NDJSON file. An Error has the column; a line has at most 4096 values and 16 levels.
Expected<Entries> readJsonLine(std::string_view line);

}  // namespace clothlab::records
