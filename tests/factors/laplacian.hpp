#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "linalg/block_matrix.hpp"
#include "support/random_systems.hpp"

namespace clothlab::testing {

/// A Laplacian with a mass on a graph: one number a block.
std::vector<double> laplacian(const linalg::BlockPattern& p, double mass);

/// The same matrix with three rows a particle, `pinned` rows and columns the identity's, `added` on diagonals.
linalg::BlockMatrix threefold(const std::shared_ptr<const linalg::BlockPattern>& p, const std::vector<double>& values,
                              const std::vector<Index>& pinned = {},
                              const std::vector<std::pair<Index, double>>& added = {});

/// |x - expected| / |expected|
double apart(const linalg::BlockVector& x, const linalg::BlockVector& expected);

linalg::BlockVector randomBlocks(Index rows, unsigned seed);

}  // namespace clothlab::testing
