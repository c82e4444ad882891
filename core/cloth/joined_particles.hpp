#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace clothlab::cloth {

/// Particles joined step by step to groups, each represented by its first member.
class JoinedParticles {
public:
    explicit JoinedParticles(Index particles) : first_(std::size_t(particles), 0) {
        std::iota(first_.begin(), first_.end(), Index(0));
    }
    void join(Index i, Index j) {
        const auto [low, high] = std::minmax({findFirst(i), findFirst(j)});
        first_[high] = low;
    }
    Index findFirst(Index i) {
        while (first_[i] != i) i = first_[i] = first_[first_[i]];
        return i;
    }
    /// The first member of each particle's group.
    std::vector<Index> firsts() && {
        for (Index i = 0; i < Index(first_.size()); ++i) first_[i] = findFirst(i);
        return std::move(first_);
    }

private:
    std::vector<Index> first_;
};

}  // namespace clothlab::cloth
