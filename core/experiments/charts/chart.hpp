#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "records/record_file.hpp"

/// Curves from reports and sweeps: which keys, which runs make one curve. Drawing is somebody else's.
namespace clothlab::experiments {

struct ChartCurve {
    std::string name;
    std::vector<double> x, y;  ///< x ascending, or where the points have labels that are numbers these descending; of
                               ///< reports a y that was not measured is NaN
    std::vector<std::string> labels;        ///< of the points; empty, or as many
    std::vector<std::size_t> records = {};  ///< of sweeps: which record a point is, counted over all files
    /// A run of a sweep that did not come to its end.
    struct Lost {
        double x;           ///< NaN where it has none
        std::string label;  ///< as of the points
        std::size_t record;
    };
    std::vector<Lost> lost = {};
};

struct Chart {
    std::string xKey, yKey;      ///< several y keys are joined by '+'
    std::string xLabel, yLabel;  ///< with unit
    std::string note;            ///< what the points are, and what was left out
    bool logX = false, logY = false;
    bool marks = false, lines = true;
    std::vector<ChartCurve> curves;
};

struct ChartRequest {
    std::string x;
    std::vector<std::string> y;      ///< a chart each; "a+b": two curves in one
    std::vector<std::string> by;     ///< of sweeps: a curve for each combination of their values
    bool labels = false;             ///< choices are named as in the window, else by their keys
    std::optional<bool> logX, logY;  ///< otherwise by the values: all positive, and a decade apart
};

/// What is not asked for is chosen. Reports: over time, iterations, residual, stages and energies, a curve a file where
/// there are several. Sweeps: error against milliseconds where there is a reference (work and precision), else
/// iterations and milliseconds over the first varied number; a curve for each combination of what else is varied. An
/// Error names the keys that have numbers.
Expected<std::vector<Chart>> makeCharts(std::span<const records::RecordFile> files, const ChartRequest& request);

/// A line a point: x_key, y_key, curve, x, y, label.
std::string chartsCsv(std::span<const Chart> charts);

}  // namespace clothlab::experiments
