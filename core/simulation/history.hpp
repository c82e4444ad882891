#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "integrators/state/state.hpp"
#include "scene/scene.hpp"
#include "simulation/report.hpp"

namespace clothlab::simulation {

/// Steps in a row share them: they change when a user changes them.
using SettingsOfStep = std::shared_ptr<const scene::Settings>;

/// A state that a history holds, as itself: copies of the history have the same, and no other state does, as long as
/// somebody has it.
using StateIdentity = std::shared_ptr<const void>;

/// A ring of past states: at most `budget` bytes, but always at least two states. The last one is the present. A state
/// that is held does not change: copies share it.
class History {
public:
    explicit History(std::size_t budget = std::size_t{256} << 20) : budget_(budget) {}

    void clear();
    /// Appends a state and of the step that led to it the report, the settings (null: no step did) and the residuals of
    /// its solve, an iterate each; forgets the oldest beyond the budget.
    void push(const integrators::SimulationState& state, const StepReport& report, SettingsOfStep madeWith = {},
              std::span<const float> residuals = {});
    /// Drops everything after the given step (playing on from the past).
    void truncateAfter(std::int64_t step);

    bool empty() const { return entries_.empty(); }
    std::int64_t firstStep() const { return entries_.front()->state.step; }
    std::int64_t lastStep() const { return entries_.back()->state.step; }
    /// State of a step, or null when it is not (or no longer) held.
    const integrators::SimulationState* find(std::int64_t step) const;
    /// Null when it is not held.
    StateIdentity identity(std::int64_t step) const;
    const StepReport* findReport(std::int64_t step) const;
    /// With which the step was made; null when it is not held, and for the start.
    SettingsOfStep findSettings(std::int64_t step) const;
    /// Residuals of the solve that led to a state; empty when there was none, or the state is not held.
    std::span<const float> findResiduals(std::int64_t step) const;
    std::size_t bytes() const { return bytes_; }
    /// Of all steps that are held, the oldest first; not of a start.
    std::vector<const StepReport*> reports() const;

    /// The newest states, as many as so many bytes hold: a copy that shares them.
    History newest(std::size_t bytes) const;
    /// Holds from now on what another one holds; the budget stays its own.
    void take(const History& other);

private:
    struct Entry {
        integrators::SimulationState state;
        StepReport report;
        SettingsOfStep madeWith;
        std::vector<float> residuals;
        std::size_t bytes() const { return state.bytes() + residuals.size() * sizeof(float); }
    };
    std::shared_ptr<const Entry> entry(std::int64_t step) const;
    void forgetBeyondBudget();

    std::deque<std::shared_ptr<const Entry>> entries_;
    std::size_t budget_, bytes_ = 0;
};

}  // namespace clothlab::simulation
