// contact
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <vector>

#include "contact/contact_solver.hpp"

namespace clothlab::contact {

struct Spring {
    Index i, j;
    double stiffness, length;  // N/m, m
};

inline double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// A half space whose surface falls at `degrees` towards +x, through the origin. Its normal is (sin, cos, 0).
inline Collider incline(double degrees) {
    Collider plane{.name = "incline", .shape = geometry::Plane{}};
    plane.orientation = Eigen::AngleAxisd(-radians(degrees), Vec3::UnitZ());
    return plane;
}
inline Vec3 uphillNormal(double degrees) { return {std::sin(radians(degrees)), std::cos(radians(degrees)), 0}; }
inline Vec3 downhill(double degrees) { return {std::cos(radians(degrees)), -std::sin(radians(degrees)), 0}; }

/// The smallest integrator that contact can be tested with: linearized backward Euler with a dense matrix (bilateral
/// springs, transverse term clamped), direct solve of (SAS + I - S) dv = S(b - A z) + z.
class World {
public:
    World(const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities, double particleMass, double stepSize,
          int threads = 1, Index inlineRows = 1024)
        : x(static_cast<Index>(positions.size())),
          v(x.size()),
          mass(positions.size(), particleMass),
          dt(stepSize),
          pool_(std::make_unique<WorkerPool>(threads, inlineRows)) {
        for (Index i = 0; i < x.size(); ++i) {
            x[i] = positions[static_cast<std::size_t>(i)];
            v[i] = velocities[static_cast<std::size_t>(i)];
        }
    }

    linalg::BlockVector x, v;
    std::vector<double> mass;
    double dt, time = 0;
    Vec3 gravity{0, -9.81, 0};
    std::function<Vec3(Index)> push = [](Index) { return Vec3::Zero().eval(); };  // extra force, N
    std::vector<Spring> springs;
    std::vector<Collider> colliders;
    ContactSettings settings;
    std::vector<Index> exempt;
    ContactState state;
    std::vector<mechanics::Prescribed> prescribed;
    linalg::BlockVector lambda;

    void step() {
        linalg::BlockVector b(x.size());
        for (Index i = 0; i < x.size(); ++i) b[i] = dt * (mass[std::size_t(i)] * gravity + push(i));
        Eigen::MatrixXd A;
        if (!springs.empty()) assemble(A, b);

        prescribed.clear();
        solver_.begin(state, {colliders, time, dt, dt, x, v, mass, settings, {0, -9.81, 0}, exempt}, b, state,
                      prescribed, *pool_);
        lambda.resize(x.size());
        if (springs.empty()) {
            solveDiagonal(b);
        } else {
            solveDense(A, b);
        }
        ContactSolver::finish(lambda, 1 / dt, state);
        for (Index i = 0; i < x.size(); ++i) x[i] += dt * v[i];
        ContactSolver::pushOut(state, settings, x);
        time += dt;
    }
    void steps(int count) {
        for (int k = 0; k < count; ++k) step();
    }

    const ParticleContact* contactOf(Index particle) const {
        for (const ParticleContact& c : state.contacts)
            if (c.particle == particle) return &c;
        return nullptr;
    }
    int ndof(Index particle) const {
        const ParticleContact* c = contactOf(particle);
        return c != nullptr ? c->ndof : 3;
    }

private:
    void assemble(Eigen::MatrixXd& A, linalg::BlockVector& b) const {
        const Eigen::Index n = 3 * x.size();
        Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
        for (const Spring& s : springs) {
            const Vec3 d = x[s.j] - x[s.i];
            const double l = d.norm();
            const Vec3 u = d / l;
            const Mat3 uu = u * u.transpose();
            const Mat3 J = s.stiffness * uu + std::max(0.0, s.stiffness * (1 - s.length / l)) * (Mat3::Identity() - uu);
            const Vec3 force = s.stiffness * (l - s.length) * u;
            b[s.i] += dt * force;
            b[s.j] -= dt * force;
            K.block<3, 3>(3 * s.i, 3 * s.i) -= J;
            K.block<3, 3>(3 * s.j, 3 * s.j) -= J;
            K.block<3, 3>(3 * s.i, 3 * s.j) += J;
            K.block<3, 3>(3 * s.j, 3 * s.i) += J;
        }
        b.flat() += dt * dt * K * v.flat();
        A = -dt * dt * K;
        for (Index i = 0; i < x.size(); ++i) A.diagonal().segment<3>(3 * i).array() += mass[std::size_t(i)];
    }
    Mat3 filter(const mechanics::Prescribed& p) const {
        if (p.ndof == 0) return Mat3::Zero();
        return Mat3::Identity() - p.p * p.p.transpose() - p.q * p.q.transpose();  // q is zero for ndof 2
    }
    void solveDiagonal(const linalg::BlockVector& b) {
        linalg::BlockVector dv(x.size());
        for (Index i = 0; i < x.size(); ++i) dv[i] = b[i] / mass[std::size_t(i)];
        for (const mechanics::Prescribed& p : prescribed) {
            const Mat3 S = filter(p);
            dv[p.particle] = S * dv[p.particle] + (Mat3::Identity() - S) * (p.velocity - v[p.particle]);
        }
        for (Index i = 0; i < x.size(); ++i) {
            lambda[i] = mass[std::size_t(i)] * dv[i] - b[i];
            v[i] += dv[i];
        }
    }
    void solveDense(const Eigen::MatrixXd& A, const linalg::BlockVector& b) {
        const Eigen::Index n = A.rows();
        Eigen::MatrixXd S = Eigen::MatrixXd::Identity(n, n);
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        for (const mechanics::Prescribed& p : prescribed) {
            const Mat3 own = filter(p);
            S.block<3, 3>(3 * p.particle, 3 * p.particle) = own;
            z.segment<3>(3 * p.particle) = (Mat3::Identity() - own) * (p.velocity - v[p.particle]);
        }
        const Eigen::MatrixXd combined = S * A * S + Eigen::MatrixXd::Identity(n, n) - S;
        const Eigen::VectorXd dv = combined.ldlt().solve(S * (b.flat() - A * z) + z);
        lambda.flat() = A * dv - b.flat();
        v.flat() += dv;
    }

    ContactSolver solver_;
    std::unique_ptr<WorkerPool> pool_;
};

}  // namespace clothlab::contact
