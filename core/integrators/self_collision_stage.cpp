#include "integrators/self_collision_stage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/stage_timer.hpp"
#include "cloth/springs.hpp"
#include "cloth/tearing.hpp"
#include "integrators/constraint_stage.hpp"

namespace clothlab::integrators {

/// Torn triangles are no surface any more.
void SelfCollisionStage::takeSurface(const cloth::ClothModel& model, const std::vector<std::uint8_t>& broken) {
    if (ready_ && model_ == &model && revision_ == model.revision && broken_ == broken) return;
    const std::vector<geometry::Triangle> whole = cloth::wholeTriangles(model, broken);
    std::vector<Vec3> rest;
    for (Index i = 0; i < model.rest.size(); ++i) rest.push_back(model.rest[i]);
    contact_.setSurface(rest, whole, geometry::edgesOf(whole, model.particles()));
    model_ = &model;
    revision_ = model.revision;
    broken_ = broken;
    ready_ = true;
}

void SelfCollisionStage::resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                                 StepOutcome& outcome) {
    if (context.contact.selfCollision != contact::SelfCollision::Robust) return;
    const StageTimer timer;
    const cloth::ClothModel& model = context.model;
    takeSurface(model, state.brokenSprings);
    prescribePinsAndGrab(state, context.grab, state.time, context.dt, held_);
    for (const contact::ParticleContact& c : candidate.contacts.contacts)
        held_.push_back({.particle = c.particle,
                         .ndof = c.ndof,
                         .p = c.normal,
                         .q = (c.secondNormal - c.normal.dot(c.secondNormal) * c.normal).normalized()});

    const Index n = state.x.size();
    if (u_.size() != n) u_.resize(n);
    u_.flat() = candidate.x.flat() - state.x.flat();
    double spacing = model.patches.front().spacing;
    for (const cloth::ClothModel::Patch& patch : model.patches) spacing = std::min(spacing, patch.spacing);
    double stiffness = 0;
    for (std::size_t e = 0; e < model.springs.size(); ++e)
        if (model.springs[e].family == cloth::SpringFamily::Stretch)
            stiffness = std::max(stiffness, context.forces.lawOf(e).stiffness);
    outcome.selfContact = contact_.resolve({.x = state.x,
                                            .mass = model.mass,
                                            .held = held_,
                                            .dt = context.dt,
                                            .thickness = context.contact.thickness * spacing,
                                            .stiffness = stiffness,
                                            .settings = context.contact},
                                           u_, context.pool);
    candidate.collided.assign(contact_.touched().begin(), contact_.touched().end());
    for (const Index i : candidate.collided) {
        const Vec3 place = state.x[i] + u_[i];
        candidate.v[i] += (place - Vec3(candidate.x[i])) / context.dt;
        candidate.x[i] = place;
    }
    outcome.contactSeconds += timer.seconds();
    if (outcome.selfContact.unresolved == 0 || hasFailed(outcome.status)) return;
    outcome.status = StepStatus::Unconverged;
    outcome.message =
        fmt::format("{} pairs of the cloth may go through each other: they touch at the start of the step.",
                    outcome.selfContact.unresolved);
}

}  // namespace clothlab::integrators
