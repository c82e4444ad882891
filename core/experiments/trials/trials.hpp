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

/// Trials: many short runs of which physics says how they must end, and a verdict on each. A method may fail where it
/// is unstable, or has not converged, as long as it says so; what is wrong and called ok is an error of the program.
namespace clothlab::experiments {

enum class TrialVerdict : int { Ok, SaysSo, Wrong };
inline constexpr std::array kTrialVerdicts{
    EnumEntry{int(TrialVerdict::Ok), "ok", "ok"},
    EnumEntry{int(TrialVerdict::SaysSo), "says_so", "not ok, and says so"},
    EnumEntry{int(TrialVerdict::Wrong), "wrong", "WRONG"},
};
constexpr std::span<const EnumEntry> enumTable(TrialVerdict) { return kTrialVerdicts; }

/// What holds is ok, whatever the status was; what does not hold passes if a step said that it is not ok.
TrialVerdict verdictOf(bool holds, integrators::StepStatus worst);

/// All combinations of values of some axes: a cell has the number of a value on each, and a number among all cells.
class TrialAxes {
public:
    explicit TrialAxes(std::vector<int> sizes) : sizes_(std::move(sizes)) {}

    int axes() const { return int(sizes_.size()); }
    int size(int axis) const { return sizes_[axis]; }
    int cells() const;
    /// The last axis goes fastest.
    std::vector<int> cell(int number) const;
    int number(std::span<const int> cell) const;

private:
    std::vector<int> sizes_;
};

/// Numbers of at most `most` cells, ascending, by a greedy choice among random candidates of a fixed seed: first until
/// each pair of values of two axes that exists stands together in one of them, then each triple, as far as they go.
std::vector<int> coveringSample(const TrialAxes& axes, const std::function<bool(std::span<const int>)>& exists,
                                int most);

/// How much of all runs is made.
enum class TrialSample : int { Few, Covering, Full };

struct TrialControl {
    TrialSample sample = TrialSample::Covering;
    std::vector<int> only = {};                           ///< numbers of runs, in place of a sample
    int threads = 1;                                      ///< runs at a time, each on one thread
    std::stop_token stop = {};                            ///< ends the step that is under way
    std::function<void(int done, int of)> progress = {};  ///< after each run; one call at a time
};

/// run(k) for k = 0 .. count-1, several at a time; false when it was stopped.
bool runTrials(int count, const TrialControl& control, const std::function<void(int)>& run);

/// What each trial knows of its steps.
struct TrialSteps {
    int steps = 0;  ///< taken
    integrators::StepStatus worst = integrators::StepStatus::Ok;
    std::string message;   ///< of the first step that was not ok, or why the run could not start
    double maxStrain = 0;  ///< largest of all steps

    void take(const simulation::StepReport& report);
};

/// What every line of JSON ends with: strain, steps, status, message, verdict.
void addSteps(const TrialSteps& steps, TrialVerdict verdict, records::Json& out);

/// Sees a run: its start, the state after each step that did not fail, and the last one.
struct TrialLooks {
    using Look = std::function<void(const simulation::Simulation&)>;
    Look start, step, end = {};
};
/// A world on one thread, and its steps up to the first that fails. False when it was stopped.
bool runTrial(const scene::Scene& scene, double seconds, const std::stop_token& stop, TrialSteps& steps,
              const TrialLooks& looks);

/// A line for each name, in the order of first appearance, and how its runs ended.
struct TrialCount {
    std::string name;
    int runs = 0, ok = 0, saysSo = 0, wrong = 0;

    void add(TrialVerdict verdict);
};

/// What the command prints: a table and the wrong runs, or all runs.
struct TrialReport {
    std::string text;
    records::Json json;
    int runs = 0, wrong = 0;
    bool stopped = false;

    /// Counts and JSON, from the sum of all lines and the JSON of each run.
    void take(std::string_view trials, const TrialCount& all, records::Json allRuns);
};

}  // namespace clothlab::experiments
