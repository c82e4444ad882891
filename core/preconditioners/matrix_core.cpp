#include "preconditioners/matrix_core.hpp"

#include <algorithm>

#include "linalg/vector_kernels.hpp"

namespace clothlab::preconditioners {

void MatrixCore::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core) {
    const linalg::BlockPattern& p = matrix.pattern();
    const bool all = !core || core->offDiagonal.empty();
    std::vector<Index> rowStart{0}, column;
    source_.clear();
    for (Index i = 0; i < p.rows; ++i) {
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            if (all || p.column[k] == i || core->offDiagonal[static_cast<std::size_t>(k)]) {
                column.push_back(p.column[k]);
                source_.push_back(k);
            }
        rowStart.push_back(static_cast<Index>(column.size()));
    }
    core_.reset(linalg::makePattern(p.rows, std::move(rowStart), std::move(column)));
    trouble_ = factor_.analyze(core_.pattern(), ordering_, linalg::Factorization::Multifrontal) ? "" : factor_.message();
}

Outcome MatrixCore::update(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool& pool) {
    if (!trouble_.empty()) return {false, trouble_};
    parallelRows(pool, core_.rows(), [&](Index begin, Index end) {
        const linalg::BlockPattern& p = core_.pattern();
        for (Index k = p.rowStart[begin]; k < p.rowStart[end]; ++k)
            std::copy_n(matrix.blockData(source_[static_cast<std::size_t>(k)]), 9, core_.blockData(k));
    });
    if (!factor_.factorize(core_, pool)) return {false, "matrix core: " + factor_.message()};
    return {};
}

double MatrixCore::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    factor_.solve(r, z);
    return linalg::dot(r, z, pool);
}

}  // namespace clothlab::preconditioners
