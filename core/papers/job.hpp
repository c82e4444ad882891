#pragma once

#include <fmt/format.h>

#include <type_traits>

#include "base/worker_pool.hpp"
#include "papers/reproduction.hpp"

namespace clothlab::papers {

/// A table in progress: the request, the receiver of its progress, and its threads.
struct Job {
    explicit Job(ReproduceOptions wanted, ReproduceControl told = {}, const TableText* words = nullptr)
        : options(std::move(wanted)), control(std::move(told)), text(words), pool(options.threads) {}

    ReproduceOptions options;
    ReproduceControl control;
    const TableText* text;  ///< of the table; null in a test of a part
    WorkerPool pool;
    records::Entries values;  ///< for the notes, from the run
    int scenes = 0;           ///< number of scenes made for stepping

    /// The paper's amount, that of --quick, or that of a test.
    template <class T>
    T choose(T full, T quick, T test) const {
        return options.brief ? test : options.quick ? quick : full;
    }
    int side(int full, int quick) const { return sides({full}, {quick}).front(); }
    std::vector<int> sides(std::vector<int> full, std::vector<int> quick) const {
        return options.side > 0 ? std::vector{options.side} : options.quick ? std::move(quick) : std::move(full);
    }

    bool stopped() const { return control.stop.stop_requested(); }
    void say(std::string_view what, double share) const {
        if (control.progress) control.progress(what, share);
    }

    /// For the table's notes: names of the register, each with its value.
    template <class T, class... More>
    void tell(std::string name, const T& value, const More&... more) {
        if constexpr (std::is_arithmetic_v<T>)
            values.emplace_back(std::move(name), double(value));
        else
            values.emplace_back(std::move(name), std::string(value));
        if constexpr (sizeof...(more) > 0) tell(more...);
    }
    /// A note that is used more than once, with other values.
    std::string note(std::string_view when, const records::Entries& given) const {
        return text ? text->note(when, given) : std::string();
    }
    /// The printed values of a case, for computations. Next to the row of the case they appear automatically.
    records::Entries printed(const records::Entries& what, bool ownSize = true) const {
        return text ? text->printedFor(what, ownSize) : records::Entries();
    }
};

/// A table of cases, one after the other. `label` names the current one, `addRows` computes it.
template <class Cases, class Label, class AddRows>
Expected<Reproduction> tableOfCases(const Cases& cases, Job& job, Label&& label, AddRows&& addRows) {
    Reproduction out;
    double done = 0;
    for (const auto& each : cases) {
        job.say(label(each), done++ / double(std::size(cases)));
        if (Expected<void> added = addRows(each, out.rows); !added) return fail(added.error());
    }
    return out;
}

/// The ratio of two of the entries, under a key; empty if they lack one.
inline records::Entries ratioEntry(const records::Entries& entries, const char* key, const char* of, const char* over) {
    if (!records::findEntry(entries, of) || !records::findEntry(entries, over)) return {};
    return {{key, records::findNumber(entries, of) / records::findNumber(entries, over)}};
}

/// The entries of both, those of `first` first.
inline records::Entries joined(records::Entries first, const records::Entries& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}  // namespace clothlab::papers
