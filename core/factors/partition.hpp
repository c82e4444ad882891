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
/// which touches only the ones before and after it. So no corners exist where many domains meet. The order of the rows
/// and reverse Cuthill-McKee are tried, and the one with more domains, or else with smaller separators, is taken. A row
/// of a separator that touches only one domain joins it: each row of the interface touches at least two. If separators
/// would be large, there are fewer domains than requested. The result depends on the pattern and the number only.
Partition partitionRows(const linalg::BlockPattern& pattern, Index domains);

}  // namespace clothlab::factors
