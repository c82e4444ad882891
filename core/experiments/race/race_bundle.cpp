#include "experiments/race/race_bundle.hpp"

#include "experiments/race/race_text.hpp"

namespace clothlab::experiments {

std::vector<std::string_view> raceBundleNames() {
    std::vector<std::string_view> names(systemFileNames().begin(), systemFileNames().end());
    names.insert(names.end(), {"race.txt", "race.csv", "curves.csv", "race.json", "scene.toml"});
    return names;
}

Expected<void> writeRaceBundle(const OutputFolder& folder, const RaceResult& race, const linalg::FrozenSystem& system,
                               const scene::Scene& scene, const SystemOrigin* origin, const std::string& note) {
    auto made = systemFiles(system, scene.settings, origin);
    if (!made) return fail(made.error());
    NamedFiles files = std::move(*made);
    if (!scene.cloths.empty()) files.emplace_back("scene.toml", scene::writeScene(scene));
    files.emplace_back("race.txt", raceTable(race) + (note.empty() ? "" : note + "\n"));
    files.emplace_back("race.csv", raceCsv(race));
    files.emplace_back("curves.csv", raceCurvesCsv(race));
    files.emplace_back("race.json", toJson(race));
    return folder.write(files);
}

}  // namespace clothlab::experiments
