#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "linalg/block_matrix.hpp"
#include "support/random_systems.hpp"

namespace clothlab::testing {

/// The Laplacian of a graph plus a mass: one number per block.
std::vector<double> laplacian(const linalg::BlockPattern& p, double mass);

/// The same matrix with three rows per particle, the rows and columns in `pinned` replaced by the identity's, and
/// `added` on the diagonal.
linalg::BlockMatrix threefold(const std::shared_ptr<const linalg::BlockPattern>& p, const std::vector<double>& values,
                              const std::vector<Index>& pinned = {},
                              const std::vector<std::pair<Index, double>>& added = {});

/// |x - expected| / |expected|
double apart(const linalg::BlockVector& x, const linalg::BlockVector& expected);

linalg::BlockVector randomBlocks(Index rows, unsigned seed);

}  // namespace clothlab::testing
