#include "integrators/stages/impact_zone_motion.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>

#include "linalg/dof_constraints.hpp"

namespace clothlab::integrators {
namespace {

/// Stiffness of a held direction relative to the stiffest rigid motion of the zone.
constexpr double kLeads = 1e6;

/// An orthonormal basis of the rigid motions of points, three rows per point.
Eigen::MatrixXd rigidMotions(std::span<const Index> members, const linalg::BlockVector& x) {
    Vec3 center = Vec3::Zero();
    for (const Index i : members) center += x[i];
    center /= double(members.size());
    double size = 0;
    for (const Index i : members) size = std::max(size, (x[i] - center).norm());
    Eigen::MatrixXd motions(3 * Eigen::Index(members.size()), 6);
    for (std::size_t k = 0; k < members.size(); ++k) {
        const Vec3 r = (x[members[k]] - center) / (size > 0 ? size : 1);
        for (int axis = 0; axis < 3; ++axis) {
            motions.block<3, 1>(3 * Eigen::Index(k), axis) = Vec3::Unit(axis);
            motions.block<3, 1>(3 * Eigen::Index(k), 3 + axis) = Vec3::Unit(axis).cross(r);
        }
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(motions);
    qr.setThreshold(1e-8);
    const Eigen::Index rank = qr.rank();
    return qr.householderQ() * Eigen::MatrixXd::Identity(motions.rows(), rank);
}

/// A_zz R.
Eigen::MatrixXd appliedTo(const Eigen::MatrixXd& R, std::span<const Index> members, const ZoneBalance& balance,
                          const std::vector<Index>& place) {
    Eigen::MatrixXd out(R.rows(), R.cols());
    for (std::size_t k = 0; k < members.size(); ++k) {
        const Index i = members[k];
        auto row = out.middleRows<3>(3 * Eigen::Index(k));
        if (!balance.A) {
            row = balance.mass[i] * R.middleRows<3>(3 * Eigen::Index(k));
            continue;
        }
        row.setZero();
        const linalg::BlockPattern& pattern = balance.A->pattern();
        for (Index slot = pattern.rowStart[i]; slot < pattern.rowStart[i + 1]; ++slot) {
            const Index other = place[pattern.column[slot]];
            if (other >= 0 && balance.A->occupied(slot))
                row += balance.A->block(slot) * R.middleRows<3>(3 * Eigen::Index(other));
        }
    }
    return out;
}

}  // namespace

void prescribeZones(const SimulationState& state, const ZoneBalance& balance,
                    std::vector<mechanics::Prescribed>& prescribed) {
    if (state.zones.ends.empty()) return;
    const Index n = state.x.size();
    std::vector<Index> holder(std::size_t(n), -1), place(std::size_t(n), -1);  // of a particle; in its zone
    for (std::size_t k = prescribed.size(); k-- > 0;) holder[prescribed[k].particle] = Index(k);
    for (std::size_t zone = 0; zone < state.zones.ends.size(); ++zone) {
        const std::span<const Index> members = state.zones.zone(zone);
        for (std::size_t k = 0; k < members.size(); ++k) place[members[k]] = Index(k);
        const Eigen::MatrixXd R = rigidMotions(members, state.x);
        Eigen::MatrixXd matrix = R.transpose() * appliedTo(R, members, balance, place);
        Eigen::VectorXd rhs = Eigen::VectorXd::Zero(R.cols());
        const double weight = kLeads * matrix.diagonal().maxCoeff();
        for (std::size_t k = 0; k < members.size(); ++k) {
            const auto rows = R.middleRows<3>(3 * Eigen::Index(k));
            rhs += rows.transpose() * Vec3(balance.b[members[k]]);
            if (holder[members[k]] < 0) continue;
            const mechanics::Prescribed& p = prescribed[holder[members[k]]];
            const Mat3 removed = Mat3::Identity() - linalg::DofConstraint{.ndof = p.ndof, .p = p.p, .q = p.q}.S();
            matrix += weight * rows.transpose() * removed * rows;
            rhs += weight * rows.transpose() * (removed * (p.velocity - state.v[p.particle]));
        }
        const Eigen::VectorXd z = R * matrix.ldlt().solve(rhs);
        for (std::size_t k = 0; k < members.size(); ++k) {
            const Index i = members[k];
            place[i] = -1;
            if (holder[i] >= 0 || !z.allFinite()) continue;
            const Vec3 velocity = state.v[i] + z.segment<3>(3 * Eigen::Index(k));
            prescribed.push_back({.particle = i,
                                  .ndof = 0,
                                  .velocity = velocity,
                                  .target = state.x[i] + balance.dt * velocity,
                                  .source = mechanics::PrescribedBy::ImpactZone});
        }
    }
}

}  // namespace clothlab::integrators
