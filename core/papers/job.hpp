#pragma once

#include <fmt/format.h>

#include "base/worker_pool.hpp"
#include "papers/reproduction.hpp"

namespace clothlab::papers {

/// A table that is being computed: what was asked for, whom to tell how far it is, and the threads that work on it.
struct Job {
    explicit Job(ReproduceOptions wanted, ReproduceControl told = {})
        : options(std::move(wanted)), control(std::move(told)), pool(options.threads) {}

    ReproduceOptions options;
    ReproduceControl control;
    WorkerPool pool;

    /// The paper's amount, that of --quick, or that of a test, which names a side.
    template <class T>
    T choose(T full, T quick, T test) const {
        return options.side > 0 ? test : options.quick ? quick : full;
    }
    int side(int full, int quick) const { return choose(full, quick, options.side); }

    bool stopped() const { return control.stop.stop_requested(); }
    void say(std::string_view what, double share) const {
        if (control.progress) control.progress(what, share);
    }
};

/// A table of cases, one after the other. `label` names the one that is being computed, `addRows` computes it.
template <class Cases, class Label, class AddRows>
Expected<Reproduction> tableOfCases(const Cases& cases, Job& job, Label&& label, AddRows&& addRows,
                                    std::vector<std::string> notes) {
    Reproduction out{.table = {}, .title = {}, .rows = {}, .notes = std::move(notes)};
    double done = 0;
    for (const auto& each : cases) {
        job.say(label(each), done++ / double(std::size(cases)));
        if (Expected<void> added = addRows(each, out.rows); !added) return fail(added.error());
    }
    return out;
}

/// The entries of both, those of `first` first.
inline records::Entries joined(records::Entries first, const records::Entries& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}  // namespace clothlab::papers
