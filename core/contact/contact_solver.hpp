#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "contact/contact_changes.hpp"
#include "contact/contact_state.hpp"
#include "contact/moving_solid.hpp"
#include "contact/touch_set.hpp"
#include "linalg/block_vector.hpp"
#include "mechanics/prescribed.hpp"

/// Cloth against moving solids, by constraints ([B] §3.4.2; docs/methods/contact.md).
///
/// A touching particle loses the freedom to move along the solid's normal (ndof 2), or sticks to it (ndof 0). Whether
/// it stays, slides or leaves is read off the constraint force f_c that the last solve needed: a contact pushes, so
/// n.f_c < 0 releases it; Coulomb's cone says when it slips. Whether a sliding particle stops is asked of the force
/// that would stop it within this step, c = m (v_solid - v)/h - b/h: a threshold on its speed would let it creep down
/// a slope for ever.
///
/// These are guesses: what a particle holds depends on what its neighbours do in the same step. So the solve is looked
/// at (reconsider): what sticks and needs more than the cone slips, what friction would turn around sticks, what would
/// end in a solid is stopped at its surface, and the step is solved again while something changes.
///
/// A particle that touches two solids with clearly different normals keeps one free direction, with three it keeps
/// none; the same rules then hold for the components of the force along each normal and for what remains of it.
namespace clothlab::contact {

/// Input of one step; spans and references are views for the duration of the call.
struct ContactInput {
    std::span<const Collider> colliders;
    double time;                   ///< s, start of the step; colliders are met where they are at its start
    double dt;                     ///< s, > 0
    double forceTime;              ///< s: what a force of 1 N adds to b; dt, but 2/3 of it in a method of two steps
    const linalg::BlockVector& x;  ///< m
    const linalg::BlockVector& v;  ///< m/s
    std::span<const double> mass;  ///< kg
    const ContactSettings& settings;
    Vec3 gravity{0, -9.81, 0};           ///< m/s^2; how fast a particle is taken to fall on to a solid
    std::span<const Index> exempt = {};  ///< grabbed and pinned particles, which take no contact; sorted
};

/// What a solve made of the contacts that it was given; one entry a particle.
struct ContactAnswer {
    const linalg::BlockVector& lambda;  ///< impulse of the constraints, A dv - b, kg m/s
    const linalg::BlockVector& x;       ///< m, at the end of the step, without push-out
    const linalg::BlockVector& v;       ///< m/s, at its end
};

/// A particle that would end in a solid, after the last solve: where it is to end instead.
struct ContactStop {
    Index particle;
    Vec3 normal;   ///< of the solid that it meets
    double bound;  ///< m: n.x at the end of the step is no less
    double speed;  ///< m/s: nor is n.v
};

/// Cloth against solids: capture of approaching particles, sliding, sticking, release.
/// Between steps it holds scratch only: dropping it changes no result, and neither does the number of threads.
class ContactSolver {
public:
    /// A particle in contact whose distance (m) exceeds this has left, whatever pushes it.
    static constexpr double kLeaveGap = 1e-3;
    /// Gap (m) from which on a particle in contact must be pushed to stay: it slid over an edge or off a curve.
    static constexpr double kTouchGap = 1e-6;
    /// Below this tangential speed (m/s) friction acts along the stopping force, not against the velocity.
    static constexpr double kSlowSpeed = 1e-3;

    /// Once a step, before the solve: from the contacts of the previous step and b (without friction; for an explicit
    /// integrator b = h f) decides who is in contact and how, adds friction impulses h f_t (kg m/s) to b, and appends
    /// what the integrator must prescribe, sorted by particle. `next` may be the same object as `previous`. x, v, b and
    /// mass have one entry a particle.
    void begin(const ContactState& previous, const ContactInput& input, linalg::BlockVector& b, ContactState& next,
               std::vector<mechanics::Prescribed>& prescribed, WorkerPool& pool);
    /// After a solve of the same step, with the same input: changes contacts and the friction in b, and appends what
    /// is to be prescribed now. Where nothing matters, and without `change`, nothing has changed.
    ContactChanges reconsider(const ContactInput& input, const ContactAnswer& answer, bool change,
                              linalg::BlockVector& b, ContactState& contacts,
                              std::vector<mechanics::Prescribed>& prescribed, WorkerPool& pool);

    /// Takes the friction that begin() or reconsider() put into b out of it.
    void withdraw(const ContactState& contacts, linalg::BlockVector& b) const;

    /// Found last: particles that would end in a solid and are not to be caught (any more).
    std::span<const ContactStop> stops() const { return stops_; }

    /// Push-out of the candidate positions: x_i += pushOut * depth * n for particles in contact; position only.
    static void pushOut(const ContactState& state, const ContactSettings& settings, linalg::BlockVector& x);

    /// After the last solve: contact forces from the constraint impulse lambda = A dv - b (kg m/s) and the friction in
    /// b, as f_c = scale * (lambda + friction); scale = 1/h for backward Euler and explicit integrators (methods of two
    /// steps: 1/a, a = 2h/3).
    void finish(const linalg::BlockVector& lambda, double scale, ContactState& state) const;

private:
    /// One contact while its step is solved.
    struct Grip {
        TouchSet touches;
        Vec3 velocity = Vec3::Zero();  ///< of the solids there; what it has along their normals, m/s
        Vec3 carried = Vec3::Zero();   ///< what it has while it sticks, m/s
        Vec3 friction = Vec3::Zero();  ///< in b, kg m/s
        double most = std::numeric_limits<double>::infinity();  ///< of friction, kg m/s: half of what pushed
        bool isNew = false;                                     ///< caught in this step
        bool slipped = false;  ///< it stuck in this step, with more than the cone allows
    };
    struct Held {
        ParticleContact contact;
        Grip grip;
    };
    /// What the rows of one chunk gave; joined in the order of the chunks.
    struct ChunkResult {
        std::vector<Held> held, stopped;
        ContactChanges changes;
    };
    struct Particle;
    struct Near;

    Near nearTo(const ContactInput& input, const Particle& particle) const;
    bool decide(const ContactInput& input, const Particle& particle, Held& held);
    Held heldBy(const TouchSet& touches, Index particle) const;
    void slide(Held& held, const Vec3& friction) const;
    void stick(Held& held) const;
    /// False: the contact is let go.
    bool lookAgain(const ContactInput& input, const ContactAnswer& answer, Held& held, ContactChanges& changes);
    bool catchOnTheWay(const ContactInput& input, const ContactAnswer& answer, Held& held) const;
    void join(Index chunks, ContactState& next, std::vector<mechanics::Prescribed>& prescribed);

    std::vector<MovingSolid> solids_;
    std::vector<ChunkResult> chunks_;
    std::vector<Grip> grips_;        // of the contacts of this step, in their order
    std::vector<double> clearance_;  // m, a particle: it can move so far and meet no solid that it does not touch
    std::vector<ContactStop> stops_;
    std::vector<std::uint8_t> freed_;  // per particle: how often it was released in this step
};

}  // namespace clothlab::contact
