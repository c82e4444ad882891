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
    bool live = false;  ///< times are taken while the cloth moves
};
/// Writes the bundle of a race that is over into a folder; of no other race than the one shown.
struct SaveRace {
    std::string folder;
    std::uint64_t serial = 0;  ///< of the race
};

/// How far a race has come; each row makes a new one.
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
