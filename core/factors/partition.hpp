#pragma once

#include "factors/ordering.hpp"

namespace clothlab::factors {

/// Rows in domains that do not touch each other, and an interface between them.
struct Partition {
    static constexpr Index kInterface = -1;

    std::vector<Index> of;  ///< per row: its domain from 0 on, or kInterface
    Index domains = 0;
};

/// The domains and separators of `cutIntoDomains`: runs of an order with a narrow band, strips of a sheet, each of
/// which meets no more than the one before it and the one behind. So there are no corners where many domains meet. The
/// order of the rows and reverse Cuthill-McKee are tried, and the one with more domains is taken, or with the smaller
/// separators. A row of a separator that touches one domain only joins it: each row of the interface touches two at
/// least. Where separators would be large there are fewer domains than asked for. The result depends on the pattern and
/// the number only.
Partition partitionRows(const linalg::BlockPattern& pattern, Index domains);

}  // namespace clothlab::factors
