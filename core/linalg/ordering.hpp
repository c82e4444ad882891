#pragma once

#include <vector>

#include "linalg/block_pattern.hpp"

namespace clothlab::linalg {

/// order[k] = the row of the pattern that comes k-th.
/// Reverse Cuthill-McKee: breadth-first from an end of each component, low degrees first, backwards. A small bandwidth.
std::vector<Index> reverseCuthillMcKee(const BlockPattern& pattern);

/// The order of the rows as they are.
std::vector<Index> naturalOrder(const BlockPattern& pattern);

/// By METIS, through CHOLMOD: separators last.
std::vector<Index> nestedDissection(const BlockPattern& pattern);

}  // namespace clothlab::linalg
