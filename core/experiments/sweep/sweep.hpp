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
    int repeats = 0;                 ///< made
    double slowestMs = 0;            ///< of them; summary.totalMs is the fastest
    scene::Settings settings;        ///< active
    Index particles = 0;
    double stepTaken = 0;  ///< s, the mean: a substep where the method divides its steps
    /// With a reference, of what takes an order from the error: how often a spring turned slack or taut from one step
    /// to the next, and steps with particles in contact. Negative: nobody looked.
    std::int64_t slackChanges = -1, contactSteps = -1;
    std::string refusal;  ///< why it could not even start; the summary is then empty
    /// Status of the reference's run ("refused" when it could not start); empty without a reference.
    std::string referenceStatus;
    /// m, distance from the reference at the end, over the particles; negative: not measured.
    double largestError = -1, rmsError = -1;
};

/// The line: run, vary, the summary of `run --json` with its settings, error_m and error_rms_m, and what sweep it is
/// of.
std::string toJsonLine(const SweepRow& row, const records::Entries& identity);

/// What a runner asks and tells while it runs. References are not timed.
struct RunnerHooks {
    std::stop_token stop = {};                                        ///< ends the step that is under way
    std::function<void(bool timed)> beforeStep = {}, afterStep = {};  ///< around each step, outside of what is timed
};

/// Makes the runs of a plan, one by one, in any order. References are run when first needed and kept.
class SweepRunner {
public:
    /// `threads`: of a step, where the scene and the varied keys leave them open. Each run is made `repeat` times; the
    /// fastest counts.
    SweepRunner(const SweepPlan& plan, int threads, int repeat, RunnerHooks hooks)
        : plan_(plan), threads_(threads), repeat_(repeat), hooks_(std::move(hooks)) {}

    /// Nothing when it was stopped. A run that diverges or cannot start is a row like any other.
    std::optional<SweepRow> run(int index);

private:
    struct Reference {
        std::string status;
        linalg::BlockVector x;  ///< at the end; empty unless it got there
    };
    const Reference* referenceFor(int index);
    Expected<std::unique_ptr<simulation::Simulation>> prepare(scene::Scene scene) const;
    simulation::RunOptions optionsOf(int steps, bool timed) const;
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
    std::string out;         ///< the NDJSON file: lines that it has are kept, their runs skipped
    InputFiles inputs = {};  ///< that `out` must not be
    std::stop_token stop = {};
    /// Before each run and after the last one: its number in this shard, how many the shard has, the run's values.
    std::function<void(int done, int of, const std::string& now)> progress = {};
};

struct SweepOutcome {
    int runs = 0;  ///< of the shard
    int kept = 0;  ///< that the file had
    int added = 0;
    int diverged = 0;      ///< of those added; solve_failed too
    int refused = 0;       ///< of those added: could not start
    bool dropped = false;  ///< the file ended in half a line, which is gone
};

/// Runs what the file does not have yet. An Error means that the file is not this sweep's, or cannot be written.
Expected<SweepOutcome> sweep(const SweepPlan& plan, const SweepControl& control);

}  // namespace clothlab::experiments
