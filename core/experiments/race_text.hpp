#pragma once

#include <string>

#include "base/output.hpp"
#include "experiments/race.hpp"
#include "experiments/system_files.hpp"

/// A race for eyes, spreadsheets and programs.
namespace clothlab::experiments {

/// One table a tolerance, fastest first, with what the columns mean below.
std::string raceTable(const RaceResult& race);

/// One line a row, named columns, in the order in which they ran; no curves.
std::string raceCsv(const RaceResult& race);

/// {"scene", "step", "threads", ..., "rows": [{"solver", "method", "tolerance", "status", ..., "residuals", "ritz"}]}
std::string toJson(const RaceResult& race);

/// The names of all files of a bundle.
std::vector<std::string_view> raceBundleNames();
/// race.txt, race.csv, race.json, the files of `systemFiles`, and scene.toml with the active settings where there is a
/// scene. `race --system` runs it again, here or elsewhere. `note` is the last line of race.txt.
Expected<void> writeRaceBundle(const OutputFolder& folder, const RaceResult& race, const linalg::FrozenSystem& system,
                               const scene::Scene& scene, const SystemOrigin* origin, const std::string& note = {});

}  // namespace clothlab::experiments
