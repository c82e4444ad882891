#include "simulation/edits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulation/session.hpp"
#include "simulation/state_file.hpp"

namespace clothlab::simulation {
namespace {

tl::unexpected<Error> noParticle(Index particle, const Simulation& simulation) {
    return fail(fmt::format("there is no particle {} (valid: 0 to {})", particle, simulation.model().particles() - 1));
}

bool has(const Simulation& simulation, Index particle) {
    return particle >= 0 && particle < simulation.model().particles();
}

/// A painting comes from a file, or was made for the mesh before.
bool fits(const scene::Painting& painting, const Simulation& simulation) {
    const std::size_t cloths = simulation.unpaintedScene().cloths.size();
    return std::ranges::all_of(painting.layers, [&](const scene::Painting::Layer& layer) {
        return std::size_t(layer.cloth) < cloths &&
               std::ranges::all_of(layer.particles, [&](Index i) { return has(simulation, i); });
    });
}

}  // namespace

const EditTraits& traitsFor(const Edit& edit) {
    return std::visit([](const auto& each) -> const EditTraits& { return each.kTraits; }, edit);
}

bool takesOver(const Edit& edit) {
    return std::visit(
        [](const auto& each) {
            if constexpr (requires { each.takesOver(); }) return each.takesOver();
            return each.kTraits.takesOver;
        },
        edit);
}

Expected<void> assign(const edits::Set& set, scene::Settings& settings) {
    FieldList fields;
    describe(settings, fields);
    for (const auto& [key, value] : set.values) {
        const Field* field = fields.find(key);
        if (!field) return fail(fmt::format("there is no setting '{}'", key));
        if (auto done = assignText(*field, value); !done) return done;
    }
    return {};
}

edits::Set difference(const scene::Settings& from, const scene::Settings& to) {
    scene::Settings before = from, after = to;
    FieldList old, fresh;
    describe(before, old);
    describe(after, fresh);
    edits::Set set;
    for (std::size_t k = 0; k < fresh.fields().size(); ++k)
        if (!equalValues(old.fields()[k].ref, fresh.fields()[k].ref))
            set.values.emplace_back(fresh.fields()[k].key, valueText(fresh.fields()[k].ref));
    return set;
}

namespace edits {

Expected<bool> Load::apply(Session& session, Shelf&) const {
    auto made = state ? resume({scene, *state}, session.threads()) : Simulation::create(scene, session.threads());
    if (!made) return fail(made.error());
    session.replace(std::move(*made));
    return true;
}

Expected<bool> Set::apply(Simulation& simulation) const {
    scene::Settings settings = simulation.settings();
    if (auto done = assign(*this, settings); !done) return fail(done.error());
    simulation.apply(settings);
    return !values.empty();
}

Expected<bool> Hold::apply(Simulation& simulation) const {
    if (cloth.active && !has(simulation, cloth.particle)) return noParticle(cloth.particle, simulation);
    if (solid.active && std::size_t(solid.collider) >= simulation.colliders().size())
        return fail(fmt::format("there is no solid {}", solid.collider));
    simulation.setGrab(cloth);
    simulation.setColliderGrab(solid);
    return true;
}

Expected<bool> Pin::apply(Simulation& simulation) const {
    if (!has(simulation, particle)) return noParticle(particle, simulation);
    simulation.setPin(particle, hold, motion);
    return true;
}

Expected<bool> Unpin::apply(Simulation& simulation) const {
    if (!has(simulation, particle)) return noParticle(particle, simulation);
    simulation.setPin(particle, std::nullopt);
    return true;
}

Expected<bool> Cut::apply(Simulation& simulation) const { return simulation.cut(blade) > 0; }

Expected<bool> Ball::apply(Simulation& simulation) const {
    simulation.throwBall(from, ball);
    return true;
}

Expected<bool> Paint::apply(Simulation& simulation) const {
    if (!fits(painting, simulation)) return fail("a layer of it names a cloth or a particle that does not exist");
    if (auto done = simulation.paint(painting); !done) return fail(done.error());
    return true;
}

Expected<bool> Restart::apply(Simulation& simulation) const {
    const bool moved = simulation.history().lastStep() > 0;
    simulation.restart();
    return moved;
}

Expected<bool> Seek::apply(Simulation& simulation) const {
    if (!simulation.seek(step)) return fail(fmt::format("step {} is not remembered", step));
    return true;
}

Expected<bool> Return::apply(Session& session, Shelf& shelf) const {
    const StoredMotion* kept = shelf.find(id);
    if (!kept) return fail(fmt::format("no motion was put aside as {}", id));
    if (!anew) {
        if (auto done = session.simulation().restoreMotion(*kept); !done) return fail(done.error());
        return true;
    }
    auto made = Simulation::recreate(*kept, session.threads());
    if (!made) return fail(made.error());
    session.replace(std::move(*made));
    return true;
}

Expected<bool> PinsOf::apply(Session& session, Shelf& shelf) const {
    const StoredMotion* kept = shelf.find(id);
    if (!kept) return fail(fmt::format("no motion was put aside as {}", id));
    if (auto done = session.simulation().copyPins(*kept); !done) return fail(done.error());
    return true;
}

Expected<bool> Ghost::apply(Session& session, Shelf&) const {
    if (!differs) {
        session.endGhosts();
        return false;
    }
    scene::Settings settings = session.simulation().settings();
    if (auto done = assign(*differs, settings); !done) return fail(done.error());
    if (auto done = session.startGhost(settings, further); !done) return fail(done.error());
    return false;
}

}  // namespace edits
}  // namespace clothlab::simulation
