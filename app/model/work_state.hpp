#pragma once

#include <string>

#include "worker/jobs/jobs.hpp"

namespace clothlab::app::model {

/// State of the panel of work and precision.
struct WorkState {
    explicit WorkState(const worker::JobResults& results) : results_(results) {}

    experiments::WorkPrecisionRequest request;
    bool proposed = false;  ///< the integrators are a proposal, made since none were chosen
    bool fromStart = false, live = false;
    bool rms = false;       ///< rms distance from the reference, else the largest
    bool overStep = false;  ///< over the step size instead of the time spent
    bool choosingFile = false;
    bool choosing = false;  ///< in a low window: the choices replace the plot
    std::string path;       ///< last opened file, as typed

    /// Null before the first.
    const worker::WorkProgress* progress() const { return results_.of<worker::WorkProgress>(); }

private:
    const worker::JobResults& results_;
};

}  // namespace clothlab::app::model
