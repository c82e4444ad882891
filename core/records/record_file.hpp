#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "records/entries.hpp"

/// Reads the output of `run --report` and `sweep`.
namespace clothlab::records {

struct RecordFile {
    std::string name;              ///< path
    std::vector<Entries> records;  ///< one per line, flat: "vary.integrator.dt", "settings.solver.kind"
    std::vector<int> lines = {};   ///< in the file, from 1; empty without a file
};

/// An Error with the line number if a line is not a JSON object; the last one may be partial, as a killed sweep leaves
/// it.
Expected<RecordFile> readRecords(const std::string& path);
/// The same from text; `path` names it in errors.
Expected<RecordFile> parseRecords(std::string_view text, const std::string& path);

/// The key as in the records: as given, or with "vary." or "settings." before it; empty if no record has it.
std::string resolveKey(std::span<const RecordFile> files, const std::string& key);

/// Keys with a number in some record, as accepted by resolveKey; settings only if `settings`.
std::vector<std::string> numericKeys(std::span<const RecordFile> files, bool settings);

/// The key without "vary." and "settings.".
std::string_view bareKey(std::string_view key);

}  // namespace clothlab::records
