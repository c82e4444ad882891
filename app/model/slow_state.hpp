#pragma once

#include <vector>

#include "worker/jobs/jobs.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::model {

/// Slow motion as the panel has it: what is asked for, and the answer that is shown.
struct SlowState {
    using Measure = experiments::SlowMotion::Measure;

    explicit SlowState(const worker::JobResults& results) : results_(results) {}

    bool playing = false;
    std::size_t frame = 0;     ///< of the method that has more of them
    double exaggeration = 10;  ///< of the error
    Measure measure = Measure::Error;
    experiments::Contestant own;         ///< what solved the step that was asked for last, parameters included
    experiments::Contestant methods[2];  ///< wanted at the left and at the right
    std::uint64_t request = 0;           ///< what was asked for last
    std::uint64_t opened = 0;         ///< what was asked for when the panel opened: older answers are of another look
    double largestError[2] = {0, 0};  ///< of what is drawn, m/s

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
    /// The step shown may have been made by another method than the one before: the side that showed its own follows.
    void follow(const worker::Snapshot& now);
    /// The methods to choose from: MPCG and reduced PCG with each preconditioner that they take, to the tolerance of
    /// the step, the solver of the step first; before them the step's own method where it is none of these.
    std::vector<experiments::Contestant> choices() const;

    std::size_t frames() const;
    /// The frame of a side that goes with `frame`: the last iterate that is not beyond.
    std::size_t frameOf(std::size_t side) const;

private:
    const worker::JobResults& results_;
};

}  // namespace clothlab::app::model
