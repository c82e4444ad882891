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
    bool live = false;  ///< measures while the cloth moves
};
/// Shows a sweep's file instead of a measurement.
struct OpenWork {
    std::string path;
};
/// Writes a finished or stopped measurement.
struct SaveWork {
    std::string path;
};

/// Progress and records of a measurement of work and precision, or of a file.
struct WorkProgress {
    std::uint64_t serial = 0;  ///< counts measurements and files
    bool running = false, live = false;
    double share = 0;             ///< 0 to 1, of the steps that are done
    std::string now;              ///< name of the current run
    std::string title;            ///< scene and state, or the file
    StepOrigin origin;            ///< start of the runs; none for a file
    int threads = 0;              ///< 0 = of a file
    records::RecordFile records;  ///< one record per run, as `plot` reads them
    std::string problem;          ///< why there are none, or why they end; or empty
    std::string saved;            ///< where they were written
};

struct WorkJob : JobKind<std::variant<StartWork, OpenWork, SaveWork>, WorkProgress> {
    static std::unique_ptr<Job> make();
};

}  // namespace clothlab::app::worker
