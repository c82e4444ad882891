#include "integrators/stages/solid_projection.hpp"

#include <algorithm>

#include "base/stage_timer.hpp"
#include "contact/touch_set.hpp"

namespace clothlab::integrators {

std::optional<SolidProjectionStage::Moved> SolidProjectionStage::projected(const StepContext& context, Index particle,
                                                                           const Vec3& from, const Vec3& to) const {
    contact::TouchSet touches;
    bool sticks = true;  // to each solid that it touches
    Vec3 end = to;
    for (std::size_t s = 0; s < solids_.size(); ++s) {
        const contact::MovingSolid& solid = solids_[s];
        const Vec3 local = solid.endToWorld.transpose() * (end - solid.endPosition);
        if (local.norm() > solid.radius) continue;
        const geometry::DistanceSample sample = geometry::signedDistance(*solid.shape, local);
        if (!(sample.distance < 0)) continue;
        const double depth = -sample.distance;
        const Vec3 normal = solid.endToWorld * sample.normal, velocity = solid.chordVelocityAt(from);
        end += depth * normal;
        Vec3 slip = end - from - solid.dt * velocity;
        slip -= normal.dot(slip) * normal;
        const double way = slip.norm();
        const bool holds = solid.muS > 0 && way <= solid.muS * depth;
        if (way > 0) end -= (holds ? 1.0 : std::min(solid.muK * depth / way, 1.0)) * slip;
        sticks = sticks && holds;
        touches.add({.collider = Index(s), .normal = normal, .depth = depth, .velocity = velocity, .isNew = true});
    }
    if (touches.count == 0) return {};
    Moved moved{.by = end - to, .contact = contact::makeContact(touches, particle)};
    if (sticks) moved.contact.ndof = 0;
    moved.contact.force = context.model.mass[particle] / (context.dt * context.dt) * moved.by;
    return moved;
}

void SolidProjectionStage::resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                                   StepOutcome& outcome) {
    if (context.contact.solids != contact::SolidResponse::Projection || context.colliders.empty()) return;
    const StageTimer timer;
    candidate.contacts.contacts.clear();  // may be those of the previous step
    held_.take(state, context, candidate);
    contact::placeSolids(context.colliders, state.time, context.dt, context.contact, solids_);
    const RowChunks rows{candidate.x.size()};
    chunks_.resize(std::size_t(rows.count()));
    context.pool.forChunks(rows.count(), rows.rows, [&](Index c) {
        chunks_[c].clear();
        for (Index i = rows.begin(c); i < rows.end(c); ++i)
            if (!held_.holds(i))
                if (const auto moved = projected(context, i, state.x[i], candidate.x[i])) chunks_[c].push_back(*moved);
    });
    for (const std::vector<Moved>& chunk : chunks_)
        for (const auto& [by, contact] : chunk) {
            candidate.x[contact.particle] += by;
            candidate.v[contact.particle] += by / context.dt;
            candidate.contacts.contacts.push_back(contact);
        }
    outcome.contactSeconds += timer.seconds();
}

}  // namespace clothlab::integrators
