// contact
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "contact/collider.hpp"
#include "contact/settings.hpp"
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
/// A particle that touches two solids with clearly different normals keeps one free direction, with three it keeps
/// none; the same rules then hold for the components of the force along each normal and for what remains of it.
namespace clothlab::contact {

/// What contact remembers of one particle from step to step. All of it but the depths decides the future.
struct ParticleContact {
    Index particle = -1;
    Index collider = -1;               ///< the solid in which it is deepest
    std::uint8_t ndof = 2;             ///< 2 sliding, 1 sliding along two solids, 0 sticking or held by three solids
    Vec3 normal = Vec3::UnitY();       ///< outward normal of the solid, unit
    Vec3 force = Vec3::Zero();         ///< f_c of the last step, N
    double depth = 0;                  ///< m, > 0 inside
    Vec3 secondNormal = Vec3::Zero();  ///< of the second solid, else zero
    Index secondCollider = -1;         ///< -1: touches one solid only
    Vec3 thirdNormal = Vec3::Zero();   ///< of the third solid, else zero
    Index thirdCollider = -1;
    Vec3 penetration = Vec3::Zero();  ///< m, shortest way out of all its solids; max(depth, 0) normal for one solid

    bool operator==(const ParticleContact&) const = default;
};

/// Contacts of all particles, sorted by particle. A value: part of the simulation state.
struct ContactState {
    std::vector<ParticleContact> contacts;

    bool operator==(const ContactState&) const = default;
};

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
    Vec3 gravity{0, -9.81, 0};           ///< m/s^2; bounds kinetic friction, see decide()
    std::span<const Index> exempt = {};  ///< grabbed and pinned particles, which take no contact; sorted
};

/// Cloth against solids: capture of approaching particles, sliding, sticking, release.
/// Between calls it holds scratch only: dropping it changes no result, and neither does the number of threads.
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

    /// Push-out of the candidate positions: x_i += pushOut * depth * n for particles in contact; position only.
    static void pushOut(const ContactState& state, const ContactSettings& settings, linalg::BlockVector& x);

    /// After the solve: contact forces from the constraint impulse lambda = A dv - b (kg m/s) as f_c = scale * lambda;
    /// scale = 1/h for backward Euler and explicit integrators (methods of two steps: 1/a, a = 2h/3).
    static void finish(const linalg::BlockVector& lambda, double scale, ContactState& state);

private:
    /// A collider during one step.
    struct Solid {
        const geometry::Shape* shape;
        Vec3 position;                   // at the start of the step
        Mat3 toWorld;                    // at the start of the step
        Vec3 velocity, angularVelocity;  // mean over the step, so that one that stops within the step ends in place
        Mat3 turnRate;                   // (turn of the step - I) / dt: how its points move along their chords
        double reach;                    // bounding radius with the gap within which it matters
        double muS, muK;                 // of the deepest solid that a particle touches they count

        Vec3 velocityAt(const Vec3& point) const { return velocity + angularVelocity.cross(point - position); }
        Vec3 chordVelocityAt(const Vec3& point) const { return velocity + turnRate * (point - position); }
    };
    /// What the rows of one chunk gave; joined in the order of the chunks.
    struct ChunkResult {
        std::vector<ParticleContact> contacts;
        std::vector<mechanics::Prescribed> prescribed;
    };
    struct Touch;
    struct TouchSet;
    struct Particle;

    void placeSolids(const ContactInput& input);
    void touches(const ContactInput& input, const Particle& particle, TouchSet& held, TouchSet& captured) const;
    bool decide(const ContactInput& input, const Particle& particle, linalg::BlockVector& b, ParticleContact& contact,
                mechanics::Prescribed& prescribed) const;

    std::vector<Solid> solids_;
    std::vector<ChunkResult> chunks_;
};

}  // namespace clothlab::contact
