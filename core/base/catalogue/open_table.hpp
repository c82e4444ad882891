#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "base/look.hpp"

/// A catalogue that grows while the program runs: first the built-in entries, then those that a plug-in, a script or a
/// test adds. Nothing is ever removed or moved, since scenes, threads and lists of the window hold kinds, names and
/// entries: spans, views and references stay valid for the life of the process. Readers take no lock; a span has the
/// entries at the time of the call.
namespace clothlab {

/// Lower-case letters, digits and single hyphens, starting with a letter: valid in files and options.
bool isTableKey(std::string_view key);
/// Checks the key of a new entry: an Error if it is malformed or taken.
Expected<void> checkNewKey(std::string_view key, std::span<const EnumEntry> names);
/// Checks that the keys are those of fields: an Error names the first that is not, and the valid ones.
Expected<void> checkParameters(const FieldList& fields, std::span<const std::string_view> keys);

/// `Entry` has `kind` (an enum), `key`, `label` and `help` (std::string). Entry k is of the kind with value k.
template <class Entry>
class OpenTable {
public:
    using Kind = decltype(Entry::kind);

    explicit OpenTable(std::vector<Entry> builtIn) : builtIn_(builtIn.size()) {
        entries_.reserve(kMost);  // pages that are not written cost nothing
        names_.reserve(kMost);
        first_ = entries_.data();
        firstName_ = names_.data();
        for (Entry& entry : builtIn) append(std::move(entry));
    }
    OpenTable(const OpenTable&) = delete;

    std::span<const Entry> entries() const { return {first_, count_.load(std::memory_order_acquire)}; }
    std::span<const EnumEntry> names() const { return {firstName_, count_.load(std::memory_order_acquire)}; }
    std::size_t builtIn() const { return builtIn_; }

    /// From any thread. `complete(entry)`, which no other addition interrupts, fills in the open members of the entry
    /// (its kind is known), or returns an Error.
    template <class Complete>
    Expected<Kind> add(Entry entry, Complete complete) {
        const std::lock_guard lock(adding_);
        if (auto good = checkNewKey(entry.key, names()); !good) return fail(std::move(good.error()));
        if (entries_.size() == kMost) return fail("the catalogue is full: entries are never removed");
        entry.kind = Kind(entries_.size());
        if (entry.label.empty()) entry.label = entry.key;
        if (Expected<void> good = complete(entry); !good) return fail(std::move(good.error()));
        append(std::move(entry));
        return Kind(entries_.size() - 1);
    }

private:
    static constexpr std::size_t kMost = 4096;

    void append(Entry entry) {
        assert(std::size_t(entry.kind) == entries_.size() && "entries have the order of the enum");
        const Entry& own = entries_.emplace_back(std::move(entry));
        names_.push_back({int(own.kind), own.key, own.label, own.help});
        count_.store(entries_.size(), std::memory_order_release);
    }

    std::size_t builtIn_;
    std::vector<Entry> entries_;  ///< never grows beyond what is reserved, so that nothing moves
    std::vector<EnumEntry> names_;
    const Entry* first_ = nullptr;
    const EnumEntry* firstName_ = nullptr;
    std::atomic<std::size_t> count_ = 0;
    std::mutex adding_;
};

/// A plot style that no entry has: the hues in turn, with this dash and marks from `Mark::Plus` downward (the marks of
/// variants begin at the other end).
template <class Entry>
Look freeLook(std::span<const Entry> entries, Dash dash) {
    for (int mark = int(Mark::Plus); mark > 0; --mark)
        for (const std::uint32_t color : hue::kAll) {
            const Look look{color, dash, Mark(mark)};
            if (std::ranges::find(entries, look, &Entry::look) == entries.end()) return look;
        }
    return {hue::kSlate, dash, Mark::Plus};
}

}  // namespace clothlab
