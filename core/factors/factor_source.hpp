#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/members.hpp"
#include "factors/ordering.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::factors {

/// The input of a factor: a symmetric N x N matrix on the graph of a block pattern, one entry per block. A pinned row
/// is that of the identity in the factor; its entries are kept, since it may be released.
struct FactorSource {
    std::shared_ptr<const linalg::BlockPattern> pattern;
    std::vector<double> values;
    std::vector<Index> pinned;  ///< ascending
    std::vector<Index> broken;  ///< springs that the entries leave out, ascending
    Ordering ordering = Ordering::Amd;

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [pattern, values, pinned, broken, ordering] = self;
        return std::tie(pattern, values, pinned, broken, ordering);
    }

    /// Whether the entries are the same, whatever is pinned.
    bool sameEntries(const FactorSource& other) const;
    /// Whether both give the same factor.
    bool operator==(const FactorSource& other) const;
    std::size_t bytes() const {
        return values.size() * sizeof(double) + (pinned.size() + broken.size()) * sizeof(Index);
    }
};

}  // namespace clothlab::factors
