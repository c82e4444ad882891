#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/output.hpp"
#include "experiments/sweep/sweep_plan.hpp"
#include "scene/overlay.hpp"

namespace clothlab::app::film {

struct SheetOptions {
    std::string out;  ///< .png
    int width = 1920, height = 1080;
    int threads = 1;
    scene::OverlayKind overlay = scene::OverlayKind::None;
    bool lightTheme = false;
    std::string shaderFolder;
    InputFiles inputs = {};     ///< files that `out` must not overwrite
    std::stop_token stop = {};  ///< ends the current step; nothing is written then
    /// Called before each run with the runs done and their total.
    std::function<void(int, int)> progress = {};
};

struct SheetSummary {
    int pictures = 0, rows = 0, columns = 0;
    int failed = 0;  ///< runs that ended early: drawn at their last state, and marked so
    bool stopped = false;
};

/// A contact sheet: pictures of the last state of each run of a grid over one or two keys, with the varied values under
/// each. Of two keys the first varies by row, the second by column.
Expected<SheetSummary> drawContactSheet(const experiments::SweepPlan& plan, const SheetOptions& options);

/// Rows and columns of the sheet.
struct SheetGrid {
    int rows = 1, columns = 1;
};
SheetGrid sheetGrid(const experiments::SweepPlan& plan);

}  // namespace clothlab::app::film
