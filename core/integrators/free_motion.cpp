#include "integrators/free_motion.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace clothlab::integrators {
namespace {

/// Relative to the sum of squares of the removed directions: round-off of a direction that no normal has.
constexpr double kUntouched = 1e-12;
/// Relative to the sum of |b|: the residual that a direct solve leaves.
constexpr double kRoundOff = 1e-10;

}  // namespace

std::vector<FreeBody> freeBodies(const cloth::ClothModel& model, const linalg::DofConstraints& constraints,
                                 bool joined) {
    std::vector<FreeBody> bodies;
    Index first = 0;
    for (const cloth::ClothModel::Patch& patch : model.patches) {
        if (!joined || bodies.empty()) bodies.push_back({first, first, {}});
        bodies.back().end = first += patch.particles;
    }
    std::vector<Mat3> removed(bodies.size(), Mat3::Zero());
    for (const linalg::DofConstraint& c : constraints.constrained()) {
        std::size_t body = 0;
        while (c.particle >= bodies[body].end) ++body;
        removed[body] += Mat3::Identity() - c.S();
    }
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const Eigen::SelfAdjointEigenSolver<Mat3> directions(removed[k]);
        int count = 0;
        while (count < 3 && directions.eigenvalues()[count] <= kUntouched * removed[k].trace()) ++count;
        bodies[k].free = directions.eigenvectors().leftCols(count);
    }
    std::erase_if(bodies, [](const FreeBody& body) { return body.free.cols() == 0; });
    return bodies;
}

bool keepMomentum(const cloth::ClothModel& model, const linalg::LinearSystem& system, bool joined,
                  linalg::BlockVector& deltaV, WorkerPool& pool) {
    const std::vector<FreeBody> bodies = freeBodies(model, system.constraints, joined);
    if (bodies.empty()) return false;
    linalg::BlockVector product(deltaV.size()), translation(deltaV.size());
    linalg::multiply(system.A, deltaV, product, pool);
    bool changed = false;
    for (const FreeBody& body : bodies) {
        Vec3 left = Vec3::Zero();
        double size = 0;
        for (Index i = body.begin; i < body.end; ++i) {
            left += system.b[i] - product[i];
            size += Vec3(system.b[i]).norm();
        }
        const auto& free = body.free;
        if (!(body.lengthAlong(left) > kRoundOff * size)) continue;
        Mat3 sum;  // of all blocks of A between its particles
        for (int axis = 0; axis < 3; ++axis) {
            translation.setZero();
            for (Index i = body.begin; i < body.end; ++i) translation[i] = Vec3::Unit(axis);
            linalg::multiply(system.A, translation, product, pool);
            Vec3 column = Vec3::Zero();
            for (Index i = body.begin; i < body.end; ++i) column += product[i];
            sum.col(axis) = column;
        }
        const Eigen::MatrixXd coarse = free.transpose() * sum * free;
        const Vec3 by = free * coarse.llt().solve(body.along(left));
        if (!by.allFinite()) continue;
        changed = true;
        for (Index i = body.begin; i < body.end; ++i) deltaV[i] += by;
        if (&body != &bodies.back()) linalg::multiply(system.A, deltaV, product, pool);
    }
    return changed;
}

}  // namespace clothlab::integrators
