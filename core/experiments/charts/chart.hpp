#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "records/record_file.hpp"

/// Curves from reports and sweeps: which keys, and which runs make one curve. Drawing is done elsewhere.
namespace clothlab::experiments {

struct ChartCurve {
    std::string name;
    std::vector<double> x, y;  ///< x ascending, or where the points have labels that are numbers these descending; of
                               ///< reports a y that was not measured is NaN
    std::vector<std::string> labels;        ///< of the points; empty, or as many
    std::vector<std::size_t> records = {};  ///< of sweeps: which record a point is, counted over all files
    /// A run of a sweep that did not finish.
    struct Lost {
        double x;           ///< NaN if it has none
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
    std::vector<std::string> y;      ///< one chart each; "a+b": two curves in one
    std::vector<std::string> by;     ///< for sweeps: one curve for each combination of their values
    bool labels = false;             ///< choices by their labels in the window, otherwise by their keys
    std::optional<bool> logX, logY;  ///< otherwise by the values: all positive, and a decade apart
};

/// Defaults for everything left open. Reports: over time, iterations, residual, stages and energies, one curve per file
/// if there are several. Sweeps: error against milliseconds if there is a reference (work and precision), otherwise
/// iterations and milliseconds over the first varied number; one curve for each combination of the other varied values.
/// An Error names the keys that have numbers.
Expected<std::vector<Chart>> makeCharts(std::span<const records::RecordFile> files, const ChartRequest& request);

/// One line per point: x_key, y_key, curve, x, y, label.
std::string chartsCsv(std::span<const Chart> charts);

}  // namespace clothlab::experiments
