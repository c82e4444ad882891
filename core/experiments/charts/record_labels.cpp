#include "experiments/charts/record_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "records/record_file.hpp"
#include "scene/scene.hpp"
#include "simulation/report_columns.hpp"

namespace clothlab::experiments {
namespace {

/// Words for keys that do not say it themselves.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kLabels{{
    {"error_m", "largest distance from the reference (m)"},
    {"error_rms_m", "rms distance from the reference (m)"},
    {"ms_per_simulated_s", "computing time per simulated second (ms)"},
    {kStepTaken, "step taken (s)"},
    {"slack_changes", "springs that turned slack or taut"},
    {"contact_steps", "steps with contact"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSuffixes{
    {{"_ms", "ms"}, {"_j", "J"}, {"_m", "m"}, {"_s", "s"}}};

/// What a step reports, or a run of it: "mean_solve_ms", "contact_ms_p95".
std::optional<std::string> reportLabel(std::string_view key) {
    const auto label = [](std::string_view words, const simulation::ReportColumn& column) {
        return fmt::format("{}{}{}", words, column.label, column.unit.empty() ? "" : fmt::format(" ({})", column.unit));
    };
    if (key.ends_with(simulation::kSpreadStep))
        if (const auto* column = simulation::findColumn(key.substr(0, key.size() - simulation::kSpreadStep.size())))
            return fmt::format("step of the largest {}", column->label);
    for (const simulation::SpreadPart& part : simulation::kSpreadParts)
        if (key.ends_with(part.suffix))
            if (const auto* column = simulation::findColumn(key.substr(0, key.size() - part.suffix.size())))
                return label(fmt::format("{} of ", part.words), *column);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSums{
        {{"", ""}, {"mean_", "mean "}, {"peak_", "largest "}, {"start_", "first "}}};
    for (const auto& [prefix, word] : kSums) {
        if (!key.starts_with(prefix)) continue;
        const simulation::ReportColumn* column = simulation::findColumn(key.substr(prefix.size()));
        if (column) return label(word, *column);
    }
    return {};
}

struct Known {
    FieldMeta meta;
    std::span<const EnumEntry> choices;  ///< of a choice
};

std::optional<Known> findKnown(std::string_view key) {
    scene::Scene scene;
    scene.cloths.emplace_back();
    const auto field = scene::overrideField(scene, key);
    if (!field) return {};
    const EnumRef* choice = std::get_if<EnumRef>(&field->ref);
    return Known{field->meta, choice ? choice->table : std::span<const EnumEntry>()};
}

}  // namespace

std::string keyLabel(std::string_view key) {
    key = records::bareKey(key);
    for (const auto& [name, label] : kLabels)
        if (name == key) return std::string(label);
    if (auto label = reportLabel(key)) return *label;
    if (const auto known = findKnown(key))
        return fmt::format("{}{}", known->meta.label,
                           known->meta.unit.empty() ? "" : fmt::format(" ({})", known->meta.unit));
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

std::string valueLabel(std::string_view key, const records::Value& value) {
    const double* number = std::get_if<double>(&value);
    if (!number) return std::get<std::string>(value);
    if (key == kStepTaken) return fmt::format("{:.3g} ms", 1e3 * *number);
    const auto known = findKnown(records::bareKey(key));
    if (!known) return fmt::format("{:.4g}", *number);
    const bool shown = !known->meta.display.unit.empty();
    const std::string_view unit = shown ? known->meta.display.unit : known->meta.unit;
    return fmt::format("{:.4g}{}{}", *number * (shown ? known->meta.display.scale : 1), unit.empty() ? "" : " ", unit);
}

std::string choiceLabel(std::string_view key, const records::Value& value) {
    if (const std::string* text = std::get_if<std::string>(&value))
        if (const auto known = findKnown(records::bareKey(key)))
            for (const EnumEntry& entry : known->choices)
                if (entry.key == *text) return std::string(entry.label);
    return valueLabel(key, value);
}

}  // namespace clothlab::experiments
