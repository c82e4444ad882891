#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cloth/cloth_model.hpp"
#include "integrators/state/state.hpp"

/// The rigid part of a motion, for each piece of cloth.
namespace clothlab::integrators {

/// The motion of a piece: its centre, the velocity there, m/s, and the angular velocity, 1/s, from its momenta.
struct RigidMotion {
    Vec3 center = Vec3::Zero(), velocity = Vec3::Zero(), turning = Vec3::Zero();
    Vec3 at(const Vec3& x) const { return velocity + turning.cross(x - center); }
};
/// The motion of some particles. `mass` (kg) has an entry for each particle of the cloth.
RigidMotion fitRigidMotion(const std::vector<Index>& piece, const std::vector<double>& mass,
                           const SimulationState& state);

/// The pieces that springs and threads hold together.
class ClothPieces {
public:
    /// Does nothing while the mesh and its broken springs are those of the last call.
    void find(const cloth::ClothModel& model, const std::vector<std::uint8_t>& broken);
    /// Particles of each piece, ascending.
    std::span<const std::vector<Index>> each() const { return pieces_; }

private:
    std::vector<std::vector<Index>> pieces_;
    const cloth::ClothModel* model_ = nullptr;
    std::uint64_t revision_ = 0;
    std::vector<std::uint8_t> broken_;
};

}  // namespace clothlab::integrators
