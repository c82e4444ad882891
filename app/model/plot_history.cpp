#include "model/plot_history.hpp"

#include <algorithm>
#include <cmath>

#include "model/undo_list.hpp"

namespace clothlab::app::model {
namespace {
constexpr double kOneDrag = 10;  // steps: the window draws a frame in as many

std::string wordsBetween(const scene::Settings& before, const scene::Settings& after) {
    const std::string words = changedWords(before, after);
    return words.empty() ? "a setting, and back again" : words;
}

}  // namespace

void PlotHistory::clear() { dropFrom(0); }

void PlotHistory::dropFrom(std::size_t index) {
    if (index < steps_.size()) dropNotesFrom(steps_[index]);
    steps_.resize(index);
    settings_.resize(index);
    methods_.resize(index, Method{});
    for (auto& values : values_) values.resize(index);
    for (auto& distances : furtherGhosts_) distances.resize(index);
}

double PlotHistory::lastStep() const {
    const double failed = !notes_.empty() && notes_.back().ends ? notes_.back().from : 0;
    return std::max(failed, steps_.empty() ? 0 : steps_.back());
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
        last.words = wordsBetween(*settings_[firstFrom(last.from) - 1], *settings_[firstFrom(last.to)]);
    }
}

/// One setting that changes in step after step is dragged: one mark, over all of them.
void PlotHistory::note(double step, const std::shared_ptr<const scene::Settings>& settings) {
    if (settings_.empty() || !settings || !settings_.back() || settings == settings_.back()) return;
    const auto keys = changedKeys(*settings_.back(), *settings);
    if (keys.empty()) return;
    const bool goesOn = !notes_.empty() && !notes_.back().ends && keys == dragged_ && keys.size() == 1 &&
                        step - notes_.back().to <= kOneDrag && firstFrom(notes_.back().from) > 0;
    dragged_ = keys;
    if (!goesOn) {
        notes_.push_back({.from = step, .to = step, .words = changedWords(*settings_.back(), *settings)});
        return;
    }
    widgets::PlotNote& last = notes_.back();
    last.to = step;
    last.words = wordsBetween(*settings_[firstFrom(last.from) - 1], *settings);
}

/// No state came of it: a mark is all there is, until a step is taken in its place.
void PlotHistory::noteFailure(const simulation::StepReport& report) {
    const auto step = double(report.step);
    notes_.push_back({.from = step,
                      .to = step,
                      .words = report.message.empty() ? std::string(enumLabel(report.status)) : report.message,
                      .ends = true});
}

void PlotHistory::push(const worker::ReportEntry& entry) {
    if (entry.cleared) {
        clear();
        return;
    }
    const simulation::StepReport& r = entry.report;
    dropFrom(firstFrom(double(r.step)));
    std::erase_if(notes_, [&](const widgets::PlotNote& note) { return note.ends; });
    if (integrators::hasFailed(r.status)) return noteFailure(r);
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

}  // namespace clothlab::app::model
