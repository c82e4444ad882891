#include "world.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace clothlab::contact {

using testing::DenseMatrix;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

Collider incline(double degrees) {
    Collider plane{.name = "incline", .shape = geometry::Plane{}};
    plane.orientation = Eigen::AngleAxisd(-radians(degrees), Vec3::UnitZ());
    return plane;
}
Vec3 uphillNormal(double degrees) { return {std::sin(radians(degrees)), std::cos(radians(degrees)), 0}; }
Vec3 downhill(double degrees) { return {std::cos(radians(degrees)), -std::sin(radians(degrees)), 0}; }

Collider wall(const Vec3& normal) {
    Collider plane{.name = "wall", .shape = geometry::Plane{}};
    const Vec3 axis = Vec3::UnitY().cross(normal);  // half of the rotation from y to the normal
    plane.orientation = Eigen::Quaterniond(1 + normal.y(), axis.x(), axis.y(), axis.z()).normalized();
    return plane;
}

namespace {

Mat3 filter(const mechanics::Prescribed& p) {
    if (p.ndof == 0) return Mat3::Zero();
    return Mat3::Identity() - p.p * p.p.transpose() - p.q * p.q.transpose();  // q is zero for ndof 2
}

}  // namespace

World::World(const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities, double particleMass,
             double stepSize, int threads, Index inlineRows)
    : x(Index(positions.size())),
      v(x.size()),
      mass(positions.size(), particleMass),
      dt(stepSize),
      push([](Index) { return Vec3::Zero().eval(); }),
      pool_(std::make_unique<WorkerPool>(threads, inlineRows)) {
    for (Index i = 0; i < x.size(); ++i) {
        x[i] = positions[i];
        v[i] = velocities[i];
    }
}

void World::step() {
    linalg::BlockVector b(x.size());
    for (Index i = 0; i < x.size(); ++i) b[i] = dt * (mass[i] * gravity + push(i));
    DenseMatrix A;
    if (!springs.empty()) A = assemble(b);

    prescribed.clear();
    const linalg::BlockVector xStart = x, vStart = v;
    const ContactInput input{colliders, time, dt, dt, xStart, vStart, mass, settings, {0, -9.81, 0}, exempt};
    solver_.begin(state, input, b, state, prescribed, *pool_);
    lambda.resize(x.size());
    for (int repeat = 0;; ++repeat) {
        v = vStart;
        if (springs.empty())
            solveDiagonal(b);
        else
            solveDense(A, b);
        for (Index i = 0; i < x.size(); ++i) x[i] = xStart[i] + dt * v[i];
        if (repeat == settings.activeSet) break;
        std::vector<mechanics::Prescribed> next;
        if (!solver_.reconsider(input, {lambda, x, v}, true, b, state, next, *pool_).matter()) break;
        prescribed = next;
    }
    solver_.finish(lambda, 1 / dt, state);
    ContactSolver::pushOut(state, settings, x);
    time += dt;
}

void World::steps(int count) {
    for (int k = 0; k < count; ++k) step();
}

const ParticleContact* World::findContact(Index particle) const {
    for (const ParticleContact& c : state.contacts)
        if (c.particle == particle) return &c;
    return nullptr;
}

int World::ndof(Index particle) const {
    const ParticleContact* c = findContact(particle);
    return c != nullptr ? c->ndof : 3;
}

/// A = M - h^2 K; adds the part of the springs to b.
DenseMatrix World::assemble(linalg::BlockVector& b) const {
    const Eigen::Index n = 3 * Eigen::Index(x.size());
    DenseMatrix K = DenseMatrix::zero(n, n), M = K;
    for (const Spring& s : springs) {
        const Vec3 d = x[s.j] - x[s.i];
        const double l = d.norm();
        const Vec3 u = d / l;
        const Mat3 uu = u * u.transpose();
        const Mat3 J = s.stiffness * uu + std::max(0.0, s.stiffness * (1 - s.length / l)) * (Mat3::Identity() - uu);
        const Vec3 force = s.stiffness * (l - s.length) * u;
        b[s.i] += dt * force;
        b[s.j] -= dt * force;
        K.addBlock(s.i, s.i, -J);
        K.addBlock(s.j, s.j, -J);
        K.addBlock(s.i, s.j, J);
        K.addBlock(s.j, s.i, J);
    }
    b = (b + dt * dt * K * v).blocks();
    for (Index i = 0; i < x.size(); ++i) M.setBlock(i, i, mass[i] * Mat3::Identity());
    return M - dt * dt * K;
}

void World::solveDiagonal(const linalg::BlockVector& b) {
    linalg::BlockVector dv(x.size());
    for (Index i = 0; i < x.size(); ++i) dv[i] = b[i] / mass[i];
    for (const mechanics::Prescribed& p : prescribed) {
        const Mat3 S = filter(p);
        dv[p.particle] = S * dv[p.particle] + (Mat3::Identity() - S) * (p.velocity - v[p.particle]);
    }
    for (Index i = 0; i < x.size(); ++i) {
        lambda[i] = mass[i] * dv[i] - b[i];
        v[i] += dv[i];
    }
}

void World::solveDense(const DenseMatrix& A, const linalg::BlockVector& b) {
    const DenseMatrix I = DenseMatrix::identity(A.rows());
    DenseMatrix S = I, z = DenseMatrix::zero(A.rows(), 1);
    for (const mechanics::Prescribed& p : prescribed) {
        const Mat3 own = filter(p);
        S.setBlock(p.particle, p.particle, own);
        z.addTriple(p.particle, (Mat3::Identity() - own) * (p.velocity - v[p.particle]));
    }
    const DenseMatrix dv = (S * A * S + I - S).solveSymmetric(S * (b - A * z) + z);
    lambda = (A * dv - b).blocks();
    v = (v + dv).blocks();
}

}  // namespace clothlab::contact
