#include "model/motion_plot.hpp"

namespace clothlab::app::model {
namespace {

constexpr MotionPlotEntry kMotionPlots[] = {
    {MotionPlot::Ghost, "ghost", "Distance to the ghost", 1.5f},
    {MotionPlot::Residual, "residual", "Residual of the solve", 1.25f},
    {MotionPlot::Iterations, "iterations", "Iterations per step", 0.9f},
    {MotionPlot::TimeStep, "dt", "Time step", 1.2f},
    {MotionPlot::Components, "components", "Components", 1.1f},
    {MotionPlot::Stages, "stages", "Time per step", 1.15f},
    {MotionPlot::Energy, "energy", "Energy", 1.15f},
    {MotionPlot::Also, "also", "Another number", 1.0f},
    {MotionPlot::Strain, "strain", "Largest strain", 1.35f},
};

}  // namespace

std::span<const MotionPlotEntry> motionPlots() { return kMotionPlots; }

}  // namespace clothlab::app::model
