#pragma once

#include <array>
#include <span>
#include <vector>

#include "simulation/report_columns.hpp"
#include "widgets/plots/plot.hpp"
#include "worker/commands.hpp"

namespace clothlab::app::model {

/// Data of the curves over steps: one entry per step of the motion shown. A step taken again after going back replaces
/// all later ones; old steps are dropped beyond a limit.
class PlotHistory {
public:
    /// A column of simulation::kReportColumns; an unknown key is a compile error.
    struct Column {
        std::size_t index;
        consteval Column(const char* key) : index(simulation::columnIndex(key)) {}
        explicit constexpr Column(std::size_t k) : index(k) {}
    };
    struct Method {
        integrators::IntegratorKind integrator;
        solvers::SolverKind solver;
        preconditioners::PreconditionerKind preconditioner;
        bool operator==(const Method&) const = default;
    };

    explicit PlotHistory(std::size_t limit = 20000) : limit_(limit) {}

    void push(const worker::ReportEntry& entry);
    void clear();

    bool empty() const { return steps_.empty(); }
    std::size_t size() const { return steps_.size(); }
    std::span<const double> steps() const { return steps_; }
    /// One number per step; NaN in its gaps.
    std::span<const double> values(Column column) const { return values_[column.index]; }
    std::span<const Method> methods() const { return methods_; }
    /// m, the largest distance of the k-th ghost after the first; NaN where there was none.
    std::span<const double> furtherGhost(std::size_t k) const { return furtherGhosts_[k]; }
    /// Changes of settings, one per drag of a slider, and failed steps.
    std::span<const widgets::PlotNote> notes() const { return notes_; }
    /// Failed ones included; 0 if there is none.
    double lastStep() const;
    /// First entry at or after a step.
    std::size_t firstFrom(double step) const;

private:
    void dropFrom(std::size_t index);
    void dropNotesFrom(double step);
    void noteFailure(const simulation::StepReport& report);
    void note(double step, const std::shared_ptr<const scene::Settings>& settings);

    std::size_t limit_;
    std::vector<double> steps_;
    std::array<std::vector<double>, simulation::kReportColumns.size()> values_;
    std::vector<Method> methods_;
    std::array<std::vector<double>, worker::kMostGhosts - 1> furtherGhosts_;
    std::vector<std::shared_ptr<const scene::Settings>> settings_;  ///< of each step, most of them the same object
    std::vector<widgets::PlotNote> notes_;
    std::vector<std::string> dragged_;  ///< keys of the last change
};

}  // namespace clothlab::app::model
