#include <fmt/format.h>

#include <algorithm>

#include "simulation/recording.hpp"

namespace clothlab::simulation {
namespace {

tl::unexpected<Error> misses(Error why) {
    why.message = "the recording does not fit this program or its scenes: " + why.message;
    return fail(std::move(why));
}

/// The number of the motion that an edit brings back, or none.
std::optional<std::int64_t> broughtBack(const RecordedEvent& event) {
    const Edit* edit = std::get_if<Edit>(&event);
    if (!edit) return {};
    if (const auto* back = std::get_if<edits::Return>(edit)) return back->id;
    if (const auto* pins = std::get_if<edits::PinsOf>(edit)) return pins->id;
    return {};
}

}  // namespace

Expected<BegunReplay> beginReplay(const std::string& path) {
    auto recording = loadRecording(path);
    if (!recording) return fail(recording.error());
    std::vector<RecordedEvent>& events = recording->events;
    Edit* first = events.empty() ? nullptr : std::get_if<Edit>(&events.front());
    edits::Load* load = first ? std::get_if<edits::Load>(first) : nullptr;
    if (!load) return fail(Error{.message = "nothing was recorded: it begins with no scene", .file = path});
    BegunReplay begun{std::move(*load), std::move(*recording)};
    begun.rest.events.erase(begun.rest.events.begin());
    return begun;
}

Replay::Replay(std::vector<RecordedEvent> events) : events_(std::move(events)) {
    for (std::size_t k = 0; k < events_.size(); ++k)
        if (const auto id = broughtBack(events_[k])) lastUse_[*id] = k;
}

std::int64_t Replay::allSteps() const {
    std::int64_t sum = 0;
    for (const RecordedEvent& event : events_)
        if (const auto* steps = std::get_if<Steps>(&event)) sum += steps->count;
    return sum;
}

Expected<bool> Replay::upToStep(Session& session) {
    for (; at_ < events_.size(); ++at_) {
        if (const Edit* edit = std::get_if<Edit>(&events_[at_])) {
            if (auto done = apply(*edit, session); !done) return fail(done.error());
        } else if (const Steps* steps = std::get_if<Steps>(&events_[at_]); !steps) {
            adopts_ = true;
        } else if (inRow_ == steps->count) {
            inRow_ = 0;
        } else if (session.loaded()) {
            return true;
        } else {
            return misses({.message = "it steps before it loads a scene"});
        }
    }
    return false;
}

Expected<bool> Replay::step(Session& session, Simulation::StepOptions options) {
    const auto more = upToStep(session);
    if (!more || !*more) return more;
    // Whatever was made in the background then is taken when it was taken then.
    options.adoption =
        std::exchange(adopts_, false) ? integrators::FactorAdoption::Now : integrators::FactorAdoption::Later;
    session.simulation().step(options);
    ++inRow_, ++steps_;
    return true;
}

Expected<void> Replay::apply(const Edit& edit, Session& session) {
    if (std::holds_alternative<edits::Ghost>(edit) && !ghosts) return {};
    if (const auto* keep = std::get_if<edits::Keep>(&edit)) put(keep->id, session);
    if (auto done = session.apply(edit, *this); !done) return misses(done.error());
    if (traitsFor(edit).effect != Effect::LooksOn) ++changes_;
    if (const auto id = broughtBack(events_[at_]); id && lastUse_.at(*id) == at_) kept_.erase(*id);
    if (onEdit) onEdit(edit);
    return {};
}

void Replay::put(std::int64_t id, const Session& session) {
    const auto use = lastUse_.find(id);
    if (session.loaded() && use != lastUse_.end() && use->second > at_) kept_[id] = session.simulation().keep();
}

const StoredMotion* Replay::find(std::int64_t id) const {
    const auto found = kept_.find(id);
    return found == kept_.end() ? nullptr : &found->second;
}

}  // namespace clothlab::simulation
