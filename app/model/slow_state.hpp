#pragma once

#include <vector>

#include "worker/jobs/jobs.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::model {

/// State of the panel of slow motion: the request, and the answer shown.
struct SlowState {
    using Measure = experiments::SlowMotion::Measure;

    explicit SlowState(const worker::JobResults& results) : results_(results) {}

    bool playing = false;
    std::size_t frame = 0;     ///< of the method that has more of them
    double exaggeration = 10;  ///< of the error
    Measure measure = Measure::Error;
    experiments::Contestant own;         ///< the method of the last requested step, parameters included
    experiments::Contestant methods[2];  ///< wanted at the left and at the right
    std::uint64_t request = 0;           ///< the last request
    std::uint64_t opened = 0;            ///< request when the panel opened: older answers are ignored
    double largestError[2] = {0, 0};     ///< of what is drawn, m/s

    /// The last answer, or null.
    const worker::SlowMotionResult* result() const { return results_.of<worker::SlowMotionResult>(); }

    /// The answer to draw: null while there is none, or when it has no iterates.
    const worker::SlowMotionResult* shown() const {
        return result() && result()->request >= opened && result()->problem.empty() ? result() : nullptr;
    }
    bool pending() const { return !result() || result()->request != request; }
    /// Why there is nothing to show, or empty.
    std::string problem() const { return pending() ? "" : result()->problem; }

    /// Opens with the methods for the step shown: its own, and one to compare it with on the same system.
    void choose(const worker::Snapshot& now);
    /// If the method of the step shown has changed, the side that showed the step's own method follows.
    void follow(const worker::Snapshot& now);
    /// The methods to choose from: MPCG and reduced PCG with each preconditioner that they accept, to the tolerance of
    /// the step, the solver of the step first; before them the step's own method if it is not one of these.
    std::vector<experiments::Contestant> choices() const;

    std::size_t frames() const;
    /// The frame of a side that goes with `frame`: the last iterate that is not beyond.
    std::size_t sideFrame(std::size_t side) const;

private:
    const worker::JobResults& results_;
};

}  // namespace clothlab::app::model
