#include "simulation/history.hpp"

#include <algorithm>

namespace clothlab::simulation {

void History::clear() {
    entries_.clear();
    bytes_ = 0;
}

void History::push(const integrators::SimulationState& state, const StepReport& report, SettingsOfStep madeWith,
                   std::span<const float> residuals) {
    entries_.push_back(
        std::make_shared<const Entry>(Entry{state, report, std::move(madeWith), {residuals.begin(), residuals.end()}}));
    bytes_ += entries_.back()->bytes();
    forgetBeyondBudget();
}

void History::forgetBeyondBudget() {
    while (bytes_ > budget_ && entries_.size() > 2) {
        bytes_ -= entries_.front()->bytes();
        entries_.pop_front();
    }
}

History History::newest(std::size_t bytes) const {
    History copy = *this;
    copy.budget_ = bytes;
    copy.forgetBeyondBudget();
    return copy;
}

void History::take(const History& other) {
    entries_ = other.entries_;
    bytes_ = other.bytes_;
    forgetBeyondBudget();
}

std::vector<const StepReport*> History::reports() const {
    std::vector<const StepReport*> all;
    for (const auto& entry : entries_)
        if (entry->madeWith) all.push_back(&entry->report);
    return all;
}

void History::truncateAfter(std::int64_t step) {
    while (!entries_.empty() && entries_.back()->state.step > step) {
        bytes_ -= entries_.back()->bytes();
        entries_.pop_back();
    }
}

std::shared_ptr<const History::Entry> History::entry(std::int64_t step) const {
    const auto it = std::lower_bound(entries_.begin(), entries_.end(), step,
                                     [](const auto& e, std::int64_t s) { return e->state.step < s; });
    return it != entries_.end() && (*it)->state.step == step ? *it : nullptr;
}

const integrators::SimulationState* History::find(std::int64_t step) const {
    const auto e = entry(step);
    return e ? &e->state : nullptr;
}

StateIdentity History::identity(std::int64_t step) const { return entry(step); }

const StepReport* History::findReport(std::int64_t step) const {
    const auto e = entry(step);
    return e ? &e->report : nullptr;
}

SettingsOfStep History::findSettings(std::int64_t step) const {
    const auto e = entry(step);
    return e ? e->madeWith : nullptr;
}

std::span<const float> History::findResiduals(std::int64_t step) const {
    const auto e = entry(step);
    return e ? std::span<const float>(e->residuals) : std::span<const float>();
}

}  // namespace clothlab::simulation
