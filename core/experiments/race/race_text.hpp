#pragma once

#include <span>
#include <string>

#include "experiments/race/race_columns.hpp"

/// A race for eyes, spreadsheets and programs.
namespace clothlab::experiments {

/// One table a tolerance, fastest first, with what the columns mean below.
std::string raceTable(const RaceResult& race);

/// One line a row, named columns, in the order in which they ran; no curves.
std::string raceCsv(const RaceResult& race);
/// Some of its rows.
std::string raceCsv(std::span<const RaceEntry> entries);
/// One line an iterate of each row: ms from the start of the set-up, relative residual, relative energy norm of the
/// error.
std::string raceCurvesCsv(const RaceResult& race);

/// {"scene", "step", "threads", ..., "rows": [{"solver", "method", "tolerance", "status", ..., "residuals", "ritz"}]}
std::string toJson(const RaceResult& race);

}  // namespace clothlab::experiments
