#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/output.hpp"
#include "experiments/race/race.hpp"
#include "experiments/systems/system_files.hpp"

/// A race in a folder, with everything needed to run it again.
namespace clothlab::experiments {

/// The names of all files of a bundle.
std::vector<std::string_view> raceBundleNames();
/// race.txt, race.csv, curves.csv, race.json, the files of `systemFiles`, and scene.toml with the active settings if
/// there is a scene. `race --system` runs it again, on any machine. `note` is the last line of race.txt.
Expected<void> writeRaceBundle(const OutputFolder& folder, const RaceResult& race, const linalg::FrozenSystem& system,
                               const scene::Scene& scene, const SystemOrigin* origin, const std::string& note = {});

}  // namespace clothlab::experiments
