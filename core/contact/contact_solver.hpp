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
/// it stays, slides or leaves follows from the constraint force f_c of the last solve: a contact pushes, so n.f_c < 0
/// releases it; Coulomb's cone says when it slips. Whether a sliding particle stops follows from the force that would
/// stop it within this step, c = m (v_solid - v)/h - b/h: with a threshold on speed it would creep down a slope for
/// ever.
///
/// These are guesses: the force on a particle depends on its neighbours in the same step. So each solve is checked
/// (reconsider): a sticking particle that needs more than the cone slips, one that friction would reverse sticks, one
/// that would end in a solid is stopped at its surface, and the step is solved again while something changes.
///
/// A particle that touches two solids with clearly different normals keeps one free direction, with three it keeps
/// none; the same rules then hold for the components of the force along each normal and for the remaining force.
namespace clothlab::contact {

/// Input of one step; spans and references are views for the duration of the call.
struct ContactInput {
    std::span<const Collider> colliders;
    double time;                   ///< s, start of the step, at which the colliders are met
    double dt;                     ///< s, > 0
    double forceTime;              ///< s: b per force, N s per N; dt, but 2/3 of it in a two-step method
    const linalg::BlockVector& x;  ///< m
    const linalg::BlockVector& v;  ///< m/s
    std::span<const double> mass;  ///< kg
    const ContactSettings& settings;
    Vec3 gravity{0, -9.81, 0};           ///< m/s^2; the scale of closing speeds and of friction
    std::span<const Index> exempt = {};  ///< grabbed and pinned particles, which have no contact; sorted
};

/// Result of a solve with given contacts; one entry per particle.
struct ContactAnswer {
    const linalg::BlockVector& lambda;  ///< impulse of the constraints, A dv - b, kg m/s
    const linalg::BlockVector& x;       ///< m, at the end of the step, without push-out
    const linalg::BlockVector& v;       ///< m/s, at its end
};

/// A particle that would end in a solid after the last solve, with bounds that keep it out.
struct ContactStop {
    Index particle;
    Vec3 normal;   ///< of the solid that it meets
    double bound;  ///< m: least n.x at the end of the step
    double speed;  ///< m/s: least n.v there
};

/// Cloth against solids: capture of approaching particles, sliding, sticking, release.
/// Between steps it holds scratch only: dropping it changes no result, and neither does the number of threads.
class ContactSolver {
public:
    /// A particle in contact whose distance (m) exceeds this has left, whatever pushes it.
    static constexpr double kLeaveGap = 1e-3;
    /// Beyond this gap (m) a contact lasts only if the particle is pushed: it slid over an edge or off a curve.
    static constexpr double kTouchGap = 1e-6;
    /// Below this tangential speed (m/s) friction acts along the stopping force, not against the velocity.
    static constexpr double kSlowSpeed = 1e-3;

    /// Once per step, before the solve: from the contacts of the previous step and b (without friction; for an explicit
    /// integrator b = h f) decides which particles are in contact and how, adds friction impulses h f_t (kg m/s) to b,
    /// and appends the motion to prescribe, sorted by particle. `next` may be the same object as `previous`. x, v, b
    /// and mass have one entry per particle.
    void begin(const ContactState& previous, const ContactInput& input, linalg::BlockVector& b, ContactState& next,
               std::vector<mechanics::Prescribed>& prescribed, WorkerPool& pool);
    /// After a solve of the same step, with the same input: changes contacts and the friction in b, and appends the
    /// new prescribed motion. If no change matters, or `change` is false, nothing has changed.
    ContactChanges reconsider(const ContactInput& input, const ContactAnswer& answer, bool change,
                              linalg::BlockVector& b, ContactState& contacts,
                              std::vector<mechanics::Prescribed>& prescribed, WorkerPool& pool);

    /// Removes from b the friction that begin() or reconsider() added.
    void withdraw(const ContactState& contacts, linalg::BlockVector& b) const;

    /// From the last call: particles that would end in a solid and are not, or no longer, to be caught.
    std::span<const ContactStop> stops() const { return stops_; }

    /// Push-out of the candidate positions: x_i += pushOut * depth * n for particles in contact; position only.
    static void pushOut(const ContactState& state, const ContactSettings& settings, linalg::BlockVector& x);

    /// After the last solve: contact forces from the constraint impulse lambda = A dv - b (kg m/s) and the friction in
    /// b, as f_c = scale * (lambda + friction); scale = 1/h for backward Euler and explicit integrators (two-step
    /// methods: 1/a, a = 2h/3).
    void finish(const linalg::BlockVector& lambda, double scale, ContactState& state) const;

private:
    /// One contact while its step is solved.
    struct Grip {
        TouchSet touches;
        Vec3 velocity = Vec3::Zero();  ///< m/s, of the solids there; prescribed along their normals
        Vec3 carried = Vec3::Zero();   ///< m/s, prescribed while it sticks
        Vec3 friction = Vec3::Zero();  ///< in b, kg m/s
        double most = std::numeric_limits<double>::infinity();  ///< kg m/s, bound of friction: see nextFriction
        bool isNew = false;                                     ///< caught in this step
        bool slipped = false;                                   ///< it stuck in this step, beyond the friction cone
    };
    struct Held {
        ParticleContact contact;
        Grip grip;
    };
    /// Results of the particles of one chunk; joined in the order of the chunks.
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
    /// False if the contact is released.
    bool lookAgain(const ContactInput& input, const ContactAnswer& answer, Held& held, ContactChanges& changes);
    bool catchOnTheWay(const ContactInput& input, const ContactAnswer& answer, Held& held) const;
    void join(Index chunks, ContactState& next, std::vector<mechanics::Prescribed>& prescribed);

    std::vector<MovingSolid> solids_;
    std::vector<ChunkResult> chunks_;
    std::vector<Grip> grips_;        // of the contacts of this step, in their order
    std::vector<double> clearance_;  // m, per particle: how far it can move without meeting another solid
    std::vector<ContactStop> stops_;
    std::vector<std::uint8_t> freed_;  // per particle: how often it was released in this step
};

}  // namespace clothlab::contact
