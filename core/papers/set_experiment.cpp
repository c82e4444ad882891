#include "papers/set_experiment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clothlab::papers {

int Extent::steps(double dt) const { return std::min(mostSteps, int(std::lround(seconds / dt))); }

OfSet number(std::string key) {
    return [key = std::move(key)](const FinishedSet& set) { return set.number(key); };
}

OfSet ratio(std::string of, std::string over) {
    return [of = std::move(of), over = std::move(over)](const FinishedSet& set) {
        return set.number(of) / std::max(1.0, set.number(over));
    };
}

SetGroup::SetGroup(const FinishedSets& all) : sets_(all.sets) {}

SetGroup SetGroup::where(const std::function<bool(const FinishedSet&)>& belongs) const {
    SetGroup out;
    std::copy_if(begin(), end(), std::back_inserter(out.sets_), belongs);
    return out;
}

SetGroup SetGroup::where(std::string_view key, double value) const {
    return where([&](const FinishedSet& set) { return set.number(key) == value; });
}

SetGroup SetGroup::where(std::string_view key, std::string_view value) const {
    return where([&](const FinishedSet& set) { return set.text(key) == value; });
}

std::vector<double> SetGroup::each(const OfSet& value) const {
    std::vector<double> out;
    std::transform(begin(), end(), std::back_inserter(out), value);
    return out;
}

double SetGroup::sum(const OfSet& value) const {
    const std::vector<double> values = each(value);
    return std::accumulate(values.begin(), values.end(), 0.0);
}

double SetGroup::most(const OfSet& value) const {
    double out = 0;
    for (const double v : each(value)) out = std::max(out, v);
    return out;
}

Expected<Reproduction> runExperiment(const SetExperiment& experiment, Job& job) {
    const auto sets = runSets(experiment, job);
    if (!sets) return fail(sets.error());
    Reproduction out;
    experiment.show(SetGroup(*sets), out);
    if (sets->stopped) out.notes.push_back(fmt::format("Stopped: {} of {} sets.", sets->sets.size(), sets->planned));
    return out;
}

void addRow(Reproduction& out, records::Entries what, const SetGroup& group,
            const std::function<records::Entries(const SetGroup&)>& columns) {
    if (!group.empty()) out.rows.push_back({std::move(what), columns(group)});
}

}  // namespace clothlab::papers
