#pragma once

#include "linalg/block_vector.hpp"

namespace clothlab::linalg {

/// Distances between the particles of two states.
struct Distances {
    double largest = 0, rms = 0;
};
Distances distances(const BlockVector& x, const BlockVector& y);

/// The norm of the longest 3-vector.
double largestNorm(const BlockVector& v);

}  // namespace clothlab::linalg
