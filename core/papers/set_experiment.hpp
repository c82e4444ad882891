#pragma once

#include <algorithm>

#include "papers/job.hpp"
#include "papers/sets.hpp"

/// An experiment on random sets of parameters, of which the thesis of Boxerman has a dozen: a number of sets of some
/// sizes, each run for itself into numbers stored in a file, then the numbers of a group of sets as a row.
namespace clothlab::papers {

inline constexpr int kAllSteps = 1 << 30;

/// The amount of work. Sizes take turns, so that they are compared on similar sets.
struct Extent {
    std::vector<int> sides;
    int sets = 0;
    double seconds = 1;         ///< simulated, per set
    int samples = 0;            ///< systems solved per set
    int mostSteps = kAllSteps;  ///< per set

    int sideAt(int set) const { return sides[std::size_t(set) % sides.size()]; }
    /// The number of earlier rounds of the sizes.
    int roundAt(int set) const { return set / int(sides.size()); }
    int steps(double dt) const;
    /// The number of steps per sample.
    int sampledEvery(double dt) const { return std::max(1, steps(dt) / samples); }
};

/// The quantity of a mean.
using OfSet = std::function<double(const FinishedSet&)>;
/// The number of a key.
OfSet number(std::string key);
/// The ratio of the numbers of two keys, the second taken as at least 1.
OfSet ratio(std::string of, std::string over);

/// Finished sets that share a row, or are the base of one.
class SetGroup {
public:
    explicit SetGroup(const FinishedSets& all);
    SetGroup where(const std::function<bool(const FinishedSet&)>& belongs) const;
    /// The sets with this value.
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
    /// The kind of set: figures that show the same sets have the same name, and can share a file.
    std::string name;
    Extent extent;
    /// The description of set k, for the progress; by default its size.
    std::function<std::string(int)> label = {};
    /// Runs set k: depends only on k and the options' seed, except for times. An Error ends all.
    std::function<Expected<records::Entries>(int)> run;
    /// Makes rows and notes of the finished sets.
    std::function<void(const SetGroup&, Reproduction&)> show = {};

    std::string makeLabel(int set) const { return label ? label(set) : fmt::format("{0} x {0}", extent.sideAt(set)); }
};

/// Runs the sets missing in the file of sets, and shows all.
Expected<Reproduction> runExperiment(const SetExperiment& experiment, Job& job);

/// A row of these columns; no row for no sets.
void addRow(Reproduction& out, records::Entries what, const SetGroup& group,
            const std::function<records::Entries(const SetGroup&)>& columns);

}  // namespace clothlab::papers
