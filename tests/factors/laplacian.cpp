#include "laplacian.hpp"

#include <algorithm>

namespace clothlab::testing {

std::vector<double> laplacian(const linalg::BlockPattern& p, double mass) {
    std::vector<double> values(std::size_t(p.blocks()), 0.0);
    for (Index i = 0; i < p.rows; ++i) {
        double sum = mass;
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            if (p.column[k] != i) {
                values[k] = -1.0 - 0.01 * (i + p.column[k]);
                sum -= values[k];
            }
        values[p.diagonal[i]] = sum;
    }
    return values;
}

linalg::BlockMatrix threefold(const std::shared_ptr<const linalg::BlockPattern>& p, const std::vector<double>& values,
                              const std::vector<Index>& pinned, const std::vector<std::pair<Index, double>>& added) {
    linalg::BlockMatrix A(p);
    const auto isPinned = [&](Index i) { return std::ranges::find(pinned, i) != pinned.end(); };
    for (Index i = 0; i < p->rows; ++i)
        for (Index k = p->rowStart[i]; k < p->rowStart[i + 1]; ++k) {
            const Index j = p->column[k];
            double value = isPinned(i) || isPinned(j) ? double(i == j) : values[k];
            for (const auto& [row, more] : added)
                if (row == i && i == j && !isPinned(i)) value += more;
            A.block(k) = value * Mat3::Identity();
            A.setOccupied(k, true);
        }
    return A;
}

double apart(const linalg::BlockVector& x, const linalg::BlockVector& expected) {
    return (x.flat() - expected.flat()).norm() / expected.flat().norm();
}

linalg::BlockVector randomBlocks(Index rows, unsigned seed) {
    std::mt19937 rng(seed);
    linalg::BlockVector b(rows);
    for (Index i = 0; i < rows; ++i) b[i] = randomVec3(rng);
    return b;
}

}  // namespace clothlab::testing
