#include "integrators/stages/rigid_motion.hpp"

#include <Eigen/Eigenvalues>

#include "cloth/tearing.hpp"

namespace clothlab::integrators {

RigidMotion fitRigidMotion(const std::vector<Index>& piece, const std::vector<double>& mass,
                           const SimulationState& state) {
    RigidMotion out;
    double sum = 0;
    for (const Index i : piece) {
        const double m = mass[i];
        sum += m;
        out.center += m * Vec3(state.x[i]);
        out.velocity += m * Vec3(state.v[i]);
    }
    out.center /= sum, out.velocity /= sum;
    Vec3 momentum = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
    for (const Index i : piece) {
        const double m = mass[i];
        const Vec3 r = state.x[i] - out.center;
        momentum += m * r.cross(Vec3(state.v[i]) - out.velocity);
        inertia += m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    }
    // A line does not turn about its axis, and a point about no axis.
    constexpr double kNone = 1e-12;
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(inertia);
    for (int k = 0; k < 3; ++k)
        if (const double about = axes.eigenvalues()[k]; about > kNone * axes.eigenvalues()[2])
            out.turning += (axes.eigenvectors().col(k).dot(momentum) / about) * axes.eigenvectors().col(k);
    return out;
}

void ClothPieces::find(const cloth::ClothModel& model, const std::vector<std::uint8_t>& broken) {
    if (model_ == &model && revision_ == model.revision && broken_ == broken) return;
    const std::vector<Index> first = cloth::piecesOfSprings(model, broken);
    pieces_.clear();
    std::vector<std::size_t> pieceOf(first.size());  // by its first particle, which comes before the others
    for (Index i = 0; i < model.particles(); ++i) {
        if (first[i] == i) {
            pieceOf[i] = pieces_.size();
            pieces_.emplace_back();
        }
        pieces_[pieceOf[first[i]]].push_back(i);
    }
    model_ = &model;
    revision_ = model.revision;
    broken_ = broken;
}

}  // namespace clothlab::integrators
