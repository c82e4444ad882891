#include "contact/robust/impact_zones.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace clothlab::contact {

void ImpactZones::reset(Index particles) {
    parent_.resize(particles);
    for (Index i = 0; i < particles; ++i) parent_[i] = i;
    joined_.clear();
}

/// Without path compression, since several threads call it in the test for impacts.
Index ImpactZones::root(Index i) const {
    while (parent_[i] != i) i = parent_[i];
    return i;
}

bool ImpactZones::join(const std::array<Index, 4>& corners) {
    bool changed = false;
    for (const Index i : corners) {
        const Index a = root(corners[0]), b = root(i);
        joined_.push_back(i);
        if (a == b) continue;
        parent_[std::max(a, b)] = std::min(a, b);
        changed = true;
    }
    for (const Index i : corners) parent_[i] = root(i);
    return changed;
}

std::vector<std::vector<Index>> ImpactZones::zones() const {
    std::vector<Index> members = joined_;
    std::ranges::sort(members);
    members.erase(std::unique(members.begin(), members.end()), members.end());
    std::vector<std::vector<Index>> out;
    std::vector<Index> number(parent_.size(), -1);
    for (const Index i : members) {
        Index& zone = number[root(i)];
        if (zone < 0) {
            zone = Index(out.size());
            out.emplace_back();
        }
        out[zone].push_back(i);
    }
    return out;
}

Momentum computeMomentum(std::span<const Index> members, std::span<const double> mass, const linalg::BlockVector& x,
                         const linalg::BlockVector& u, double h) {
    Momentum sum;
    for (const Index i : members) {
        const Vec3 p = mass[i] / h * u[i];
        sum.linear += p;
        sum.angular += Vec3(x[i]).cross(p);
    }
    return sum;
}

namespace {

/// The rotation of a free body in the time h, and its angular velocity (rad/s) at the end, from I^+ and L at the start.
std::pair<Mat3, Vec3> turned(const Mat3& inverse, const Vec3& momentum, double h) {
    constexpr double kMostTangent = 1;  // of half the angle: a quarter turn
    const auto turnBy = [&](Vec3 omega) -> Mat3 {
        const double tangent = 0.5 * h * omega.norm();
        if (!(tangent > 0)) return Mat3::Identity();
        return Eigen::AngleAxisd(2 * std::atan(std::min(tangent, kMostTangent)), omega.normalized()).toRotationMatrix();
    };
    const Vec3 first = inverse * momentum;
    Mat3 turn = turnBy(first);
    for (int k = 0; k < 50; ++k) {
        const Mat3 next = turnBy(0.5 * inverse * (momentum + turn.transpose() * momentum));
        const bool settled = (next - turn).squaredNorm() < 1e-30;
        turn = next;
        if (settled) break;
    }
    const Vec3 omega = turn * inverse * turn.transpose() * momentum;
    if (omega.dot(momentum) <= first.dot(momentum) * (1 + 1e-12)) return {turn, omega};
    turn = turnBy(first);
    return {turn, turn * first};
}

}  // namespace

RigidMotion rigidMotion(std::span<const Index> members, std::span<const double> mass, const Mobility& mobility,
                        const linalg::BlockVector& x, const linalg::BlockVector& u, double h) {
    const auto weight = [&](Index i) { return mobility.leads(i) ? RigidMotion::kHeldWeight * mass[i] : mass[i]; };
    double total = 0;
    Vec3 center = Vec3::Zero(), velocity = Vec3::Zero();
    for (const Index i : members) {
        total += weight(i);
        center += weight(i) * x[i];
        velocity += weight(i) / h * u[i];
    }
    center /= total;
    velocity /= total;
    Vec3 momentum = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
    for (const Index i : members) {
        const Vec3 r = x[i] - center;
        momentum += weight(i) * r.cross(Vec3(u[i] / h - velocity));
        inertia += weight(i) * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    }
    // Particles on a line have no inertia about it, and no momentum either: the pseudo-inverse.
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(inertia);
    Mat3 inverse = Mat3::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = axes.eigenvectors().col(k);
        if (axes.eigenvalues()[k] > 1e-12 * axes.eigenvalues()[2])
            inverse += axis * axis.transpose() / axes.eigenvalues()[k];
    }
    const auto [turn, omega] = turned(inverse, momentum, h);

    RigidMotion out;
    for (const Index i : members) {
        const Vec3 r = x[i] - center, moved = turn * r;
        const bool leads = mobility.leads(i);
        const Vec3 rigid = h * velocity + (moved - r);
        out.strays.push_back(leads && (u[i] - rigid).norm() > RigidMotion::kStraysFrom * r.norm());
        out.displacements.push_back(leads ? Vec3(u[i]) : rigid);
        out.velocities.push_back(leads ? Vec3(u[i] / h) : Vec3(velocity + omega.cross(moved)));
    }
    return out;
}

}  // namespace clothlab::contact
