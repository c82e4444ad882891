#include "records/record_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "base/input.hpp"
#include "records/json_line.hpp"

namespace clothlab::records {
namespace {

constexpr std::array<std::string_view, 2> kPrefixes{"vary.", "settings."};

}  // namespace

Expected<RecordFile> readRecords(const std::string& path) {
    const auto content = readFile(path, kJsonLines);
    if (!content) return fail(content.error());
    return parseRecords(*content, path);
}

Expected<RecordFile> parseRecords(std::string_view text, const std::string& path) {
    RecordFile file{.name = path, .records = {}};
    int number = 0;
    for (std::size_t start = 0; start < text.size();) {
        ++number;
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view line = text.substr(start, end - start);
        start = end + 1;
        if (line.empty()) continue;
        auto record = readJsonLine(line);
        const bool half = end == text.size() && !file.records.empty() && line.front() == '{';
        if (!record && !half)
            return fail(
                Error{.message = fmt::format("{}: each line is a JSON object, as `run --report` and `sweep` write it",
                                             record.error().message),
                      .file = path,
                      .line = number,
                      .column = record.error().column});
        if (!record) break;
        file.records.push_back(std::move(*record));
        file.lines.push_back(number);
    }
    if (file.records.empty()) return fail(Error{.message = "there is no line to plot", .file = path});
    return file;
}

std::string_view bareKey(std::string_view key) {
    for (const std::string_view prefix : kPrefixes)
        if (key.starts_with(prefix)) return key.substr(prefix.size());
    return key;
}

std::string resolveKey(std::span<const RecordFile> files, const std::string& key) {
    for (const std::string& candidate : {key, std::string(kPrefixes[0]) + key, std::string(kPrefixes[1]) + key})
        for (const RecordFile& file : files)
            for (const Entries& record : file.records)
                if (findEntry(record, candidate)) return candidate;
    return {};
}

std::vector<std::string> numericKeys(std::span<const RecordFile> files, bool settings) {
    std::vector<std::string> keys;
    std::unordered_set<std::string> known;
    for (const RecordFile& file : files)
        for (const Entries& record : file.records)
            for (const auto& [key, value] : record) {
                const double* number = std::get_if<double>(&value);
                if (!number || !std::isfinite(*number) || key.starts_with("sweep.")) continue;
                if (key.starts_with("settings.") && !settings) continue;
                std::string bare(bareKey(key));
                if (!bare.empty() && known.insert(bare).second) keys.push_back(std::move(bare));
            }
    return keys;
}

}  // namespace clothlab::records
