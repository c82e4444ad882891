#pragma once

#include <cstdint>
#include <string>

#include "experiments/sweep/work_precision.hpp"
#include "records/record_file.hpp"
#include "worker/jobs/background_job.hpp"
#include "worker/jobs/step_origin.hpp"

namespace clothlab::app::worker {

/// Measures work and precision of integrators, from the present state or from the scene's start.
struct StartWork {
    experiments::WorkPrecisionRequest request;
    bool fromStart = false;
    bool live = false;  ///< times are taken while the cloth moves
};
/// A sweep's file in place of what was measured.
struct OpenWork {
    std::string path;
};
/// Writes what was measured, once that is over or stopped.
struct SaveWork {
    std::string path;
};

/// How far a measurement of work and precision has come, or what a file has of one.
struct WorkProgress {
    std::uint64_t serial = 0;  ///< counts measurements and files
    bool running = false, live = false;
    double share = 0;             ///< of the steps
    std::string now;              ///< what runs
    std::string title;            ///< scene and state, or the file
    StepOrigin origin;            ///< where the runs begin; of a file none
    int threads = 0;              ///< 0 = of a file
    records::RecordFile records;  ///< a record a run, as `plot` reads them
    std::string problem;          ///< why there are none, or no more of them; or empty
    std::string saved;            ///< where they were written
};

struct WorkJob : JobKind<std::variant<StartWork, OpenWork, SaveWork>, WorkProgress> {
    static std::unique_ptr<Job> make();
};

}  // namespace clothlab::app::worker
