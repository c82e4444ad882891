#include <fmt/format.h>

#include <algorithm>

#include "simulation/recording.hpp"
#include "simulation/state_file.hpp"

namespace clothlab::simulation {
namespace {

using namespace recorded;

tl::unexpected<Error> misses(std::string_view what) {
    return fail(fmt::format("the recording does not fit this program or its scenes: {}", what));
}

bool fits(const scene::Painting& painting, const Simulation& simulation) {
    const scene::Scene scene = simulation.unpaintedScene();
    return std::ranges::all_of(painting.layers, [&](const scene::Painting::Layer& layer) {
        return std::size_t(layer.cloth) < scene.cloths.size() && std::ranges::all_of(layer.particles, [&](Index i) {
                   return i >= 0 && i < simulation.model().particles();
               });
    });
}

}  // namespace

Expected<BegunReplay> beginReplay(const std::string& path) {
    auto recording = loadRecording(path);
    if (!recording) return fail(recording.error());
    std::vector<RecordedEvent>& events = recording->events;
    if (events.empty() || !std::holds_alternative<Load>(events.front()))
        return fail(Error{.message = "nothing was recorded: it begins with no scene", .file = path});
    BegunReplay begun{std::move(std::get<Load>(events.front())), std::move(*recording)};
    begun.rest.events.erase(begun.rest.events.begin());
    return begun;
}

Expected<void> assign(const Set& set, scene::Settings& settings) {
    FieldList fields;
    describe(settings, fields);
    for (const auto& [key, value] : set.values) {
        const Field* field = fields.find(key);
        if (!field) return fail(fmt::format("there is no setting '{}'", key));
        if (auto done = assignText(*field, value); !done) return done;
    }
    return {};
}

Set difference(const scene::Settings& from, const scene::Settings& to) {
    scene::Settings before = from, after = to;
    FieldList old, fresh;
    describe(before, old);
    describe(after, fresh);
    Set set;
    for (std::size_t k = 0; k < fresh.fields().size(); ++k)
        if (!equalValues(old.fields()[k].ref, fresh.fields()[k].ref))
            set.values.emplace_back(fresh.fields()[k].key, valueText(fresh.fields()[k].ref));
    return set;
}

Replay::Replay(std::vector<RecordedEvent> events) : events_(std::move(events)) {
    for (std::size_t k = 0; k < events_.size(); ++k) {
        if (const auto* back = std::get_if<Return>(&events_[k])) lastUse_[back->id] = k;
        if (const auto* pins = std::get_if<PinsOf>(&events_[k])) lastUse_[pins->id] = k;
    }
}

std::int64_t Replay::allSteps() const {
    std::int64_t sum = 0;
    for (const RecordedEvent& event : events_)
        if (const auto* steps = std::get_if<Steps>(&event)) sum += steps->count;
    return sum;
}

Expected<bool> Replay::upToStep(std::unique_ptr<Simulation>& simulation, int threads) {
    for (; at_ < events_.size(); ++at_) {
        const auto* steps = std::get_if<Steps>(&events_[at_]);
        if (!steps) {
            if (auto done = apply(events_[at_], simulation, threads); !done) return fail(done.error());
            if (onEvent) onEvent(events_[at_]);
            continue;
        }
        if (inRow_ == steps->count) {
            inRow_ = 0;
            continue;
        }
        if (!simulation) return misses("it steps before it loads a scene");
        return true;
    }
    return false;
}

Expected<bool> Replay::step(std::unique_ptr<Simulation>& simulation, int threads, Simulation::StepOptions options) {
    const auto more = upToStep(simulation, threads);
    if (!more || !*more) return more;
    // Whatever was made in the background then is taken when it was taken then.
    options.adoption =
        std::exchange(adopts_, false) ? integrators::FactorAdoption::Now : integrators::FactorAdoption::Later;
    simulation->step(options);
    ++inRow_, ++steps_;
    return true;
}

Expected<void> Replay::apply(const RecordedEvent& event, std::unique_ptr<Simulation>& simulation, int threads) {
    if (const auto* load = std::get_if<Load>(&event)) {
        auto made =
            load->state ? resume({load->scene, *load->state}, threads) : Simulation::create(load->scene, threads);
        if (!made) return fail(made.error());
        simulation = std::move(*made);
        ++changes_;
        return {};
    }
    if (!simulation) return misses("it begins without a scene");
    Simulation& s = *simulation;
    if (std::holds_alternative<Adopt>(event))
        adopts_ = true;
    else if (!std::holds_alternative<Keep>(event) && !std::holds_alternative<recorded::Ghost>(event))
        ++changes_;
    if (const auto* set = std::get_if<Set>(&event)) {
        scene::Settings settings = s.settings();
        if (auto done = assign(*set, settings); !done) return done;
        s.apply(settings);
    } else if (const auto* hold = std::get_if<Hold>(&event)) {
        if (hold->cloth.active && hold->cloth.particle >= s.model().particles())
            return misses("it holds a particle that there is not");
        if (hold->solid.active && std::size_t(hold->solid.collider) >= s.colliders().size())
            return misses("it holds a solid that there is not");
        s.setGrab(hold->cloth);
        s.setColliderGrab(hold->solid);
    } else if (const auto* pin = std::get_if<PinAt>(&event)) {
        if (pin->particle >= s.model().particles()) return misses("it pins a particle that there is not");
        s.setPin(pin->particle, pin->hold, pin->motion);
    } else if (const auto* cut = std::get_if<Cut>(&event)) {
        s.cut(cut->blade);
    } else if (const auto* ball = std::get_if<Ball>(&event)) {
        s.throwBall(ball->from, ball->ball);
    } else if (const auto* paint = std::get_if<Paint>(&event)) {
        if (!fits(paint->painting, s)) return misses("it paints particles that there are not");
        return s.paint(paint->painting);
    } else if (std::holds_alternative<Restart>(event)) {
        s.restart();
    } else if (const auto* seek = std::get_if<Seek>(&event)) {
        if (!s.seek(seek->step)) return misses("it goes back to a step that is not remembered");
    } else if (const auto* keep = std::get_if<Keep>(&event)) {
        if (const auto use = lastUse_.find(keep->id); use != lastUse_.end() && use->second > at_)
            kept_[keep->id] = s.keep();
    } else if (const auto* back = std::get_if<Return>(&event)) {
        return comeBack(*back, simulation, threads);
    } else if (const auto* pins = std::get_if<PinsOf>(&event)) {
        const auto kept = kept_.find(pins->id);
        if (kept == kept_.end()) return misses("it takes pins of a motion that was not put aside");
        if (auto done = s.takePins(kept->second); !done) return misses(done.error().message);
        if (lastUse_.at(pins->id) == at_) kept_.erase(kept);
    }
    return {};
}

Expected<void> Replay::comeBack(const Return& back, std::unique_ptr<Simulation>& simulation, int threads) {
    const auto found = kept_.find(back.id);
    if (found == kept_.end()) return misses("it goes back to a motion that was not put aside");
    if (!back.anew) {
        if (auto done = simulation->takeBack(found->second); !done) return misses(done.error().message);
    } else {
        auto made = Simulation::recreate(found->second, threads);
        if (!made) return fail(made.error());
        simulation = std::move(*made);
    }
    if (lastUse_.at(back.id) == at_) kept_.erase(found);
    return {};
}

}  // namespace clothlab::simulation
