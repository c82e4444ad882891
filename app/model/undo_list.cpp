#include "model/undo_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "model/ui_model.hpp"
#include "widgets/numbers.hpp"

namespace clothlab::app::model {
namespace {

constexpr std::size_t kMostChanges = 300;
constexpr std::size_t kMostBytes = std::size_t{512} << 20;  // of motions that are kept

std::string displayTitle(const OpenScene& open) {
    const scene::Scene& scene = open.scene;
    const std::string size = scene.cloths.size() == 1 ? ", " + sizeText(open.activePatch) + "," : "";
    return (scene.title.empty() ? scene.name : scene.title) + size;
}

std::string stepsWords(std::int64_t from, std::int64_t to) {
    return from == to ? fmt::format("Step {}", to) : fmt::format("Steps {} to {}", from, to);
}

}  // namespace

std::string changedWords(scene::Settings before, scene::Settings after) {
    FieldList then, now;
    describe(before, then);
    describe(after, now);
    std::string words;
    int more = 0;
    for (std::size_t k = 0; k < now.fields().size(); ++k) {
        const Field &from = then.fields()[k], &to = now.fields()[k];
        if (equalValues(from.ref, to.ref)) continue;
        if (!words.empty())
            ++more;
        else
            words = fmt::format("{} {} → {}", to.meta.label, widgets::fieldText(from, false), widgets::fieldText(to));
    }
    return more == 0 ? words : fmt::format("{} and {} more", words, more);
}

std::vector<std::string> changedKeys(scene::Settings before, scene::Settings after) {
    FieldList then, now;
    describe(before, then);
    describe(after, now);
    std::vector<std::string> keys;
    for (std::size_t k = 0; k < now.fields().size(); ++k)
        if (!equalValues(then.fields()[k].ref, now.fields()[k].ref)) keys.push_back(now.fields()[k].key);
    return keys;
}

std::string Change::words() const {
    const worker::MotionSlot::Content* then = before.motion ? before.motion->content() : nullptr;
    const std::int64_t step = then ? then->simulation.state.step : 0;
    switch (of) {
        case Of::Cut:
            return fmt::format("the cut at step {}, and the motion since", step);
        case Of::Motion:
            return fmt::format("{} at step {}, and the motion since", subject, step);
        case Of::Restart:
            return fmt::format("the restart at step {}", step);
        case Of::Way:
            return fmt::format("the motion since step {}, where later steps were dropped", step);
        default:
            return subject;
    }
}

std::string Change::lost() const {
    const worker::MotionSlot::Content* then = before.motion ? before.motion->content() : nullptr;
    if (!then) return {};
    const simulation::StoredMotion& kept = then->simulation;
    const std::int64_t step = kept.state.step;
    switch (of) {
        case Of::Way:
            return stepsWords(step + 1, kept.history.lastStep()) + " dropped.";
        case Of::Restart:
            return stepsWords(1, kept.history.lastStep()) + " dropped.";
        case Of::Scene: {
            const bool touched = step > 0 || kept.scene.settings != kept.loaded || !kept.painting.empty();
            return touched ? fmt::format("Closed {} at step {}.", displayTitle(*before.scene), step) : "";
        }
        default:
            return {};
    }
}

std::size_t Change::bytes() const {
    std::size_t sum = 0;
    for (const Side* side : {&before, &after})
        if (side->motion) sum += side->motion->bytes();
    return sum;
}

Change* UndoList::add(Change change) {
    if (!change.open()) undone_.clear();
    done_.push_back(std::move(change));
    going_ = true;
    forgetOldest();
    return &done_.back();
}

Change* UndoList::going(Change::Of of) {
    return going_ && !done_.empty() && done_.back().of == of ? &done_.back() : nullptr;
}

void UndoList::clear() {
    done_.clear();
    undone_.clear();
}

void UndoList::dropLast() { done_.pop_back(); }

void UndoList::forgetOldest() {
    std::size_t bytes = 0;
    for (const Change& change : done_) bytes += change.bytes();
    while (done_.size() > 1 && (done_.size() > kMostChanges || bytes > kMostBytes)) {
        bytes -= done_.front().bytes();
        done_.pop_front();
    }
}

Change* UndoList::back() {
    letGo();
    if (done_.empty()) return nullptr;
    undone_.push_back(std::move(done_.back()));
    dropLast();
    return &undone_.back();
}

Change* UndoList::forth() {
    letGo();
    if (undone_.empty()) return nullptr;
    done_.push_back(std::move(undone_.back()));
    undone_.pop_back();
    return &done_.back();
}

bool UndoList::bringStrokeForward() {
    using enum Change::Of;
    const auto free = [](const Change& change) { return change.of == Settings || change.of == Pins; };
    const auto stroke = std::find_if_not(done_.rbegin(), done_.rend(), free);
    if (stroke == done_.rend() || stroke->of != Painting) return false;
    std::rotate(stroke.base() - 1, stroke.base(), done_.end());
    return true;
}

std::string UndoList::settle() {
    std::string lost;
    const Change* stroke = going(Change::Of::Cut);
    std::erase_if(undone_, [](const Change& change) { return change.open(); });
    std::erase_if(done_, [&](const Change& change) { return change.fresh && change.open() && &change != stroke; });
    for (Change& change : done_) {
        if (!change.fresh || change.open()) continue;
        change.fresh = false;
        if (change.before.motion) undone_.clear();
        if (std::string words = change.lost(); !words.empty()) lost = std::move(words);
    }
    forgetOldest();
    return lost;
}

}  // namespace clothlab::app::model
