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
    InputFiles inputs = {};     ///< that `out` must not be
    std::stop_token stop = {};  ///< ends the step that is under way; nothing is written then
    /// Before each run: how many are done, of how many.
    std::function<void(int, int)> progress = {};
};

struct SheetSummary {
    int pictures = 0, rows = 0, columns = 0;
    int failed = 0;  ///< runs that did not come to their end: drawn as far as they came, and said so
    bool stopped = false;
};

/// A contact sheet: a picture of the last state of each run of a grid over one or two keys, one beside the other, with
/// what was varied under each. Two keys: the first goes down, the second goes across.
Expected<SheetSummary> drawContactSheet(const experiments::SweepPlan& plan, const SheetOptions& options);

/// Rows and columns of so many pictures.
struct SheetGrid {
    int rows = 1, columns = 1;
};
SheetGrid sheetGrid(const experiments::SweepPlan& plan);

}  // namespace clothlab::app::film
