#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "contact/contact_solver.hpp"
#include "contact/robust/impulses.hpp"
#include "support/dense_matrix.hpp"

namespace clothlab::contact {

struct Spring {
    Index i, j;
    double stiffness, length;  // N/m, m
};

double radians(double degrees);

/// Applies the impulse of a pair once.
inline double apply(PairImpulse& pair, double mu, const Mobility& mobility, linalg::BlockVector& u) {
    return pair.apply(mu, mobility, pair.apart(u), [&](int k, const Vec3& by) { u[pair.corners[k]] += by; });
}

/// A half space whose surface falls at `degrees` towards +x, through the origin. Its normal is (sin, cos, 0).
Collider incline(double degrees);
Vec3 uphillNormal(double degrees);
Vec3 downhill(double degrees);

/// Solid on the far side of a wall with this inward normal, through the origin.
Collider wall(const Vec3& normal);

/// The smallest integrator that contact can be tested with: linearized backward Euler with a dense matrix (bilateral
/// springs, transverse term clamped), direct solve of (SAS + I - S) dv = S(b - A z) + z.
class World {
public:
    World(const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities, double particleMass, double stepSize,
          int threads = 1, Index inlineRows = 1024);

    linalg::BlockVector x, v;
    std::vector<double> mass;
    double dt, time = 0;
    Vec3 gravity{0, -9.81, 0};
    std::function<Vec3(Index)> push;  ///< extra force, N; none at first
    std::vector<Spring> springs;
    std::vector<Collider> colliders;
    ContactSettings settings;
    std::vector<Index> exempt;
    ContactState state;
    std::vector<mechanics::Prescribed> prescribed;
    linalg::BlockVector lambda;

    void step();
    /// Forces of the contacts from an impulse.
    void takeForces(const linalg::BlockVector& impulse, double scale) { solver_.finish(impulse, scale, state); }
    void steps(int count);
    const ParticleContact* findContact(Index particle) const;
    int ndof(Index particle) const;

private:
    testing::DenseMatrix assemble(linalg::BlockVector& b) const;
    void solveDiagonal(const linalg::BlockVector& b);
    void solveDense(const testing::DenseMatrix& A, const linalg::BlockVector& b);

    ContactSolver solver_;
    std::unique_ptr<WorkerPool> pool_;
};

}  // namespace clothlab::contact
