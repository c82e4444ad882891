#include "model/motion_plot.hpp"

#include <array>

namespace clothlab::app::model {
namespace {

/// Shares of the height of the column, in the order of the enum.
constexpr float kShares[] = {1.5f, 1.25f, 0.9f, 1.2f, 1.1f, 1.15f, 1.15f, 1.0f, 1.35f};
static_assert(std::size(kShares) == lessons::kMotionPlots.size());

constexpr auto kMotionPlots = [] {
    std::array<MotionPlotEntry, lessons::kMotionPlots.size()> entries{};
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const EnumEntry& name = lessons::kMotionPlots[k];
        entries[k] = {MotionPlot(name.value), name.key, name.label, kShares[k]};
    }
    return entries;
}();

}  // namespace

std::span<const MotionPlotEntry> motionPlots() { return kMotionPlots; }

}  // namespace clothlab::app::model
