#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contact/collider.hpp"
#include "experiments/race.hpp"
#include "experiments/slow_motion.hpp"
#include "experiments/sparsity.hpp"
#include "records/record_file.hpp"

/// What the background jobs answer, as plain values: panels read them, and know neither the jobs nor a simulation.
namespace clothlab::app::worker {

/// How far a race has come; each row makes a new one.
struct RaceProgress {
    std::uint64_t serial = 0;  ///< of the race
    bool running = false;
    double share = 0;
    experiments::RaceResult result;
    std::string problem;  ///< why there is no race, or empty
    std::string saved;    ///< folder of the bundle once it is written
};

/// The iterates of a step with what stood around the cloth at its end, or why there are none.
struct SlowMotionResult {
    std::uint64_t request = 0;  ///< what it answers
    std::uint64_t mesh = 0;     ///< revision of the mesh that it is of
    experiments::SlowMotion motion;
    std::vector<Index> pins;
    std::vector<contact::ColliderPose> colliders;
    std::string problem;
};

/// The blocks of a matrix, and a raster of them: cells x cells, 0 = nothing, else BlockKind + 1.
struct SparsityResult {
    experiments::Sparsity blocks;
    int cells = 0;
    std::vector<std::uint8_t> raster;
    std::string problem;
};

/// How far a measurement of work and precision has come, or what a file has of one.
struct WorkProgress {
    std::uint64_t serial = 0;  ///< counts measurements and files
    bool running = false, live = false;
    double share = 0;             ///< of the steps
    std::string now;              ///< what runs
    std::string title;            ///< scene and state, or the file
    int threads = 0;              ///< 0 = of a file
    records::RecordFile records;  ///< a record a run, as `plot` reads them
    std::string problem;          ///< why there are none, or no more of them; or empty
    std::string saved;            ///< where they were written
};

}  // namespace clothlab::app::worker
