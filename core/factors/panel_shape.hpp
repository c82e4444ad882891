#pragma once

#include <algorithm>
#include <type_traits>

#include "base/types.hpp"

/// How the rows of a node of TrianglePanels are cut into panels.
namespace clothlab::factors {

constexpr Index kLanes = 8;   ///< rows of a block
constexpr Index kAhead = 64;  ///< particles prefetched ahead
constexpr Index kTall = 3;    ///< blocks of a panel, except the top one

/// Panels of a node from the bottom up, f(first block, blocks as a constant, columns): the top one has what is left.
template <class F>
void upPanels(Index columns, Index blocks, F&& f) {
    for (Index first = blocks - kTall; first > -kTall; first -= kTall) {
        const Index inside = std::min(columns, kLanes * (first + kTall));
        if (first >= 0)
            f(first, std::integral_constant<int, kTall>{}, inside);
        else if (first == 1 - kTall)
            f(0, std::integral_constant<int, 1>{}, inside);
        else
            f(0, std::integral_constant<int, 2>{}, inside);
    }
}
template <class F>
void downPanels(Index columns, Index blocks, F&& f) {
    const Index rest = blocks % kTall;
    if (rest == 1) f(0, std::integral_constant<int, 1>{}, std::min(columns, kLanes));
    if (rest == 2) f(0, std::integral_constant<int, 2>{}, std::min(columns, 2 * kLanes));
    for (Index first = rest; first < blocks; first += kTall)
        f(first, std::integral_constant<int, kTall>{}, std::min(columns, kLanes * (first + kTall)));
}

inline std::size_t panelSize(Index columns, Index rows) {
    std::size_t values = 0;
    upPanels(columns, (rows + kLanes - 1) / kLanes,
             [&](Index, auto blocks, Index inside) { values += std::size_t(kLanes * blocks) * inside; });
    return values;
}

}  // namespace clothlab::factors
