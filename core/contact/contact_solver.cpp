// contact
#include "contact/contact_solver.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace clothlab::contact {

namespace {

/// Rounding of a relative velocity (m/s): a particle that moves with the solid counts as approaching.
constexpr double kVelocityRounding = 1e-12;
/// Normals with a larger |cosine| are one contact, not two.
constexpr double kSameNormal = 0.95;
/// A contact whose normal turned by more than 60 degrees within a step is on another face: it must be captured anew.
constexpr double kSameFace = 0.5;

}  // namespace

/// One solid that a particle touches.
struct ContactSolver::Touch {
    Index collider = -1;
    Vec3 normal = Vec3::Zero();
    double depth = 0;
    Vec3 velocity = Vec3::Zero();  ///< of the solid there
    double push = 0;               ///< its part of f_N, N
    bool isNew = false;
};

/// Up to three touches with clearly different normals, the deepest first. Empty places have zero normals, so that every
/// loop runs over all three.
struct ContactSolver::TouchSet {
    std::array<Touch, 3> items;
    std::size_t count = 0;

    /// Solves G w = r with G_jk = n_j.n_k: w are the components along the normals of a force f with r_k = n_k.f, and
    /// sum w_k n_k is the shortest vector d with n_k.d = r_k.
    Vec3 solveGram(const Vec3& r) const {
        if (count <= 1) return r;
        Mat3 gram = Mat3::Identity();
        gram(0, 1) = gram(1, 0) = items[0].normal.dot(items[1].normal);
        gram(0, 2) = gram(2, 0) = items[0].normal.dot(items[2].normal);
        gram(1, 2) = gram(2, 1) = items[1].normal.dot(items[2].normal);
        return gram.inverse() * r;
    }
    /// Components of f along the normals; the rest of f is tangential to all of them.
    Vec3 components(const Vec3& f) const {
        return solveGram(Vec3(items[0].normal.dot(f), items[1].normal.dot(f), items[2].normal.dot(f)));
    }
    Vec3 sum(const Vec3& weights) const {
        return weights[0] * items[0].normal + weights[1] * items[1].normal + weights[2] * items[2].normal;
    }
    Vec3 tangential(const Vec3& f) const { return f - sum(components(f)); }

    /// Is this normal clearly different from the ones that are there?
    bool independent(const Vec3& normal) const {
        for (const Touch& t : items)
            if (std::abs(t.normal.dot(normal)) >= kSameNormal) return false;
        return count < 2 || tangential(normal).squaredNorm() >= 1 - kSameNormal * kSameNormal;
    }
    /// Takes one more and keeps the deepest that are independent. Nearly all particles touch one solid only.
    void add(const Touch& touch) {
        if (count == 0) {
            items[count++] = touch;
            return;
        }
        std::array<Touch, 4> sorted{items[0], items[1], items[2], Touch{}};
        std::size_t place = count;
        for (; place > 0 && sorted[place - 1].depth < touch.depth; --place) sorted[place] = sorted[place - 1];
        sorted[place] = touch;
        const std::size_t size = count + 1;
        *this = {};
        for (std::size_t i = 0; i < size && count < 3; ++i)
            if (independent(sorted[i].normal)) items[count++] = sorted[i];
    }
    /// Splits f_c among the held contacts and drops those that would have to pull (n.f_c < 0), until none is left.
    void releasePulled(const Vec3& force) {
        for (bool dropped = true; dropped && count > 0;) {
            const Vec3 pushes = components(force);
            if (count == 1 && pushes[0] >= 0) {
                items[0].push = pushes[0];
                return;
            }
            const TouchSet before = *this;
            *this = {};
            for (std::size_t k = 0; k < before.count; ++k) {
                if (pushes[Eigen::Index(k)] < 0) continue;
                items[count] = before.items[k];
                items[count++].push = pushes[Eigen::Index(k)];
            }
            dropped = count < before.count;
        }
    }
};

/// One particle at the start of the step, with what it remembers.
struct ContactSolver::Particle {
    Index index;
    double mass;
    Vec3 x, v, b;
    const ParticleContact* before;  ///< null: it was free

    /// The contact force that would bring it to velocity u within this step: c = m (u - v)/h - b/h.
    Vec3 stoppingForce(const Vec3& u, double forceTime) const { return (mass * (u - v) - b) / forceTime; }
    const Vec3* normalBefore(Index collider) const {
        if (before == nullptr) return nullptr;
        if (before->collider == collider) return &before->normal;
        if (before->secondCollider == collider) return &before->secondNormal;
        return before->thirdCollider == collider ? &before->thirdNormal : nullptr;
    }
};

void ContactSolver::placeSolids(const ContactInput& input) {
    solids_.clear();
    for (const Collider& collider : input.colliders) {
        const ColliderPose start = poseAt(collider, input.time);
        const double share = movingSeconds(collider, input.time, input.dt) / input.dt;
        const double speed = collider.angularVelocity.norm();
        Mat3 turnRate = Mat3::Zero();
        if (share > 0 && speed > 0) {
            const Eigen::AngleAxisd turn(share * input.dt * speed, collider.angularVelocity / speed);
            turnRate = (turn.toRotationMatrix() - Mat3::Identity()) / input.dt;
        }
        solids_.push_back({&collider.shape, start.position, start.orientation.toRotationMatrix(),
                           meanVelocity(collider, input.time, input.dt), share * collider.angularVelocity, turnRate,
                           geometry::boundingRadius(collider.shape) + kLeaveGap,
                           collider.muS.value_or(input.settings.muS), collider.muK.value_or(input.settings.muK)});
    }
}

void ContactSolver::touches(const ContactInput& input, const Particle& particle, TouchSet& held,
                            TouchSet& captured) const {
    for (std::size_t s = 0; s < solids_.size(); ++s) {
        const Solid& solid = solids_[s];
        const Vec3 offset = particle.x - solid.position;
        if (!(offset.squaredNorm() <= solid.reach * solid.reach)) continue;
        const geometry::DistanceSample sample =
            geometry::signedDistance(*solid.shape, solid.toWorld.transpose() * offset);
        const double depth = -sample.distance;
        if (!(depth >= -kLeaveGap)) continue;

        Touch touch{Index(s), solid.toWorld * sample.normal, depth, solid.velocityAt(particle.x), 0, false};
        const Vec3* normalBefore = particle.normalBefore(touch.collider);
        if (normalBefore != nullptr && normalBefore->dot(touch.normal) >= kSameFace) {
            const bool apart = depth < -kTouchGap;
            if (!apart || touch.normal.dot(particle.stoppingForce(touch.velocity, input.forceTime)) >= 0)
                held.add(touch);
        } else if (depth > 0 && touch.normal.dot(particle.v - touch.velocity) <= kVelocityRounding) {
            touch.isNew = true;
            captured.add(touch);
        }
    }
}

bool ContactSolver::decide(const ContactInput& input, const Particle& particle, linalg::BlockVector& b,
                           ParticleContact& contact, mechanics::Prescribed& prescribed) const {
    TouchSet set, captured;
    touches(input, particle, set, captured);
    if (set.count > 0) set.releasePulled(particle.before->force);
    const bool stuck = set.count > 0 && particle.before->ndof == 0;
    for (std::size_t k = 0; k < captured.count; ++k) set.add(captured.items[k]);
    if (set.count == 0) return false;

    // Velocity of the solids there: that of the deepest, corrected so that it suits the normals of the others.
    const auto& [first, second, third] = set.items;
    Vec3 velocity = first.velocity;
    if (set.count > 1)
        velocity += set.sum(set.solveGram(Vec3(0, second.normal.dot(second.velocity - first.velocity),
                                               third.normal.dot(third.velocity - first.velocity))));
    const Vec3 stopping = particle.stoppingForce(velocity, input.forceTime);
    const Vec3 stoppingPushes = set.components(stopping);
    const Vec3 stoppingTangential = stopping - set.sum(stoppingPushes);
    double push = 0;  // f_N; a contact that has no force yet takes the one that would stop the particle
    for (int k = 0; k < 3; ++k) {
        const Touch& touch = set.items[k];
        push += touch.isNew ? std::max(stoppingPushes[k], 0.0) : touch.push;
    }

    // What just left ndof 0 slides for this step at least: only what slid before asks for the stopping force.
    const Vec3 holding = stuck ? set.tangential(particle.before->force) : stoppingTangential;
    const Solid& deepest = solids_[first.collider];
    const bool sticks = holding.norm() <= deepest.muS * push;
    const int ndof = sticks ? 0 : 3 - int(set.count);
    if (ndof > 0) {
        // Kinetic friction must not reverse the motion. What it would take to stop this particle alone bounds it, along
        // the slip; but that holds the tension of stiff springs, which cancels among neighbours, and friction of that
        // size throws a whole patch back (a draped sheet stretched to ten times its length). So it also takes no more
        // than the slip's own momentum and the weight, which is what a patch as a whole can lose.
        const Vec3 slip = set.tangential(particle.v - velocity);
        const double speed = slip.norm();
        const bool slow = speed < kSlowSpeed;
        const Vec3 against = slow ? stoppingTangential : Vec3(-slip);
        if (!against.isZero(0.0)) {
            const Vec3 direction = against.normalized();
            const double patch = particle.mass * (speed / input.forceTime + input.gravity.norm());
            const double most = std::clamp(stoppingTangential.dot(direction), 0.0, patch);
            b[particle.index] += input.forceTime * std::min(deepest.muK * push, most) * direction;
        }
    } else if (set.count == 1) {
        // What sticks moves along the chord, and so ends exactly where the turning solid takes the place it sticks to.
        velocity = deepest.chordVelocityAt(particle.x);
    }

    contact = {.particle = particle.index,
               .collider = first.collider,
               .ndof = std::uint8_t(ndof),
               .normal = first.normal,
               .depth = first.depth,
               .secondNormal = second.normal,
               .secondCollider = second.collider,
               .thirdNormal = third.normal,
               .thirdCollider = third.collider,
               .penetration = set.sum(set.solveGram(
                   Vec3(std::max(first.depth, 0.0), std::max(second.depth, 0.0), std::max(third.depth, 0.0))))};
    prescribed = {.particle = particle.index, .ndof = ndof, .velocity = velocity};
    if (ndof > 0) prescribed.p = first.normal;
    if (ndof == 1) prescribed.q = (second.normal - first.normal.dot(second.normal) * first.normal).normalized();
    return true;
}

void ContactSolver::begin(const ContactState& previous, const ContactInput& input, linalg::BlockVector& b,
                          ContactState& next, std::vector<mechanics::Prescribed>& prescribed, WorkerPool& pool) {
    assert(input.dt > 0 && input.x.size() == input.v.size() && input.x.size() == b.size());
    assert(input.mass.size() == std::size_t(input.x.size()));
    if (input.colliders.empty()) {
        next.contacts.clear();
        return;
    }
    placeSolids(input);
    const RowChunks rows{input.x.size()};
    if (chunks_.size() < std::size_t(rows.count())) chunks_.resize(rows.count());

    pool.forChunks(rows.count(), rows.rows, [&](Index c) {
        ChunkResult& result = chunks_[c];
        result.contacts.clear();
        result.prescribed.clear();
        auto before = std::ranges::lower_bound(previous.contacts, rows.begin(c), {}, &ParticleContact::particle);
        auto skip = std::ranges::lower_bound(input.exempt, rows.begin(c));
        for (Index i = rows.begin(c); i < rows.end(c); ++i) {
            while (before != previous.contacts.end() && before->particle < i) ++before;
            while (skip != input.exempt.end() && *skip < i) ++skip;
            if (skip != input.exempt.end() && *skip == i) continue;
            const bool was = before != previous.contacts.end() && before->particle == i;
            const Particle particle{i, input.mass[i], input.x[i], input.v[i], b[i], was ? &*before : nullptr};
            ParticleContact contact;
            mechanics::Prescribed wanted;
            if (!decide(input, particle, b, contact, wanted)) continue;
            result.contacts.push_back(contact);
            result.prescribed.push_back(wanted);
        }
    });

    next.contacts.clear();
    for (std::size_t c = 0; c < std::size_t(rows.count()); ++c) {
        next.contacts.insert(next.contacts.end(), chunks_[c].contacts.begin(), chunks_[c].contacts.end());
        prescribed.insert(prescribed.end(), chunks_[c].prescribed.begin(), chunks_[c].prescribed.end());
    }
}

void ContactSolver::pushOut(const ContactState& state, const ContactSettings& settings, linalg::BlockVector& x) {
    for (const ParticleContact& contact : state.contacts) x[contact.particle] += settings.pushOut * contact.penetration;
}

void ContactSolver::finish(const linalg::BlockVector& lambda, double scale, ContactState& state) {
    for (ParticleContact& contact : state.contacts) contact.force = scale * lambda[contact.particle];
}

}  // namespace clothlab::contact
