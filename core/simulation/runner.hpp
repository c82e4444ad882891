#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/output.hpp"
#include "records/entries.hpp"
#include "simulation/simulation.hpp"

namespace clothlab::simulation {

struct RunOptions {
    int steps = -1;             ///< negative = the scene's own
    bool findsCure = false;     ///< after a failed step, search for a cure (cure.hpp)
    std::string reportFile;     ///< NDJSON, one line per step; empty = none
    std::string positionsFile;  ///< by its ending, see records::createPositions; empty = none
    int every = 1;              ///< of positionsFile: the state before the first step, and after every n-th step
    InputFiles inputs = {};     ///< none of which may be an output
    std::function<void(const StepReport&)> onStep = {};
    int branchAt = -1;                               ///< from this step on a second cloth runs, too; negative = none
    std::optional<scene::Settings> branchWith = {};  ///< its settings
    std::function<void()> beforeStep = {}, afterStep = {};  ///< around each step, outside the timing
    std::stop_token stop = {};                              ///< ends the run after the steps completed so far
};

struct RunSummary {
    std::string scene;
    int steps = 0;                                                 ///< taken
    integrators::StepStatus status = integrators::StepStatus::Ok;  ///< the worst
    std::vector<std::string> warnings = {};                        ///< of the start and of steps, sentences
    int unconverged = 0;                                           ///< steps
    double timeSeconds = 0;                                        ///< simulated
    double totalMs = 0, realTimeFactor = 0;
    records::Entries numbers;  ///< summaries of the report columns: "mean_iterations", "total_j", "max_strain" ...
    std::uint64_t stateHash = 0;
    double ghostDistance = -1, ghostRms = -1;  ///< m, at the end; negative = no branch, or its cloth has stopped
    std::string ghostProblem;                  ///< why it stopped
    int threads = 1;
    std::string message;                 ///< of the step that stopped the run
    std::string endedBy;                 ///< cause of an early end: "diverged", "signal 15", a disk error; empty = none
    std::optional<Error> outputProblem;  ///< why an output failed; what was written before is kept
};

/// Runs steps without a window. An Error means that the run, or its second cloth, could not begin. When an output fails
/// the run ends at once, its files keep the complete steps so far, and the summary says why.
Expected<RunSummary> run(Simulation& simulation, const RunOptions& options);

}  // namespace clothlab::simulation
