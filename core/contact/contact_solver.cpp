#include "contact/contact_solver.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "contact/sliding.hpp"

namespace clothlab::contact {

namespace {

/// Rounding of a relative velocity (m/s): a particle that moves with the solid counts as approaching.
constexpr double kVelocityRounding = 1e-12;
/// A contact whose normal turned by more than 60 degrees within a step is on another face: it must be captured anew.
constexpr double kSameFace = 0.5;
/// Depth (m) at which a particle may end in a solid that was not in the solve: the next step finds it there.
constexpr double kShallow = 1e-3;
/// A particle caught and released this often in a step is not caught again: it is stopped after the last solve.
constexpr int kCatches = 2;
/// Share of the cone and of the weight that rounding may add to a force.
constexpr double kForceRounding = 1e-9;

Normals contactNormals(const ParticleContact& c) { return {{c.normal, c.secondNormal, c.thirdNormal}}; }

bool touchesSolid(const ParticleContact& c, Index solid) {
    return c.collider == solid || c.secondCollider == solid || c.thirdCollider == solid;
}

}  // namespace

/// One particle at the start of the step, with its contact of the previous step.
struct ContactSolver::Particle {
    Index index;
    double mass;
    Vec3 x, v, b;
    const ParticleContact* before;  ///< null: it was free

    /// The contact force that would bring it to velocity u within this step: c = m (u - v)/h - b/h.
    Vec3 stoppingForce(const Vec3& u, double forceTime) const { return (mass * (u - v) - b) / forceTime; }
    /// Where it would end without solids, m: forces on it count at most as gravity, since springs give way.
    Vec3 destination(const ContactInput& input) const {
        const Vec3 change = b / mass;
        const double most = input.dt * input.gravity.norm(), size = change.norm();
        return x + input.dt * (size > most ? Vec3(v + most / size * change) : Vec3(v + change));
    }
    const Vec3* normalBefore(Index collider) const {
        if (before == nullptr) return nullptr;
        if (before->collider == collider) return &before->normal;
        if (before->secondCollider == collider) return &before->secondNormal;
        return before->thirdCollider == collider ? &before->thirdNormal : nullptr;
    }
};

/// The solids that a particle touches, and its distance from all others.
struct ContactSolver::Near {
    TouchSet held, captured;
    double clearance = std::numeric_limits<double>::infinity();  ///< m
};

ContactSolver::Near ContactSolver::nearTo(const ContactInput& input, const Particle& particle) const {
    Near near;
    const Vec3 end = particle.destination(input);
    for (std::size_t s = 0; s < solids_.size(); ++s) {
        const MovingSolid& solid = solids_[s];
        const Vec3 velocity = solid.velocityAt(particle.x);
        const double way = (end - particle.x - input.dt * velocity).norm();
        const geometry::DistanceSample sample = solid.sample(particle.x, kLeaveGap + way);
        const double depth = -sample.distance;
        if (!(depth >= -kLeaveGap - way)) {
            near.clearance = std::min(near.clearance, sample.distance - input.dt * velocity.norm());
            continue;
        }
        Touch touch{.collider = Index(s), .normal = sample.normal, .depth = depth, .velocity = velocity};
        const Vec3* normalBefore = particle.normalBefore(touch.collider);
        if (normalBefore != nullptr && depth >= -kLeaveGap && normalBefore->dot(touch.normal) >= kSameFace) {
            const bool apart = depth < -kTouchGap;
            if (!apart || touch.normal.dot(particle.stoppingForce(velocity, input.forceTime)) >= 0) {
                if (apart) touch.closing = std::min(-depth / input.dt, input.dt * input.gravity.norm());
                near.held.add(touch);
                continue;
            }
        } else if (depth > 0) {
            if (touch.normal.dot(particle.v - velocity) <= kVelocityRounding) {
                touch.isNew = true;
                near.captured.add(touch);
                continue;
            }
        } else if (const auto hit = solid.firstTouch(particle.x, end)) {
            touch.isNew = true;
            touch.normal = hit->normal;
            touch.depth = -hit->gap;
            touch.closing = std::max(hit->gap, 0.0) / input.dt;
            near.captured.add(touch);
            continue;
        }
        near.clearance = std::min(near.clearance, -depth - input.dt * velocity.norm());
    }
    return near;
}

ContactSolver::Held ContactSolver::heldBy(const TouchSet& touches, Index particle) const {
    Held held{.contact = makeContact(touches, particle), .grip = {}};
    held.grip = {.touches = touches, .velocity = touches.velocity(), .isNew = touches.items[0].isNew};
    return held;
}

/// `friction` in kg m/s, zero for none.
void ContactSolver::slide(Held& held, const Vec3& friction) const {
    held.contact.ndof = std::uint8_t(3 - held.grip.touches.count);
    held.grip.friction = friction;
}

void ContactSolver::stick(Held& held) const {
    held.contact.ndof = 0;
    held.grip.friction.setZero();
}

/// Friction impulse, kg m/s, along `against`: that of the cone's force `most` (N) over the step. `speed` of the slip,
/// m/s; `stopping`: the force along the solid that would stop the particle, N.
static Vec3 slidingFriction(const ContactInput& input, double mass, double most, const Vec3& against, double speed,
                            const Vec3& stopping) {
    if (against.isZero(0.0)) return Vec3::Zero();
    const Vec3 direction = against.normalized();
    double bound = std::numeric_limits<double>::infinity();
    if (!input.settings.repeatsFriction()) {
        // No second solve corrects this, so friction must not reverse the motion: it is at most the force along the
        // slip that would stop this particle. But that includes the tension of stiff springs, which cancels among
        // neighbours, and friction of that size throws a whole patch back. So it is also at most the slip's own
        // momentum plus the weight, which is what a patch as a whole can lose.
        const double patch = mass * (speed / input.forceTime + input.gravity.norm());
        bound = std::clamp(stopping.dot(direction), 0.0, patch);
    }
    return input.forceTime * std::min(most, bound) * direction;
}

bool ContactSolver::decide(const ContactInput& input, const Particle& particle, Held& held) {
    Near near = nearTo(input, particle);
    clearance_[particle.index] = near.clearance;
    TouchSet& set = near.held;
    if (set.count > 0) {
        set.releasePulled(particle.before->force);
        if (set.count == 0) clearance_[particle.index] = 0;
    }
    const bool stuck = set.count > 0 && particle.before->ndof == 0;
    for (int k = 0; k < near.captured.count; ++k) set.add(near.captured.items[k]);
    if (set.count == 0) return false;

    held = heldBy(set, particle.index);
    const Touch& deepest = set.items[0];
    const MovingSolid& solid = solids_[deepest.collider];
    // A sticking particle moves along the chord, and so ends exactly at its point of the turning solid.
    held.grip.carried = held.grip.velocity;
    if (set.pinched()) {
        const Vec3 opposite = solids_[set.opposite.collider].chordVelocityAt(particle.x);
        held.grip.carried = (solid.chordVelocityAt(particle.x) + opposite) / 2;
        if (solid.muS > 0) {  // pressed with an unknown force
            stick(held);
            return true;
        }
    } else if (set.count == 1) {
        held.grip.carried = solid.chordVelocityAt(particle.x) - deepest.closing * deepest.normal;
    }

    const Normals normals = set.normals();
    const Vec3 stopping = particle.stoppingForce(held.grip.velocity, input.forceTime);
    const Vec3 stoppingPushes = normals.components(stopping);
    const Vec3 stoppingTangential = stopping - normals.sum(stoppingPushes);
    double push = 0;  // f_N; of a new contact the force that would stop the particle
    for (int k = 0; k < set.count; ++k)
        push += set.items[k].isNew ? std::max(stoppingPushes[k], 0.0) : set.items[k].push;

    // A particle that just left ndof 0 slides for at least this step. One that slid needs its friction plus the force
    // that ends the slip: the stopping force includes the tension of stiff springs, which cancels among neighbours, and
    // is used for new contacts only.
    const Vec3 slip = normals.tangential(particle.v - held.grip.velocity);
    Vec3 holding = stoppingTangential;
    if (!set.items[0].isNew && (stuck || input.settings.repeatsFriction())) {
        holding = normals.tangential(particle.before->force);
        if (!stuck) holding -= particle.mass / input.forceTime * slip;
    }
    const bool bySpeed = input.settings.sticking == Sticking::Speed && !stuck;
    const bool sticks =
        bySpeed ? solid.muS > 0 && slip.norm() < input.settings.stickingSpeed : holding.norm() <= solid.muS * push;
    if (set.count == 3 || sticks) {
        stick(held);
        return true;
    }
    const bool remembers = !set.items[0].isNew && !stuck && input.settings.repeatsFriction();
    const Vec3 against = remembers ? holding : slip.norm() < kSlowSpeed ? stoppingTangential : Vec3(-slip);
    slide(held, slidingFriction(input, particle.mass, solid.muK * push, against, slip.norm(), stoppingTangential));
    return true;
}

void ContactSolver::begin(const ContactState& previous, const ContactInput& input, linalg::BlockVector& b,
                          ContactState& next, std::vector<mechanics::Prescribed>& prescribed, WorkerPool& pool) {
    assert(input.dt > 0 && input.x.size() == input.v.size() && input.x.size() == b.size());
    assert(input.mass.size() == std::size_t(input.x.size()));
    if (input.colliders.empty()) {
        solids_.clear();
        grips_.clear();
        next.contacts.clear();
        return;
    }
    placeSolids(input.colliders, input.time, input.dt, input.settings, solids_);
    const RowChunks rows{input.x.size()};
    if (chunks_.size() < std::size_t(rows.count())) chunks_.resize(rows.count());
    clearance_.resize(std::size_t(input.x.size()));
    freed_.assign(std::size_t(input.x.size()), 0);

    pool.forChunks(rows.count(), rows.rows, [&](Index c) {
        ChunkResult& result = chunks_[c];
        result.held.clear();
        auto before = std::ranges::lower_bound(previous.contacts, rows.begin(c), {}, &ParticleContact::particle);
        auto skip = std::ranges::lower_bound(input.exempt, rows.begin(c));
        for (Index i = rows.begin(c); i < rows.end(c); ++i) {
            clearance_[i] = std::numeric_limits<double>::infinity();
            while (before != previous.contacts.end() && before->particle < i) ++before;
            while (skip != input.exempt.end() && *skip < i) ++skip;
            if (skip != input.exempt.end() && *skip == i) continue;
            const bool was = before != previous.contacts.end() && before->particle == i;
            Held held;
            if (!decide(input, {i, input.mass[i], input.x[i], input.v[i], b[i], was ? &*before : nullptr}, held))
                continue;
            b[i] += held.grip.friction;
            result.held.push_back(held);
        }
    });
    join(rows.count(), next, prescribed);
}

/// False if it was caught in this step but would have to be pulled.
bool ContactSolver::lookAgain(const ContactInput& input, const ContactAnswer& answer, Held& held,
                              ContactChanges& changes) {
    const ParticleContact& contact = held.contact;
    const Index i = contact.particle;
    const Normals normals = contactNormals(contact);
    const int count = held.grip.touches.count;
    const MovingSolid& solid = solids_[contact.collider];
    const Vec3 force = answer.lambda[i] / input.forceTime, pushes = normals.components(force);
    const Vec3 holding = force - normals.sum(pushes);
    const double push = pushes.cwiseMax(0.0).sum();
    const double rounding = kForceRounding * input.mass[i] * (input.gravity.norm() + input.v[i].norm() / input.dt);

    const Vec3 before = held.grip.friction, slip = normals.tangential(answer.v[i] - held.grip.velocity);
    const double pace = input.dt * input.gravity.norm(), given = std::max(before.dot(slip), 0.0);
    const bool looksAtFriction = input.settings.repeatsFriction();
    if (looksAtFriction && pace > 0) changes.pushed += given / pace;
    if (held.grip.isNew && !held.grip.touches.pinched() && push == 0 && pushes.sum() < -rounding) {
        ++freed_[i];
        clearance_[i] = 0;
        ++changes.released;
        changes.misjudged -= input.forceTime * pushes.sum();
        return false;
    }
    if (count == 3 || held.grip.touches.pinched()) return true;
    const double right = input.forceTime * solid.muK * push;
    changes.friction += right;
    changes.squares += right * right;
    if (!looksAtFriction) return true;
    if (contact.ndof == 0) {
        const double holds = holding.norm();
        if (holds <= (1 + kForceRounding) * solid.muS * push + rounding) return true;
        held.grip.slipped = true;
        ++changes.slipped;
        changes.misjudged += input.forceTime * holds - right;
        slide(held, right / holds * holding);
        return true;
    }
    if (!held.grip.slipped && given > 0) {
        ++changes.stuck;
        stick(held);
    } else {
        slide(held, nextFriction({before, slip, input.mass[i], right, pace, held.grip.slipped}, held.grip.most));
    }
    changes.misjudged += (held.grip.friction - before).norm();
    return true;
}

bool ContactSolver::catchOnTheWay(const ContactInput& input, const ContactAnswer& answer, Held& held) const {
    const Index i = held.contact.particle;
    const Vec3 x = input.x[i], end = answer.x[i];
    if (!((end - x).norm() >= clearance_[i])) return false;
    TouchSet touches = held.grip.touches;
    bool caught = false;
    for (std::size_t s = 0; s < solids_.size(); ++s) {
        const MovingSolid& solid = solids_[s];
        if (touchesSolid(held.contact, Index(s))) continue;
        const auto hit = solid.firstTouch(x, end);
        if (!hit) continue;
        const Mat3 toLocal = solid.endToWorld.transpose();
        const auto there = geometry::signedDistance(*solid.shape, toLocal * (end - solid.endPosition));
        const bool sameFace = (solid.toWorld * there.normal).dot(hit->normal) >= kSameFace;
        if (there.distance > -kShallow && sameFace) continue;
        touches.add({.collider = Index(s),
                     .normal = hit->normal,
                     .depth = -hit->gap,
                     .velocity = solid.velocityAt(x),
                     .closing = std::max(hit->gap, 0.0) / input.dt,
                     .isNew = true});
        caught = true;
    }
    if (!caught) return false;
    held = heldBy(touches, i);
    held.grip.carried = held.grip.velocity;
    if (solids_[held.contact.collider].muS > 0) stick(held);
    return true;
}

ContactChanges ContactSolver::reconsider(const ContactInput& input, const ContactAnswer& answer, bool change,
                                         linalg::BlockVector& b, ContactState& contacts,
                                         std::vector<mechanics::Prescribed>& prescribed, WorkerPool& pool) {
    ContactChanges all;
    if (solids_.empty()) return all;
    const RowChunks rows{input.x.size()};
    pool.forChunks(rows.count(), rows.rows, [&](Index c) {
        ChunkResult& result = chunks_[c];
        result.held.clear();
        result.stopped.clear();
        result.changes = {};
        auto own = std::ranges::lower_bound(contacts.contacts, rows.begin(c), {}, &ParticleContact::particle);
        auto skip = std::ranges::lower_bound(input.exempt, rows.begin(c));
        for (Index i = rows.begin(c); i < rows.end(c); ++i) {
            while (own != contacts.contacts.end() && own->particle < i) ++own;
            while (skip != input.exempt.end() && *skip < i) ++skip;
            if (skip != input.exempt.end() && *skip == i) continue;
            Held held{.contact = {.particle = i}, .grip = {}};
            bool touches = own != contacts.contacts.end() && own->particle == i;
            if (touches) {
                held = {*own, grips_[std::size_t(own - contacts.contacts.begin())]};
                touches = lookAgain(input, answer, held, result.changes);
            }
            if (Held caught = held; catchOnTheWay(input, answer, caught)) {
                if (change && freed_[i] >= kCatches) {
                    ++result.changes.stopped;
                    result.stopped.push_back(caught);
                } else {
                    ++result.changes.caught;
                    held = caught;
                    touches = true;
                }
            }
            if (touches) result.held.push_back(held);
        }
    });
    for (Index c = 0; c < rows.count(); ++c) all.add(chunks_[c].changes);
    stops_.clear();
    for (Index c = 0; c < rows.count(); ++c)
        for (const auto& [contact, grip] : change ? chunks_[c].stopped : chunks_[c].held)
            for (const Touch& t : std::span(grip.touches.items).first(std::size_t(grip.touches.count))) {
                const double speed = t.normal.dot(t.velocity);
                const double there = t.normal.dot(input.x[contact.particle]) + std::min(t.depth, 0.0);
                if (t.isNew) stops_.push_back({contact.particle, t.normal, there + input.dt * speed, speed});
            }
    if (!change || !all.matter()) return all;
    withdraw(contacts, b);
    join(rows.count(), contacts, prescribed);
    for (std::size_t k = 0; k < grips_.size(); ++k) b[contacts.contacts[k].particle] += grips_[k].friction;
    return all;
}

void ContactSolver::withdraw(const ContactState& contacts, linalg::BlockVector& b) const {
    for (std::size_t k = 0; k < grips_.size(); ++k) b[contacts.contacts[k].particle] -= grips_[k].friction;
}

void ContactSolver::join(Index chunks, ContactState& next, std::vector<mechanics::Prescribed>& prescribed) {
    next.contacts.clear();
    grips_.clear();
    for (Index c = 0; c < chunks; ++c)
        for (const auto& [contact, grip] : chunks_[c].held) {
            next.contacts.push_back(contact);
            grips_.push_back(grip);
            mechanics::Prescribed p{.particle = contact.particle,
                                    .ndof = contact.ndof,
                                    .velocity = contact.ndof == 0 ? grip.carried : grip.velocity};
            if (contact.ndof > 0) p.p = contact.normal;
            if (contact.ndof == 1)
                p.q = (contact.secondNormal - contact.normal.dot(contact.secondNormal) * contact.normal).normalized();
            prescribed.push_back(p);
        }
}

void ContactSolver::pushOut(const ContactState& state, const ContactSettings& settings, linalg::BlockVector& x) {
    for (const ParticleContact& contact : state.contacts) x[contact.particle] += settings.pushOut * contact.penetration;
}

void ContactSolver::finish(const linalg::BlockVector& lambda, double scale, ContactState& state) const {
    assert(grips_.size() == state.contacts.size());
    for (std::size_t k = 0; k < grips_.size(); ++k)
        state.contacts[k].force = scale * (lambda[state.contacts[k].particle] + grips_[k].friction);
}

}  // namespace clothlab::contact
