#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/output.hpp"
#include "experiments/sweep/sweep_plan.hpp"
#include "simulation/runner.hpp"

namespace clothlab::experiments {

/// One run of a sweep: a line of its file.
struct SweepRow {
    int run = 0;
    records::Entries vary;
    simulation::RunSummary summary;  ///< of the fastest repeat
    int repeats = 0;                 ///< runs made
    double slowestMs = 0;            ///< slowest repeat; summary.totalMs is the fastest
    scene::Settings settings;        ///< active
    Index particles = 0;
    double stepTaken = 0;  ///< s, the mean: a substep where the method divides its steps
    /// With a reference, events that spoil the order of the error: how often a spring turned slack or taut from one
    /// step to the next, and steps with particles in contact. Negative: not counted.
    std::int64_t slackChanges = -1, contactSteps = -1;
    std::string refusal;  ///< why it could not even start; the summary is then empty
    /// Status of the reference's run ("refused" when it could not start); empty without a reference.
    std::string referenceStatus;
    /// m, distance from the reference at the end, over the particles; negative: not measured.
    double largestError = -1, rmsError = -1;
};

/// The line: run, vary, the summary of `run --json` with its settings, error_m and error_rms_m, and the identity of the
/// sweep.
std::string toJsonLine(const SweepRow& row, const records::Entries& identity);

/// Callbacks of a runner. References are not timed.
struct RunnerHooks {
    std::stop_token stop = {};                                        ///< ends the current step
    std::function<void(bool timed)> beforeStep = {}, afterStep = {};  ///< around each step, outside the timing
};

/// Executes the runs of a plan, one by one, in any order. References are run when first needed and kept.
class SweepRunner {
public:
    /// `threads`: per step, unless the scene or the varied keys set them. Each run is made `repeat` times; the fastest
    /// counts.
    SweepRunner(const SweepPlan& plan, int threads, int repeat, RunnerHooks hooks)
        : plan_(plan), threads_(threads), repeat_(repeat), hooks_(std::move(hooks)) {}

    /// Empty when it was stopped. A run that diverges or cannot start is a row like any other.
    std::optional<SweepRow> run(int index);

private:
    struct Reference {
        std::string status;
        linalg::BlockVector x;  ///< at the end; empty unless it was reached
    };
    const Reference* referenceFor(int index);
    Expected<std::unique_ptr<simulation::Simulation>> prepare(scene::Scene scene) const;
    simulation::RunOptions makeRunOptions(int steps, bool timed) const;
    Expected<void> once(const scene::Scene& scene, const Reference* reference, SweepRow& row);
    bool stopped() const { return hooks_.stop.stop_requested(); }

    const SweepPlan& plan_;
    int threads_, repeat_;
    RunnerHooks hooks_;
    std::map<std::string, Reference> references_;  ///< by the scene that was run
};

struct SweepControl {
    Shard shard;
    int threads = 1, repeat = 1;
    std::string out;         ///< the NDJSON file: existing lines are kept, their runs skipped
    InputFiles inputs = {};  ///< none of which may be `out`
    std::stop_token stop = {};
    /// Before each run and after the last one: its number in this shard, the size of the shard, the run's values.
    std::function<void(int done, int of, const std::string& now)> progress = {};
};

struct SweepOutcome {
    int runs = 0;  ///< in the shard
    int kept = 0;  ///< found in the file
    int added = 0;
    int diverged = 0;      ///< of those added, including solve_failed
    int refused = 0;       ///< of those added: could not start
    bool dropped = false;  ///< the file ended in a partial line, which was removed
};

/// Makes the runs missing in the file. An Error means that the file is of another sweep, or cannot be written.
Expected<SweepOutcome> sweep(const SweepPlan& plan, const SweepControl& control);

}  // namespace clothlab::experiments
