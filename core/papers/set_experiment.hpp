#pragma once

#include <algorithm>

#include "papers/job.hpp"
#include "papers/sets.hpp"

/// An experiment on random sets of parameters, of which the thesis of Boxerman has a dozen: so many sets of so many
/// sizes, each run for itself into numbers that a file can keep, then the numbers of a group of sets as a row.
namespace clothlab::papers {

inline constexpr int kAllSteps = 1 << 30;

/// How much is run. Sizes take turns, so that they are compared on alike sets.
struct Extent {
    std::vector<int> sides;
    int sets = 0;
    double seconds = 1;         ///< simulated, a set
    int samples = 0;            ///< systems of a set that are solved
    int mostSteps = kAllSteps;  ///< of a set

    int sideOf(int set) const { return sides[std::size_t(set) % sides.size()]; }
    /// How often the sizes have had their turn before.
    int roundOf(int set) const { return set / int(sides.size()); }
    int steps(double dt) const;
    /// Every how many-th step has one of the samples.
    int sampledEvery(double dt) const { return std::max(1, steps(dt) / samples); }
};

/// What a mean is taken of.
using OfSet = std::function<double(const FinishedSet&)>;
/// The number of a key.
OfSet number(std::string key);
/// The ratio of the numbers of two keys, the second taken as 1 where it is less.
OfSet ratio(std::string of, std::string over);

/// Finished sets that have a row together, or are the base of one.
class SetGroup {
public:
    explicit SetGroup(const FinishedSets& all);
    SetGroup where(const std::function<bool(const FinishedSet&)>& belongs) const;
    /// Those that have this value.
    SetGroup where(std::string_view key, double value) const;
    SetGroup where(std::string_view key, std::string_view value) const;

    bool empty() const { return sets_.empty(); }
    double count() const { return double(sets_.size()); }
    double count(const std::function<bool(const FinishedSet&)>& belongs) const { return where(belongs).count(); }

    std::vector<double> each(const OfSet& value) const;
    std::vector<double> each(const std::string& key) const { return each(number(key)); }
    double sum(const OfSet& value) const;
    double sum(const std::string& key) const { return sum(number(key)); }
    double mean(const OfSet& value) const { return sum(value) / count(); }
    double mean(const std::string& key) const { return mean(number(key)); }
    double most(const OfSet& value) const;

    auto begin() const { return sets_.begin(); }
    auto end() const { return sets_.end(); }

private:
    SetGroup() = default;
    std::vector<FinishedSet> sets_;
};

struct SetExperiment {
    /// Names what a set is: figures that show the same sets have the same name, and can share a file.
    std::string name;
    Extent extent;
    /// What set k is about, for the progress; else its size.
    std::function<std::string(int)> label = {};
    /// Runs set k: depends on k and the options' seed alone, but for times. An Error ends them all.
    std::function<Expected<records::Entries>(int)> run;
    /// Makes rows and notes of the sets that are done.
    std::function<void(const SetGroup&, Reproduction&)> show = {};

    std::string labelOf(int set) const { return label ? label(set) : fmt::format("{0} x {0}", extent.sideOf(set)); }
};

/// Runs what is not in the file of sets yet, and shows all.
Expected<Reproduction> tableOf(const SetExperiment& experiment, Job& job);

/// A row of these columns; no row for no sets.
void addRow(Reproduction& out, records::Entries what, const SetGroup& group,
            const std::function<records::Entries(const SetGroup&)>& columns);

}  // namespace clothlab::papers
