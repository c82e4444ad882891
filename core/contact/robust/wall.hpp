#pragma once

#include "linalg/block_vector.hpp"

namespace clothlab::contact {

/// A solid beside a particle: n . u >= bound.
struct Wall {
    Index particle;
    Vec3 normal;      ///< unit, outward
    double bound;     ///< m
    double push = 0;  ///< N, present force on the particle
};

}  // namespace clothlab::contact
