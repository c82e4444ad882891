#include "integrators/stages/constraint_stage.hpp"

#include <algorithm>
#include <cmath>

#include "integrators/stages/holding_pins.hpp"
#include "integrators/stages/impact_zone_motion.hpp"

namespace clothlab::integrators {
namespace {

/// Moves a point out of all solids at a time, the nearest way; of two that leave no room the last one wins.
Vec3 outside(std::span<const contact::Collider> colliders, double time, Vec3 point) {
    for (const contact::Collider& collider : colliders) {
        const contact::ColliderPose pose = contact::poseAt(collider, time);
        const auto sample =
            geometry::signedDistance(collider.shape, pose.orientation.conjugate() * (point - pose.position));
        if (sample.distance < 0) point -= sample.distance * (pose.orientation * sample.normal);
    }
    return point;
}

/// The part of a vector along the line, or in the plane, of a hold.
Vec3 alongHold(const PinHold& hold, const Vec3& v) {
    const Vec3 part = v.dot(hold.direction) * hold.direction;
    return hold.ndof == 1 ? part : Vec3(v - part);
}

bool isBroken(const SimulationState& state, std::size_t spring) {
    return !state.brokenSprings.empty() && state.brokenSprings[spring] != 0;
}

/// The end of the grabbed particle's way, drawn back until no spring of its own is longer than the limit; where springs
/// on both sides hold it, it stays.
Vec3 withinReach(const SimulationState& state, const cloth::ClothModel& model, double maxStretch, Vec3 end) {
    struct Tether {
        Vec3 other;
        double length;  ///< m, the most
    };
    std::vector<Tether> tethers;
    const Index grabbed = state.grab.particle;
    for (std::size_t k = 0; k < model.springs.size(); ++k) {
        const cloth::Spring& s = model.springs[k];
        if (s.i != grabbed && s.j != grabbed) continue;
        if (s.family == cloth::SpringFamily::Bend || isBroken(state, k)) continue;
        tethers.push_back({state.x[s.i == grabbed ? s.j : s.i], maxStretch * s.restLength});
    }
    const auto isTight = [&](const Tether& t) { return (end - t.other).norm() > t.length * (1 + 1e-9); };
    for (int pass = 0; pass < 20 && std::any_of(tethers.begin(), tethers.end(), isTight); ++pass)
        for (const Tether& t : tethers)
            if (isTight(t)) end = t.other + t.length * (end - t.other).normalized();
    return std::any_of(tethers.begin(), tethers.end(), isTight) ? state.x[grabbed] : end;
}

/// Toward the pointer's target, no faster and no further than the settings allow; where a solid is in the way, to its
/// surface.
mechanics::Prescribed prescribedBy(const SimulationState& state, const cloth::ClothModel& model,
                                   const GrabSettings& settings, std::span<const contact::Collider> colliders,
                                   double time, double dt) {
    const Grab& grab = state.grab;
    const Vec3 x = state.x[grab.particle];
    Vec3 velocity = (grab.target - x) / dt;
    const double speed = velocity.norm();
    if (speed > settings.maxSpeed) velocity *= settings.maxSpeed / speed;
    for (const Pin& pin : state.pins)  // motion that the pin forbids is no stretch
        if (pin.particle == grab.particle && pin.hold.ndof > 0) velocity = alongHold(pin.hold, velocity);
    const Vec3 wanted = x + dt * velocity;
    const Vec3 end = outside(colliders, time + dt, withinReach(state, model, settings.maxStretch, wanted));
    if (end != wanted) velocity = (end - x) / dt;
    return {.particle = grab.particle,
            .ndof = 0,
            .velocity = velocity,
            .target = x + dt * velocity,
            .source = mechanics::PrescribedBy::Grab};
}

/// The grab moves what the pin leaves free: a bead stays on its wire.
void keepOn(const mechanics::Prescribed& pin, mechanics::Prescribed& grab) {
    const Mat3 free = linalg::DofConstraint{.ndof = pin.ndof, .p = pin.p, .q = pin.q}.S();
    grab.velocity = pin.velocity + free * (grab.velocity - pin.velocity);
    grab.target = pin.target + free * (grab.target - pin.target);
}

/// Particles that pins or the grab hold, ascending: they take no contact.
std::vector<Index> heldParticles(std::span<const mechanics::Prescribed> prescribed) {
    std::vector<Index> out;
    for (const mechanics::Prescribed& p : prescribed) out.push_back(p.particle);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace

void prescribePinsAndGrab(const SimulationState& state, const cloth::ClothModel& model, const GrabSettings& grab,
                          std::span<const contact::Collider> colliders, double time, double dt,
                          std::vector<mechanics::Prescribed>& out) {
    out.clear();
    const bool grabbed = state.grab.active && grab.mode == GrabMode::Constraint;
    if (grabbed) out.push_back(prescribedBy(state, model, grab, colliders, time, dt));
    forEachHoldingPin(state, model, [&](const Pin& pin) {
        out.push_back(prescribedBy(pin, state.pinMotion(pin), state.x[pin.particle], time + dt, dt));
        if (grabbed && pin.particle == state.grab.particle && pin.hold.ndof > 0) keepOn(out.back(), out.front());
    });
}

std::span<const cloth::AnchorSpring> ConstraintStage::anchors(const SimulationState& state, const GrabSettings& grab) {
    anchors_.clear();
    if (state.grab.active && grab.mode == GrabMode::Spring)
        anchors_.push_back({state.grab.particle, state.grab.target, Vec3::Zero(), grab.stiffness, grab.damping});
    return anchors_;
}

void ConstraintStage::begin(const SimulationState& state, const StepContext& context, const Span& span,
                            linalg::BlockVector& b, contact::ContactState& contacts, const linalg::BlockMatrix* A,
                            const EndVelocity& endVelocity) {
    if (context.contact.selfCollision == contact::SelfCollision::Robust && context.contact.carryForces &&
        !context.layers)
        contact::addLayerForces(state.layerForces, state.x, span.forceTime, b);
    prescribePinsAndGrab(state, context.model, context.grab, context.colliders, span.time, span.dt, prescribed_);
    if (endVelocity)
        for (mechanics::Prescribed& p : prescribed_) p.velocity = endVelocity(p.particle, p.velocity);
    fixed_ = prescribed_;
    exempt_ = heldParticles(prescribed_);
    repeats_ = 0;
    stopped_ = settled_ = false;
    if (looksAgain(context)) before_ = state.contacts;
    contact_.begin(state.contacts, makeInput(state, context, span, context.contact), b, contacts, prescribed_,
                   context.pool);
    complete(state, context, span, b, A);
}

contact::ContactInput ConstraintStage::makeInput(const SimulationState& state, const StepContext& context,
                                                 const Span& span, const contact::ContactSettings& settings) const {
    return {.colliders = solvedSolids(context),
            .time = span.time,
            .dt = span.dt,
            .forceTime = span.forceTime,
            .x = state.x,
            .v = state.v,
            .mass = context.model.mass,
            .settings = settings,
            .gravity = context.environment.gravity,
            .exempt = exempt_};
}

void ConstraintStage::complete(const SimulationState& state, const StepContext& context, const Span& span,
                               const linalg::BlockVector& b, const linalg::BlockMatrix* A) {
    for (std::size_t k = fixed_.size(); k < prescribed_.size(); ++k)
        prescribed_[k].target = state.x[prescribed_[k].particle] + span.dt * prescribed_[k].velocity;
    prescribeZones(state, {A, context.model.mass, b, span.dt}, prescribed_);
    build(state.v);
}

bool ConstraintStage::reconsider(const SimulationState& state, const StepContext& context, const Span& span,
                                 const contact::ContactAnswer& answer, linalg::BlockVector& b,
                                 contact::ContactState& contacts, const linalg::BlockMatrix* A,
                                 ContactRepeats& counts) {
    std::vector<mechanics::Prescribed> changed = fixed_;
    const bool last = settled_ || repeats_ == context.contact.activeSet;
    const contact::ContactChanges changes = contact_.reconsider(makeInput(state, context, span, context.contact),
                                                                answer, !last, b, contacts, changed, context.pool);
    if (!settled_) counts.misjudged = changes.share();
    stopped_ = last ? changes.caught > 0 : changes.stopped > 0;
    if (settled_ || (last && !changes.pushes()) || !changes.matter()) return false;
    if (last) {  // friction still pushes: that of a single solve is bounded, so that it does not
        contact::ContactSettings once = context.contact;
        once.activeSet = 0;
        contact_.withdraw(contacts, b);
        contact_.begin(before_, makeInput(state, context, span, once), b, contacts, changed, context.pool);
        settled_ = true;
    }
    frictionNorm_ = std::sqrt(changes.squares);
    ++repeats_;
    ++counts.repeats;
    prescribed_ = std::move(changed);
    complete(state, context, span, b, A);
    return true;
}

void ConstraintStage::build(const linalg::BlockVector& v) {
    constraints_.reset(v.size());
    std::erase_if(prescribed_, [&](const mechanics::Prescribed& p) {
        if (constraints_.ndof(p.particle) < 3) return true;  // a stronger request came first
        constraints_.set({.particle = p.particle,
                          .ndof = p.ndof,
                          .p = p.p,
                          .q = p.q,
                          .z = p.velocity - v[p.particle],
                          .passing = p.source != mechanics::PrescribedBy::Pin});
        return false;
    });
    constraints_.sort();
}

void ConstraintStage::put(const mechanics::Prescribed& p, linalg::BlockVector& x) const {
    const Vec3 off = p.target - x[p.particle];
    x[p.particle] += off - constraints_.find(p.particle)->S() * off;
}

void ConstraintStage::place(linalg::BlockVector& x) const {
    for (const mechanics::Prescribed& p : prescribed_) put(p, x);
}

void ConstraintStage::placeContacts(linalg::BlockVector& x) const {
    for (const mechanics::Prescribed& p : prescribed_)
        if (p.source == mechanics::PrescribedBy::Contact) put(p, x);
}

void ConstraintStage::finish(const std::function<const linalg::BlockVector&()>& lambda, const Span& span,
                             const StepContext& context, SimulationState& candidate) const {
    if (stopped_)
        for (const contact::ContactStop& stop : contact_.stops()) {
            const Index i = stop.particle;
            candidate.x[i] += std::max(0.0, stop.bound - stop.normal.dot(candidate.x[i])) * stop.normal;
            candidate.v[i] += std::max(0.0, stop.speed - stop.normal.dot(candidate.v[i])) * stop.normal;
        }
    if (candidate.contacts.contacts.empty()) return;
    contact_.finish(lambda(), 1.0 / span.forceTime, candidate.contacts);
    contact::ContactSolver::pushOut(candidate.contacts, context.contact, candidate.x);
}

}  // namespace clothlab::integrators
