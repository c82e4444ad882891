#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_table.hpp"
#include "integrators/integrator.hpp"
#include "records/json.hpp"
#include "simulation/simulation.hpp"

/// Trials: many short runs with an outcome known from physics, and a verdict on each. A method may fail where it is
/// unstable, or not converge, as long as it says so; a wrong result called ok is an error of the program.
namespace clothlab::experiments {

enum class TrialVerdict : int { Ok, SaysSo, Wrong };
inline constexpr std::array kTrialVerdicts{
    EnumEntry{int(TrialVerdict::Ok), "ok", "ok"},
    EnumEntry{int(TrialVerdict::SaysSo), "says_so", "not ok, and says so"},
    EnumEntry{int(TrialVerdict::Wrong), "wrong", "WRONG"},
};
constexpr std::span<const EnumEntry> enumTable(TrialVerdict) { return kTrialVerdicts; }

/// A correct result is ok, whatever the status; a wrong one passes if some step reported that it is not ok.
TrialVerdict judgeTrial(bool holds, integrators::StepStatus worst);

/// All combinations of values of some axes: a cell has the number of a value on each, and a number among all cells.
class TrialAxes {
public:
    explicit TrialAxes(std::vector<int> sizes) : sizes_(std::move(sizes)) {}

    int axes() const { return int(sizes_.size()); }
    int size(int axis) const { return sizes_[axis]; }
    int cells() const;
    /// The last axis varies fastest.
    std::vector<int> cell(int number) const;
    int number(std::span<const int> cell) const;

private:
    std::vector<int> sizes_;
};

/// Numbers of at most `most` cells, ascending, by a greedy choice among random candidates of a fixed seed: until each
/// existing pair of values of two axes occurs in one of them, then each triple, as far as possible.
std::vector<int> coveringSample(const TrialAxes& axes, const std::function<bool(std::span<const int>)>& exists,
                                int most);

/// The share of all runs to make.
enum class TrialSample : int { Few, Covering, Full };

struct TrialControl {
    TrialSample sample = TrialSample::Covering;
    std::vector<int> only = {};                           ///< numbers of runs, in place of a sample
    int threads = 1;                                      ///< runs at a time, each on one thread
    std::stop_token stop = {};                            ///< ends the current step
    std::function<void(int done, int of)> progress = {};  ///< after each run; one call at a time
};

/// run(k) for k = 0 .. count-1, several at a time; false when it was stopped.
bool runTrials(int count, const TrialControl& control, const std::function<void(int)>& run);

/// Statistics of the steps of a trial.
struct TrialSteps {
    int steps = 0;  ///< taken
    integrators::StepStatus worst = integrators::StepStatus::Ok;
    std::string message;   ///< of the first step that was not ok, or why the run could not start
    double maxStrain = 0;  ///< largest of all steps

    void take(const simulation::StepReport& report);
};

/// The common end of every line of JSON: strain, steps, status, message, verdict.
void addSteps(const TrialSteps& steps, TrialVerdict verdict, records::Json& out);

/// Observes a run: its start, the state after each step that did not fail, and the last one.
struct TrialLooks {
    using Look = std::function<void(const simulation::Simulation&)>;
    Look start, step, end = {};
};
/// Runs a scene on one thread, up to the first step that fails. False when it was stopped.
bool runTrial(const scene::Scene& scene, double seconds, const std::stop_token& stop, TrialSteps& steps,
              const TrialLooks& looks);

/// A line for each name, in the order of first appearance, and how its runs ended.
struct TrialCount {
    std::string name;
    int runs = 0, ok = 0, saysSo = 0, wrong = 0;

    void add(TrialVerdict verdict);
};

/// The output of the command: a table and the wrong runs, or all runs.
struct TrialReport {
    std::string text;
    records::Json json;
    int runs = 0, wrong = 0;
    bool stopped = false;

    /// Counts and JSON, from the sum of all lines and the JSON of each run.
    void take(std::string_view trials, const TrialCount& all, records::Json allRuns);
};

}  // namespace clothlab::experiments
