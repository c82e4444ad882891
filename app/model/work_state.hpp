#pragma once

#include <string>

#include "worker/jobs/jobs.hpp"

namespace clothlab::app::model {

/// Work and precision as the panel has them.
struct WorkState {
    explicit WorkState(const worker::JobResults& results) : results_(results) {}

    experiments::WorkPrecisionRequest request;
    bool proposed = false;  ///< integrators were chosen for whoever has not chosen yet
    bool fromStart = false, live = false;
    bool rms = false;       ///< which distance from the reference
    bool overStep = false;  ///< against the step size in place of the time spent
    bool choosingFile = false;
    bool choosing = false;  ///< in a low window: the choices are shown in place of the plot
    std::string path;       ///< of the file that was opened last, as typed

    /// Null before the first.
    const worker::WorkProgress* progress() const { return results_.of<worker::WorkProgress>(); }

private:
    const worker::JobResults& results_;
};

}  // namespace clothlab::app::model
