#include "integrators/constraints.hpp"

#include <algorithm>

namespace clothlab::integrators {

void prescribePinsAndGrab(const SimulationState& state, const GrabSettings& grab, double dt,
                          std::vector<mechanics::Prescribed>& out) {
    out.clear();
    if (state.grab.active && grab.mode == GrabMode::Constraint) {
        Vec3 velocity = (state.grab.target - state.x[state.grab.particle]) / dt;
        const double speed = velocity.norm();
        if (speed > grab.maxSpeed) velocity *= grab.maxSpeed / speed;
        out.push_back({.particle = state.grab.particle,
                       .ndof = 0,
                       .velocity = velocity,
                       .source = mechanics::PrescribedBy::Grab});
    }
    for (const Pin& pin : state.pins)
        out.push_back({.particle = pin.particle,
                       .ndof = 0,
                       .velocity = (pin.target - state.x[pin.particle]) / dt,
                       .source = mechanics::PrescribedBy::Pin});
}

std::vector<Index> heldParticles(std::span<const mechanics::Prescribed> prescribed) {
    std::vector<Index> out;
    for (const mechanics::Prescribed& p : prescribed) out.push_back(p.particle);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

contact::ContactInput contactInput(const StepContext& context, const SimulationState& state, const ContactTimes& times,
                                   std::span<const Index> held) {
    return {.colliders = context.colliders,
            .time = times.time,
            .dt = times.dt,
            .forceTime = times.forceTime,
            .x = state.x,
            .v = state.v,
            .mass = context.model.mass,
            .settings = context.contact,
            .gravity = context.environment.gravity,
            .exempt = held};
}

void buildConstraints(std::span<const mechanics::Prescribed> prescribed, const linalg::BlockVector& v,
                      linalg::DofConstraints& out) {
    out.reset(v.size());
    for (const mechanics::Prescribed& p : prescribed) {
        if (out.ndof(p.particle) < 3) continue;  // a stronger request came first
        out.set({.particle = p.particle, .ndof = p.ndof, .p = p.p, .q = p.q, .z = p.velocity - v[p.particle]});
    }
    out.sort();
}

void grabAnchor(const SimulationState& state, const GrabSettings& grab, std::vector<cloth::AnchorSpring>& out) {
    out.clear();
    if (state.grab.active && grab.mode == GrabMode::Spring)
        out.push_back({state.grab.particle, state.grab.target, Vec3::Zero(), grab.stiffness, grab.damping});
}

}  // namespace clothlab::integrators
