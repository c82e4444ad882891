#pragma once

#include <random>

#include "papers/job.hpp"

/// Sets of parameters that are run one after the other, for hours if need be, and resume where they stopped.
///
/// With ReproduceOptions::setsFile every finished set is a line of that file: NDJSON, a header that identifies the run,
/// then one flat object per set. An existing file is read first, and only the missing sets are run; each line is on the
/// disk before the next set starts. A partial last line counts as not written. A file of other sets is an Error.
namespace clothlab::papers {

struct SetExperiment;  // papers/set_experiment.hpp

struct FinishedSet {
    int set;  ///< counted from 0
    records::Entries values;

    /// Zero, or empty, if the key is missing: a file of sets may contain anything.
    double number(std::string_view key) const { return records::findNumber(values, key); }
    std::string text(std::string_view key) const;
};

struct FinishedSets {
    std::vector<FinishedSet> sets;  ///< in ascending order
    int planned = 0;
    bool stopped = false;  ///< on request: `sets` are those finished
};

/// An Error if stopped before any set is finished.
Expected<FinishedSets> runSets(const SetExperiment& experiment, Job& job);

/// The random numbers of a set, or of a group of sets: a separate stream for each number and each seed.
std::mt19937 randomStream(const ReproduceOptions& options, int number);

template <class Values>
auto pick(std::mt19937& random, const Values& values) {
    return *(std::begin(values) + std::ptrdiff_t(random() % std::size(values)));
}

/// Stratified choice: the value with this number of a sequence in which each round of size(values) numbers has every
/// value once, in random order. `parameter` distinguishes the sequences of several parameters.
template <class Values>
auto stratified(const ReproduceOptions& options, int parameter, int number, const Values& values) {
    const int size = int(std::size(values));
    std::vector order(std::begin(values), std::end(values));
    std::mt19937 random = randomStream(options, 4096 * (parameter + 1) + number / size);
    for (auto left = unsigned(size); left > 1; --left) std::swap(order[left - 1], order[random() % left]);
    return order[number % size];
}

}  // namespace clothlab::papers
