#include "support/core_grid.hpp"

#include <cstdlib>

namespace clothlab::testing {

GridWithCore::GridWithCore(Index side, unsigned seed, double constrainedShare)
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

}  // namespace clothlab::testing
