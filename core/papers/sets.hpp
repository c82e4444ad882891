#pragma once

#include <random>

#include "papers/job.hpp"

/// Sets of parameters that are run one after the other, for hours if need be, and go on where they were stopped.
///
/// With ReproduceOptions::setsFile every finished set is a line of that file: NDJSON, a header that says what was run,
/// then a flat object a set. A file that is there already is read first, and only what it lacks is run; each line is on
/// the disk before the next set starts. A last line that was cut off counts as not written. A file of other sets is an
/// Error.
namespace clothlab::papers {

struct SetExperiment;  // papers/set_experiment.hpp

struct FinishedSet {
    int set;  ///< counted from 0
    records::Entries values;

    /// Zero, or empty, where the key is missing: a file of sets may say anything.
    double number(std::string_view key) const { return records::numberOf(values, key); }
    std::string text(std::string_view key) const;
};

struct FinishedSets {
    std::vector<FinishedSet> sets;  ///< in ascending order
    int planned = 0;
    bool stopped = false;  ///< on request: `sets` are those that were done
};

/// Stopped before any set is done, it is an Error.
Expected<FinishedSets> runSets(const SetExperiment& experiment, Job& job);

/// The random numbers of a set, or of a group of sets: another stream for every number and every seed of the options.
std::mt19937 randomOf(const ReproduceOptions& options, int number);

template <class Values>
auto pick(std::mt19937& random, const Values& values) {
    return *(std::begin(values) + std::ptrdiff_t(random() % std::size(values)));
}

/// Stratified choice: the value with this number of a sequence in which each round of size(values) numbers has every
/// value once, in random order. `parameter` tells the sequences of several parameters apart.
template <class Values>
auto stratified(const ReproduceOptions& options, int parameter, int number, const Values& values) {
    const int size = int(std::size(values));
    std::vector order(std::begin(values), std::end(values));
    std::mt19937 random = randomOf(options, 4096 * (parameter + 1) + number / size);
    for (auto left = unsigned(size); left > 1; --left) std::swap(order[left - 1], order[random() % left]);
    return order[number % size];
}

}  // namespace clothlab::papers
