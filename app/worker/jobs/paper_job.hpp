#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "papers/reproduction.hpp"
#include "worker/jobs/background_job.hpp"

namespace clothlab::app::worker {

/// Computes a paper's table again.
struct StartTable {
    std::string name;
    papers::ReproduceOptions options;
};

/// Ends it; the finished sets of a table of random sets stay.
struct StopTable {};

/// Progress, or the table.
struct TableProgress {
    std::uint64_t serial = 0;  ///< counts requests
    std::string name;
    bool running = false, quick = false, stopped = false;
    double share = 0;
    std::string now;                                    ///< what is being computed
    std::shared_ptr<const papers::Reproduction> table;  ///< null until it is there
    double seconds = 0;
    std::string problem;  ///< why there is none, or empty
};

struct PaperJob : JobKind<std::variant<StartTable, StopTable>, TableProgress> {
    static std::unique_ptr<Job> make();
};

}  // namespace clothlab::app::worker
