#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace clothlab::integrators {

/// Items in groups whose members can be processed at once, and in any order: no two of a group touch.
struct Colors {
    std::vector<Index> members;  ///< group after group
    std::vector<Index> begin;    ///< first member of each group, and their number

    Index count() const { return begin.empty() ? 0 : Index(begin.size()) - 1; }
    std::span<const Index> group(Index color) const {
        return std::span(members).subspan(begin[color], begin[color + 1] - begin[color]);
    }
};

/// Greedily, in ascending order: the least color that no neighbour has. `neighbours(k)` is a range of indices.
template <class Neighbours>
Colors colorGreedily(Index count, Neighbours&& neighbours) {
    std::vector<Index> color(std::size_t(count), -1);
    std::vector<Index> taken;  // by whom last
    Index colors = 0;
    for (Index k = 0; k < count; ++k) {
        for (const Index other : neighbours(k))
            if (color[other] >= 0) taken[color[other]] = k;
        Index least = 0;
        while (least < colors && taken[least] == k) ++least;
        if (least == colors) {
            ++colors;
            taken.push_back(-1);
        }
        color[k] = least;
    }
    Colors out;
    out.begin.assign(std::size_t(colors) + 1, 0);
    for (const Index c : color) ++out.begin[c + 1];
    for (Index c = 0; c < colors; ++c) out.begin[c + 1] += out.begin[c];
    out.members.resize(std::size_t(count));
    std::vector<Index> next(out.begin.begin(), out.begin.end());
    for (Index k = 0; k < count; ++k) out.members[next[color[k]]++] = k;
    return out;
}

}  // namespace clothlab::integrators
