#include "panels/plot_history.hpp"

#include <algorithm>
#include <cmath>

#include "panels/undo_list.hpp"

namespace clothlab::app::panels {
namespace {
constexpr double kOneChange = 30;  // steps: a slider that is dragged changes at each, and is one change
}

void PlotHistory::clear() { dropFrom(0); }

void PlotHistory::dropFrom(std::size_t index) {
    if (index < steps_.size()) dropNotesFrom(steps_[index]);
    steps_.resize(index);
    settings_.resize(index);
    methods_.resize(index, Method{});
    for (auto& values : values_) values.resize(index);
    for (auto& distances : furtherGhosts_) distances.resize(index);
}

std::size_t PlotHistory::firstFrom(double step) const {
    return std::size_t(std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin());
}

/// A change that went on beyond the step is told as far as it had come.
void PlotHistory::dropNotesFrom(double step) {
    std::erase_if(notes_, [&](const widgets::PlotNote& note) { return note.from >= step; });
    if (!notes_.empty() && notes_.back().to >= step) {
        widgets::PlotNote& last = notes_.back();
        last.to = steps_[firstFrom(step) - 1];
        last.words = changedWords(*settings_[firstFrom(last.from) - 1], *settings_[firstFrom(last.to)]);
    }
}

void PlotHistory::note(double step, const std::shared_ptr<const scene::Settings>& settings) {
    if (settings_.empty() || !settings || !settings_.back() || settings == settings_.back()) return;
    if (*settings == *settings_.back()) return;
    if (notes_.empty() || step - notes_.back().to > kOneChange || firstFrom(notes_.back().from) == 0)
        notes_.push_back({.from = step, .to = step});
    widgets::PlotNote& last = notes_.back();
    last.to = step;
    const std::size_t first = firstFrom(last.from);
    last.words = changedWords(first > 0 ? *settings_[first - 1] : *settings_.back(), *settings);
    if (last.words.empty()) notes_.pop_back();  // and back again
}

void PlotHistory::push(const worker::ReportEntry& entry) {
    if (entry.cleared) {
        clear();
        return;
    }
    const simulation::StepReport& r = entry.report;
    if (integrators::hasFailed(r.status)) return;  // no state came of it
    dropFrom(firstFrom(double(r.step)));
    note(double(r.step), entry.settings);
    steps_.push_back(double(r.step));
    settings_.push_back(entry.settings);
    methods_.push_back({r.methods.integrator, r.methods.solver.kind, r.methods.preconditioner.kind});
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k].push_back(simulation::kReportColumns[k].value(r));
    for (std::size_t k = 0; k < furtherGhosts_.size(); ++k) {
        const bool there = k < entry.furtherDistances.size() && entry.furtherDistances[k] >= 0;
        furtherGhosts_[k].push_back(there ? entry.furtherDistances[k] : std::nan(""));
    }
    if (steps_.size() < 2 * limit_) return;
    const auto drop = std::ptrdiff_t(steps_.size() - limit_);
    steps_.erase(steps_.begin(), steps_.begin() + drop);
    methods_.erase(methods_.begin(), methods_.begin() + drop);
    settings_.erase(settings_.begin(), settings_.begin() + drop);
    std::erase_if(notes_, [&](const widgets::PlotNote& note) { return note.from <= steps_.front(); });
    for (auto& values : values_) values.erase(values.begin(), values.begin() + drop);
    for (auto& distances : furtherGhosts_) distances.erase(distances.begin(), distances.begin() + drop);
}

}  // namespace clothlab::app::panels
