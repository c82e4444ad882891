#pragma once

#include "random_systems.hpp"

namespace clothlab::testing {

/// A grid whose pairs two apart lie outside of the core, and diagonal neighbours are shear.
struct GridWithCore {
    RandomSystem system;
    linalg::CoreMask core;

    explicit GridWithCore(Index side, unsigned seed, double constrainedShare = 0.0)
        : system(gridSystem(side, seed, constrainedShare)) {
        const linalg::BlockPattern& p = system.A.pattern();
        core.revision = p.revision;
        for (Index i = 0; i < p.rows; ++i)
            for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
                const Index di = std::abs(p.column[k] / side - i / side), dj = std::abs(p.column[k] % side - i % side);
                core.offDiagonal.push_back(di + dj <= 1         ? linalg::CoreMask::kCore
                                           : di == 1 && dj == 1 ? linalg::CoreMask::kShear
                                                                : 0);
            }
    }
    linalg::LinearSystem view() const {
        return {.A = system.A, .b = system.b, .constraints = system.constraints, .core = &core};
    }
};

}  // namespace clothlab::testing
