#pragma once

#include <string>

#include "experiments/work_precision.hpp"
#include "worker/job_results.hpp"

namespace clothlab::app::panels {

/// Work and precision as the panel has them.
struct WorkState {
    bool open = false;
    experiments::WorkPrecisionRequest request;
    bool fromStart = false, live = false;
    bool rms = false;       ///< which distance from the reference
    bool overStep = false;  ///< against the step size in place of the time spent
    bool choosingFile = false;
    bool choosing = false;                           ///< in a low window: the choices are shown in place of the plot
    std::string path;                                ///< of the file that was opened last, as typed
    const worker::WorkProgress* progress = nullptr;  ///< null before the first
};

}  // namespace clothlab::app::panels
