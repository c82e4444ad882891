#include "lessons/plots.hpp"

#include <algorithm>

#include "simulation/report_columns.hpp"

namespace clothlab::lessons {
namespace {

bool isIn(std::span<const EnumEntry> table, std::string_view name) {
    return std::ranges::find(table, name, &EnumEntry::key) != table.end();
}

/// That of another number is named by the number.
constexpr std::string_view kAnother = enumKey(MotionPlot::Also);

}  // namespace

bool isPanelPlot(std::string_view name) { return isIn(kPanelPlots, name); }

bool isPlot(std::string_view name) {
    return isPanelPlot(name) || (name != kAnother && isIn(kMotionPlots, name)) || simulation::findColumn(name);
}

std::vector<std::string> plotNames() {
    std::vector<std::string> names;
    for (const EnumEntry& entry : kMotionPlots)
        if (entry.key != kAnother) names.emplace_back(entry.key);
    for (const EnumEntry& entry : kPanelPlots) names.emplace_back(entry.key);
    names.emplace_back("a column of reports");
    return names;
}

}  // namespace clothlab::lessons
