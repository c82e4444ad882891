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

/// Into a folder, which is made: race.txt, race.csv, race.json, the files of `exportSystem`, and scene.toml with the settings
/// in force where there is a scene. `race --system` runs it again, here or elsewhere. `note` is the last line of race.txt.
Expected<void> writeRaceBundle(const std::string& folder, const RaceResult& race, const linalg::FrozenSystem& system,
                               const scene::Scene& scene, const std::string& note = {});

}  // namespace clothlab::simulation
