#include "linalg/dof_constraints.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace clothlab::linalg {

Mat3 DofConstraint::S() const {
    Mat3 s = Mat3::Identity();
    if (ndof == 0) return Mat3::Zero();
    if (ndof <= 2) s -= p * p.transpose();
    if (ndof == 1) s -= q * q.transpose();
    return s;
}

bool wellFormed(const DofConstraint& c) {
    const auto unit = [](const Vec3& v) { return std::abs(v.squaredNorm() - 1) < 1e-9; };  // false for NaN
    if (c.ndof < 0 || c.ndof > 2 || !c.z.allFinite()) return false;
    if (c.ndof >= 1 && !unit(c.p)) return false;
    return c.ndof != 1 || (unit(c.q) && std::abs(c.p.dot(c.q)) < 1e-9);
}

void DofConstraints::reset(Index particles) {
    ndof_.assign(particles, 3);
    slot_.assign(particles, -1);
    constrained_.clear();
}

void DofConstraints::set(DofConstraint c) {
    assert(c.particle >= 0 && c.particle < particles() && c.ndof >= 0 && c.ndof <= 2);
    if (c.ndof == 2 || c.ndof == 1) c.p.normalize();
    if (c.ndof == 1) c.q = (c.q - c.p * c.p.dot(c.q)).normalized();
    if (c.ndof == 2) c.z = c.p * c.p.dot(c.z);
    if (c.ndof == 1) c.z = c.p * c.p.dot(c.z) + c.q * c.q.dot(c.z);

    const auto particle = std::size_t(c.particle);
    ndof_[particle] = std::uint8_t(c.ndof);
    if (slot_[particle] >= 0) {
        constrained_[slot_[particle]] = c;
    } else {
        slot_[particle] = Index(constrained_.size());
        constrained_.push_back(c);
    }
}

DofConstraints DofConstraints::homogeneous() const {
    DofConstraints same(particles());
    for (DofConstraint c : constrained_) {
        c.z.setZero();
        same.set(c);
    }
    same.sort();
    return same;
}

void DofConstraints::sort() {
    std::sort(constrained_.begin(), constrained_.end(),
              [](const DofConstraint& a, const DofConstraint& b) { return a.particle < b.particle; });
    for (std::size_t k = 0; k < constrained_.size(); ++k) slot_[constrained_[k].particle] = Index(k);
}

void DofConstraints::counts(Index (&out)[4]) const {
    std::fill(out, out + 4, 0);
    for (const DofConstraint& c : constrained_) ++out[c.ndof];
    out[3] = particles() - out[0] - out[1] - out[2];
}

static void filterRow(const DofConstraint& c, Eigen::Map<Vec3> x) {
    if (c.ndof == 0) {
        x.setZero();
    } else {
        x -= c.p * c.p.dot(x);
        if (c.ndof == 1) x -= c.q * c.q.dot(x);
    }
}

void DofConstraints::filter(BlockVector& x) const {
    for (const DofConstraint& c : constrained_) filterRow(c, x[c.particle]);
}

void DofConstraints::filter(BlockVector& x, WorkerPool& pool) const {
    parallelRows(pool, Index(constrained_.size()), [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) {
            const DofConstraint& c = constrained_[k];
            filterRow(c, x[c.particle]);
        }
    });
}

void DofConstraints::filterAndPrescribe(BlockVector& x) const {
    filter(x);
    for (const DofConstraint& c : constrained_) x[c.particle] += c.z;
}

void DofConstraints::prescribed(BlockVector& out) const {
    if (out.size() != particles()) out.resize(particles());
    out.setZero();
    for (const DofConstraint& c : constrained_) out[c.particle] = c.z;
}

}  // namespace clothlab::linalg
