#pragma once

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "integrators/state/state.hpp"
#include "scene/scene.hpp"
#include "simulation/report.hpp"

namespace clothlab::simulation {

/// Shared by consecutive steps until a user changes them.
using SettingsOfStep = std::shared_ptr<const scene::Settings>;

/// Identifies a state held by a history: copies of the history have the same, and no other state does, as long as it is
/// referenced.
using StateIdentity = std::shared_ptr<const void>;

/// A ring of past states: at most `budget` bytes, but always at least two states. The last one is current. A state that
/// is held is immutable: copies share it.
class History {
public:
    explicit History(std::size_t budget = std::size_t{256} << 20) : budget_(budget) {}

    void clear();
    /// Appends a state, and of the step that led to it the report, the settings (null: no step did) and the residuals
    /// of its solve, one per iterate; forgets the oldest beyond the budget.
    void push(const integrators::SimulationState& state, const StepReport& report, SettingsOfStep madeWith = {},
              std::span<const float> residuals = {});
    /// Drops everything after the given step (continuing from the past).
    void truncateAfter(std::int64_t step);

    bool empty() const { return entries_.empty(); }
    std::int64_t firstStep() const { return entries_.front()->state.step; }
    std::int64_t lastStep() const { return entries_.back()->state.step; }
    /// State of a step, or null if it is not (or no longer) held.
    const integrators::SimulationState* find(std::int64_t step) const;
    /// Null if it is not held.
    StateIdentity identity(std::int64_t step) const;
    const StepReport* findReport(std::int64_t step) const;
    /// The settings of the step; null if it is not held, and for the start.
    SettingsOfStep findSettings(std::int64_t step) const;
    /// Residuals of the solve that led to a state; empty if there was none, or the state is not held.
    std::span<const float> findResiduals(std::int64_t step) const;
    std::size_t bytes() const { return bytes_; }
    /// Reports of all steps held, the oldest first; not of a start.
    std::vector<const StepReport*> reports() const;

    /// The newest states, as many as fit into `bytes`: a copy that shares them.
    History newest(std::size_t bytes) const;
    /// Takes the contents of another one, but keeps its own budget.
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
