#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "contact/collider.hpp"
#include "contact/settings.hpp"
#include "linalg/block_vector.hpp"
#include "linalg/prescribed.hpp"

namespace clothlab::contact {

/// What contact remembers of one particle from step to step.
struct ParticleContact {
    Index particle = -1;
    Index collider = -1;
    std::uint8_t ndof = 2;          ///< 2 sliding, 1 touching two solids, 0 sticking
    Vec3 normal = Vec3::UnitY();    ///< outward normal of the solid, unit
    Vec3 force = Vec3::Zero();      ///< f_c of the last step, N (methods §6.3)
    double depth = 0;               ///< m, > 0 inside
    Vec3 secondNormal = Vec3::Zero();  ///< of the second solid (ndof 1), else zero
};

/// Contacts of all particles, sorted by particle. A value: part of the simulation state.
struct ContactState {
    std::vector<ParticleContact> contacts;
};

/// Input of one step; spans and references are views for the duration of the call.
struct ContactInput {
    std::span<const Collider> colliders;
    double time;                       ///< s, start of the step; colliders are met where they are at its start
    double dt;                         ///< s
    const linalg::BlockVector& x;      ///< m
    const linalg::BlockVector& v;      ///< m/s
    std::span<const double> mass;      ///< kg
    const ContactSettings& settings;
};

/// Cloth against solids, methods §6.3: capture of approaching particles, sliding, sticking, release.
class ContactSolver {
public:
    /// Once a step, before the solve: from the contacts of the previous step and b (without friction; for an explicit
    /// integrator b = h f) decides who is in contact and how, adds friction impulses h f_t to b, and appends what the
    /// integrator must prescribe. Particles in `exempt` (grabbed, pinned) take no contact; sorted.
    void begin(const ContactState& previous, const ContactInput& input, std::span<const Index> exempt,
               linalg::BlockVector& b, ContactState& next, std::vector<linalg::Prescribed>& prescribed, WorkerPool& pool);

    /// Push-out of the candidate positions: x_i += pushOut * depth * n for particles in contact; position only.
    static void pushOut(const ContactState& state, const ContactSettings& settings, linalg::BlockVector& x);

    /// After the solve: contact forces from the constraint impulse lambda = A dv - b (kg m/s) as f_c = scale * lambda;
    /// scale = 1/h for backward Euler and explicit integrators.
    static void finish(const linalg::BlockVector& lambda, double scale, ContactState& state);

private:
    std::vector<double> depthScratch_;
    std::vector<Index> colliderScratch_;
};

}  // namespace clothlab::contact
