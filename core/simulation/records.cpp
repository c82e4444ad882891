#include "simulation/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "base/input.hpp"
#include "scene/scene.hpp"
#include "simulation/json_text.hpp"

namespace clothlab::simulation {
namespace {

constexpr std::array<std::string_view, 2> kPrefixes{"vary.", "settings."};

/// Words for keys that do not say it themselves.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kLabels{{
    {"error_m", "largest distance from the reference (m)"},
    {"error_rms_m", "rms distance from the reference (m)"},
    {"ms_per_simulated_s", "time spent a simulated second (ms)"},
    {"iterations", "iterations a step"},
    {"mean_iterations", "iterations a step"},
    {"step_ms", "time a step (ms)"},
    {"mean_step_ms", "time a step (ms)"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSuffixes{
    {{"_ms", "ms"}, {"_j", "J"}, {"_m", "m"}, {"_s", "s"}}};

std::optional<FieldMeta> metaOf(std::string_view key) {
    scene::Scene scene;
    scene.cloths.emplace_back();
    const auto field = scene::overrideField(scene, key);
    return field ? std::optional(field->meta) : std::nullopt;
}

}  // namespace

Expected<RecordFile> readRecords(const std::string& path) {
    const auto content = readFile(path, kJsonLines);
    if (!content) return tl::unexpected(content.error());
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

std::string keyLabel(std::string_view key) {
    key = bareKey(key);
    for (const auto& [name, label] : kLabels)
        if (name == key) return std::string(label);
    if (const auto meta = metaOf(key))
        return fmt::format("{}{}", meta->label, meta->unit.empty() ? "" : fmt::format(" ({})", meta->unit));
    std::string unit;
    for (const auto& [suffix, name] : kSuffixes)
        if (unit.empty() && key.ends_with(suffix)) {
            unit = fmt::format(" ({})", name);
            key.remove_suffix(suffix.size());
        }
    std::string words(key);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words + unit;
}

std::string valueLabel(std::string_view key, const Value& value) {
    const double* number = std::get_if<double>(&value);
    if (!number) return std::get<std::string>(value);
    const auto meta = metaOf(bareKey(key));
    if (!meta) return fmt::format("{:.4g}", *number);
    const bool shown = !meta->display.unit.empty();
    const std::string_view unit = shown ? meta->display.unit : meta->unit;
    return fmt::format("{:.4g}{}{}", *number * (shown ? meta->display.scale : 1), unit.empty() ? "" : " ", unit);
}

}  // namespace clothlab::simulation
