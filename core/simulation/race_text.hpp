#pragma once

#include <string>

#include "simulation/race.hpp"

/// A race for eyes, spreadsheets and programs.
namespace clothlab::simulation {

/// One table a tolerance, fastest first, with what the columns mean below.
std::string raceTable(const RaceResult& race);

/// One line a row, named columns, in the order in which they ran; no curves.
std::string raceCsv(const RaceResult& race);

/// {"scene", "step", "threads", ..., "rows": [{"solver", "method", "tolerance", "status", ..., "residuals", "ritz"}]}
std::string toJson(const RaceResult& race);

}  // namespace clothlab::simulation
