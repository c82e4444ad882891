#include "integrators/stages/self_collision_stage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/stage_timer.hpp"
#include "cloth/sewing.hpp"
#include "cloth/springs.hpp"
#include "cloth/tearing.hpp"
#include "integrators/stages/constraint_stage.hpp"
#include "integrators/stages/layer_repeats.hpp"

namespace clothlab::integrators {
namespace {

/// Depth, in mesh spacings, that a particle may have in a solid at the end of a step.
constexpr double kDepthShare = 0.005;
/// Distance from a solid, in mesh spacings, up to which a particle has a wall at the end of a step.
constexpr double kReachShare = 2;

}  // namespace

/// Torn triangles are not part of the surface.
void SelfCollisionStage::updateSurface(const cloth::ClothModel& model, const std::vector<std::uint8_t>& broken) {
    if (ready_ && model_ == &model && revision_ == model.revision && broken_ == broken) return;
    const std::vector<geometry::Triangle> whole = cloth::wholeTriangles(model, broken);
    std::vector<Vec3> rest;
    for (Index i = 0; i < model.rest.size(); ++i) rest.push_back(model.rest[i]);
    contact_.setSurface(rest, whole, geometry::collectEdges(whole, model.particles()), cloth::findSeams(model));
    model_ = &model;
    revision_ = model.revision;
    broken_ = broken;
    ready_ = true;
}

void SelfCollisionStage::collectHeld(const SimulationState& state, const StepContext& context,
                                     const SimulationState& candidate) {
    prescribePinsAndGrab(state, context.model, context.grab, context.colliders, state.time, context.dt, held_);
    for (const contact::ParticleContact& c : candidate.contacts.contacts)
        held_.push_back({.particle = c.particle,
                         .ndof = c.ndof,
                         .p = c.normal,
                         .q = (c.secondNormal - c.normal.dot(c.secondNormal) * c.normal).normalized()});
}

/// A particle deep in a solid that already holds it is moved out by position only, like contact's own push-out: it was
/// pinched, or a method with substeps has caught it on the way.
void SelfCollisionStage::pushOut(const SimulationState& state, SimulationState& candidate) {
    auto contact = candidate.contacts.contacts.begin();
    for (const contact::Wall& wall : walls_) {
        while (contact != candidate.contacts.contacts.end() && contact->particle < wall.particle) ++contact;
        if (contact == candidate.contacts.contacts.end()) return;
        const double missing = wall.bound - wall.normal.dot(u_[wall.particle]);
        if (contact->particle != wall.particle || missing <= 0) continue;
        u_[wall.particle] += missing * wall.normal;
        candidate.x[wall.particle] = state.x[wall.particle] + u_[wall.particle];
    }
}

/// Solids that hold a particle already are walls, too, and push with the force that the step has found.
void SelfCollisionStage::addContacts(const SimulationState& candidate) {
    for (const contact::ParticleContact& c : candidate.contacts.contacts)
        for (const Vec3& normal : {c.normal, c.secondNormal})
            if (!normal.isZero(0.0))
                walls_.push_back({c.particle, normal, normal.dot(u_[c.particle]), std::max(0.0, normal.dot(c.force))});
}

void SelfCollisionStage::accept(const SimulationState& state, double dt, SimulationState& candidate) {
    const Index n = candidate.x.size();
    for (Index i = 0; i < n; ++i) {
        if (u_[i] == wanted_[i]) continue;
        candidate.collided.push_back(i);
        candidate.v[i] += (u_[i] - wanted_[i]) / dt;
        candidate.x[i] = state.x[i] + u_[i];
    }
    candidate.layerForces.assign(contact_.forces().begin(), contact_.forces().end());
    for (const contact::SelfContact::Zone& zone : contact_.zones()) {
        candidate.zones.add(zone.members);
        for (std::size_t k = 0; k < zone.members.size(); ++k)
            if (!contact_.leads(zone.members[k])) candidate.v[zone.members[k]] = zone.velocities[k];
    }
}

void SelfCollisionStage::resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                                 StepOutcome& outcome) {
    candidate.collided.clear();
    candidate.zones = {};
    candidate.layerForces.clear();
    if (context.contact.selfCollision != contact::SelfCollision::Robust) return;
    const StageTimer timer;
    const cloth::ClothModel& model = context.model;
    updateSurface(model, state.brokenSprings);
    const auto [spacing, widest, thickness, stiffness] = makeLayerScale(context);
    collectHeld(state, context, candidate);
    u_.resize(state.x.size());
    u_.flat() = candidate.x.flat() - state.x.flat();
    std::span<const contact::LayerForce> carried;
    std::vector<contact::LayerForce> within;
    if (context.layers) {
        carried = within = context.layers->nearForces();
    } else if (context.contact.carryForces) {
        carried = state.layerForces;
    }
    solids_.place({.colliders = context.colliders,
                   .time = state.time + context.dt,
                   .dt = context.dt,
                   .depth = kDepthShare * spacing,
                   .reach = kReachShare * spacing,
                   .muK = context.contact.muK,
                   .spacing = widest});
    solids_.look(state.x, u_, context.pool);
    solids_.find(state.x, u_, walls_, context.pool);
    solids_.findFeatures(state.x, u_, {contact_.edges(), contact_.triangles()}, featureWalls_, context.pool);
    const double edges = contact::featureEnergy(featureWalls_, stiffness);
    pushOut(state, candidate);
    addContacts(candidate);
    wanted_ = u_;
    const contact::SelfContactInput input{.x = state.x,
                                          .mass = model.mass,
                                          .held = held_,
                                          .walls = walls_,
                                          .featureWalls = featureWalls_,
                                          .solids = &solids_,
                                          .carried = carried,
                                          .dt = context.dt,
                                          .thickness = thickness,
                                          .stiffness = stiffness,
                                          .settings = context.contact,
                                          .within = context.layers,
                                          .stop = context.control.stop};
    outcome.selfContact = contact_.resolve(input, u_, context.pool);
    outcome.selfContact.energy = edges;
    if (context.layers) contact_.giveLayers(input, u_, outcome.selfContact, *context.layers);
    accept(state, context.dt, candidate);
    outcome.contactSeconds += timer.seconds();
    if (!hasFailed(outcome.status)) report(outcome);
}

void SelfCollisionStage::report(StepOutcome& outcome) {
    const contact::SelfContactCounts& counts = outcome.selfContact;
    if (counts.unresolved == 0 && counts.pinched == 0 && counts.tangled == 0) return;
    outcome.status = StepStatus::Unconverged;
    outcome.message = counts.tangled > 0
                          ? fmt::format("{} edges go through the cloth at the start of the step.", counts.tangled)
                      : counts.unresolved > 0
                          ? fmt::format("{} pairs of the cloth may intersect: they touch at the start of the step.",
                                        counts.unresolved)
                          : fmt::format("{} particles are pinched: a solid pushes them, but the cloth is in the way.",
                                        counts.pinched);
}

}  // namespace clothlab::integrators
