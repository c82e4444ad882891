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
    bool findsCure = false;     ///< after a step that failed, what would cure it is tried (cure.hpp)
    std::string reportFile;     ///< NDJSON, one line a step; empty = none
    std::string positionsFile;  ///< by its ending, see records::createPositions; empty = none
    int every = 1;              ///< of positionsFile: the state before the first step and that after each so many steps
    InputFiles inputs = {};     ///< that no output may be
    std::function<void(const StepReport&)> onStep = {};
    int branchAt = -1;  ///< from this step on a second cloth goes on beside it; negative = none
    std::optional<scene::Settings> branchWith = {};         ///< its settings
    std::function<void()> beforeStep = {}, afterStep = {};  ///< around each step, outside of what is timed
    std::stop_token stop = {};  ///< ends the run as if it had been as long as the whole steps so far
};

struct RunSummary {
    std::string scene;
    int steps = 0;                                                 ///< taken
    integrators::StepStatus status = integrators::StepStatus::Ok;  ///< the worst
    std::vector<std::string> warnings = {};                        ///< of the start and of steps, sentences
    int unconverged = 0;                                           ///< steps
    double timeSeconds = 0;                                        ///< simulated
    double totalMs = 0, realTimeFactor = 0;
    records::Entries numbers;  ///< what the report columns sum up: "mean_iterations", "total_j", "max_strain" ...
    std::uint64_t stateHash = 0;
    double ghostDistance = -1, ghostRms = -1;  ///< m, at the end; negative = no branch, or its cloth has stopped
    std::string ghostProblem;                  ///< why it has
    int threads = 1;
    std::string message;  ///< of the step that stopped the run
    std::string
        endedBy;  ///< what ended it before its last step: "diverged", "signal 15", what the disk said; empty = nothing
    std::optional<Error> outputProblem;  ///< why an output took no more; what it had taken is there
};

/// Steps without a window. An Error means that the run, or its second cloth, could not begin. When an output takes no
/// more the run ends at once, its files keep the whole steps so far, and the summary says why.
Expected<RunSummary> run(Simulation& simulation, const RunOptions& options);

}  // namespace clothlab::simulation
