#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "records/entries.hpp"

/// What `run --report` and `sweep` write, read back.
namespace clothlab::records {

struct RecordFile {
    std::string name;              ///< path
    std::vector<Entries> records;  ///< a line each, flat: "vary.integrator.dt", "settings.solver.kind"
    std::vector<int> lines = {};   ///< of the file, from 1; empty where the records are of none
};

/// Every line is a JSON object, or it is an Error with its number; the last one may be half, as a killed sweep leaves
/// it.
Expected<RecordFile> readRecords(const std::string& path);
/// The same from text; `path` names it in errors.
Expected<RecordFile> parseRecords(std::string_view text, const std::string& path);

/// The key as the records have it: as given, or without its "vary." or "settings."; empty when no record has it.
std::string resolveKey(std::span<const RecordFile> files, const std::string& key);

/// Keys under which some record has a number, as they are given to resolveKey; settings only where `settings`.
std::vector<std::string> numericKeys(std::span<const RecordFile> files, bool settings);

/// The key without "vary." and "settings.".
std::string_view bareKey(std::string_view key);

}  // namespace clothlab::records
