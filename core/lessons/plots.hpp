#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_table.hpp"

/// The possible subjects of a lesson (`plot = "energy"`): a plot of the motion, a column of reports, or a panel over
/// the cloth with one plot or picture. The window's tables take their names from here.
namespace clothlab::lessons {

/// The plots of a motion and its solves, in the order of the window's column.
enum class MotionPlot : int { Ghost, Residual, Iterations, TimeStep, Components, Stages, Energy, Also, Strain };
inline constexpr std::array kMotionPlots{
    EnumEntry{int(MotionPlot::Ghost), "ghost", "Distance to the ghost"},
    EnumEntry{int(MotionPlot::Residual), "residual", "Residual of the solve"},
    EnumEntry{int(MotionPlot::Iterations), "iterations", "Iterations per step"},
    EnumEntry{int(MotionPlot::TimeStep), "dt", "Time step"},
    EnumEntry{int(MotionPlot::Components), "components", "Components"},
    EnumEntry{int(MotionPlot::Stages), "stages", "Time per step"},
    EnumEntry{int(MotionPlot::Energy), "energy", "Energy"},
    EnumEntry{int(MotionPlot::Also), "also", "Another number"},
    EnumEntry{int(MotionPlot::Strain), "strain", "Largest strain"},
};
constexpr std::span<const EnumEntry> enumTable(MotionPlot) { return kMotionPlots; }

/// Panels over the cloth, by the window's keys.
enum class PanelPlot : int { Race, Descent, SlowMotion, Matrix, TwoUnknowns };
inline constexpr std::array kPanelPlots{
    EnumEntry{int(PanelPlot::Race), "race", "Race"},
    EnumEntry{int(PanelPlot::Descent), "descent", "Descent"},
    EnumEntry{int(PanelPlot::SlowMotion), "slow", "Slow motion"},
    EnumEntry{int(PanelPlot::Matrix), "sparsity", "Matrix"},
    EnumEntry{int(PanelPlot::TwoUnknowns), "quadratic", "Two unknowns"},
};
constexpr std::span<const EnumEntry> enumTable(PanelPlot) { return kPanelPlots; }

bool isPanelPlot(std::string_view name);
/// Whether a lesson can have it as its plot.
bool isPlot(std::string_view name);
/// The valid names, for messages.
std::vector<std::string> plotNames();

}  // namespace clothlab::lessons
