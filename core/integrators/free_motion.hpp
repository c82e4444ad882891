#pragma once

#include <cmath>
#include <vector>

#include "cloth/cloth_model.hpp"
#include "cloth/forces.hpp"
#include "linalg/linear_system.hpp"

namespace clothlab::integrators {

/// The particles of a cloth from begin to end, and the directions, orthonormal, that no constraint removes from any of
/// them; at least one.
struct FreeBody {
    Index begin, end;
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> free;

    /// The part of a vector along each of the directions.
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1> along(const Vec3& vector) const {
        return free.transpose() * vector;
    }
    /// The length of that part. No norm() of so short a vector of unknown length: g++ 14 warns of it at -O3.
    double lengthAlong(const Vec3& vector) const {
        double squares = 0;
        for (const double part : along(vector)) squares += part * part;
        return std::sqrt(squares);
    }
};
/// Whether pairs may join patches. Threads do not: they join what is one patch.
inline bool joinsPatches(const cloth::ClothModel& model, const cloth::ForceModel& forces) {
    return forces.pairs().size() > model.threads.size();
}
/// All free bodies; with `joined` all particles are one body, as repelling pairs make them.
std::vector<FreeBody> freeBodies(const cloth::ClothModel& model, const linalg::DofConstraints& constraints,
                                 bool joined);

/// A solve that stops at its tolerance leaves a residual, and the sum of the residual over a body is momentum that the
/// solve has lost or added. The tolerance is relative to b, which holds the forces of stiff springs: where those are a
/// thousand times the weight, a free body falls or slides at half of its acceleration.
///
/// Adds to dv (m/s) the translation of each cloth, in the directions that no constraint removes from any of its
/// particles, for which its residual sums to zero: dv + Z c with (Z^T A Z) c = Z^T (b - A dv). That is the correction
/// of a coarse space, so the error falls in the norm of A. Cloth that is held is unchanged, as is the result of a
/// direct solve. Returns whether dv has changed.
bool keepMomentum(const cloth::ClothModel& model, const linalg::LinearSystem& system, bool joined,
                  linalg::BlockVector& deltaV, WorkerPool& pool);

}  // namespace clothlab::integrators
