#pragma once

#include <cstdint>
#include <string>

#include "experiments/race/race.hpp"
#include "worker/jobs/background_job.hpp"
#include "worker/jobs/step_origin.hpp"

namespace clothlab::app::worker {

/// Freezes the system of the step that led to the present state, and runs every method on it.
struct StartRace {
    experiments::RaceOptions options;
    bool live = false;  ///< measures while the cloth moves
};
/// Writes the bundle of the finished race shown into a folder.
struct SaveRace {
    std::string folder;
    std::uint64_t serial = 0;  ///< of the race
};

/// Progress of a race; each row publishes a new one.
struct RaceProgress {
    std::uint64_t serial = 0;  ///< of the race
    bool running = false;
    double share = 0;
    StepOrigin origin;
    experiments::RaceResult result;
    std::string problem;  ///< why there is no race, or empty
    std::string saved;    ///< folder of the bundle once it is written
};

struct RaceJob : JobKind<std::variant<StartRace, SaveRace>, RaceProgress> {
    static std::unique_ptr<Job> make();
};

}  // namespace clothlab::app::worker
