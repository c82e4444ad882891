#pragma once

#include <span>
#include <string>

#include "experiments/race/race_columns.hpp"

/// A race as a table, CSV and JSON.
namespace clothlab::experiments {

/// One table per tolerance, fastest first, with the meaning of the columns below.
std::string raceTable(const RaceResult& race);

/// One line per row, named columns, in the order of the runs; no curves.
std::string raceCsv(const RaceResult& race);
/// The same for some of its rows.
std::string raceCsv(std::span<const RaceEntry> entries);
/// One line per iterate of each row: ms from the start of the set-up, relative residual, relative energy norm of the
/// error.
std::string raceCurvesCsv(const RaceResult& race);

/// {"scene", "step", "threads", ..., "rows": [{"solver", "method", "tolerance", "status", ..., "residuals", "ritz"}]}
std::string toJson(const RaceResult& race);

}  // namespace clothlab::experiments
