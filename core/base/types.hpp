#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace clothlab {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// Index of a particle, a spring, a block row. 32 bits halve the index traffic of the matrix kernels.
using Index = std::int32_t;

}  // namespace clothlab
