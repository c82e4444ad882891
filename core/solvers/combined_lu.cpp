#include "solvers/combined_lu.hpp"

#include <algorithm>

#include "base/stage_timer.hpp"
#include "factors/ordering.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::solvers {
namespace {

/// Eigen divides its dense products by the caches that it finds, and the division decides how their sums are rounded.
/// With sizes that are fixed before main the same bits come on every processor.
[[maybe_unused]] const bool kCachesAreFixed = [] {
    constexpr std::ptrdiff_t kKilobyte = 1024;
    Eigen::setCpuCacheSizes(32 * kKilobyte, 512 * kKilobyte, 16384 * kKilobyte);
    return true;
}();

}  // namespace

void CombinedLu::makeStructure(const linalg::BlockPattern& p) {
    order_ = factors::orderRows(p, factors::Ordering::Metis);
    if (order_.empty()) order_ = factors::orderRows(p, factors::Ordering::Natural);
    std::vector<Index> place(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) place[order_[k]] = Index(k);
    columnStart_.assign(1, 0);
    row_.clear();
    source_.clear();
    std::vector<std::pair<Index, Index>> column;
    for (const Index j : order_) {
        column.clear();
        for (Index k = p.rowStart[j]; k < p.rowStart[j + 1]; ++k) column.emplace_back(place[p.column[k]], k);
        std::sort(column.begin(), column.end());
        for (const auto& [row, source] : column) {
            row_.push_back(row);
            source_.push_back(source);
        }
        columnStart_.push_back(Index(row_.size()));
    }
    const Eigen::Index n = Eigen::Index{3} * p.rows;
    matrix_.resize(n, n);
    matrix_.resizeNonZeros(9 * Eigen::Index(row_.size()));
    int slot = 0;
    for (Index j = 0; j < p.rows; ++j)
        for (int c = 0; c < 3; ++c) {
            matrix_.outerIndexPtr()[3 * j + c] = slot;
            for (Index k = columnStart_[j]; k < columnStart_[j + 1]; ++k)
                for (int r = 0; r < 3; ++r) matrix_.innerIndexPtr()[slot++] = 3 * row_[k] + r;
        }
    matrix_.outerIndexPtr()[n] = slot;
    std::fill_n(matrix_.valuePtr(), matrix_.nonZeros(), 0.0);
    factor_.isSymmetric(true);
    factor_.setPivotThreshold(1e-3);
    factor_.analyzePattern(matrix_);
    revision_ = p.revision;
}

/// S A + I - S, column after column: the block (i, j) of A is the transpose of the stored (j, i).
void CombinedLu::fill(const linalg::LinearSystem& system) {
    std::vector<Mat3> S(order_.size(), Mat3::Identity());
    for (const linalg::DofConstraint& c : system.constraints.constrained()) S[c.particle] = c.S();
    double* value = matrix_.valuePtr();
    std::size_t slot = 0;
    for (std::size_t j = 0; j < order_.size(); ++j) {
        const auto begin = std::size_t(columnStart_[j]), end = std::size_t(columnStart_[j + 1]);
        const std::size_t height = 3 * (end - begin);
        for (std::size_t k = begin; k < end; ++k) {
            const auto i = std::size_t(row_[k]);
            const Mat3& Si = S[order_[i]];
            Mat3 block = Si * system.A.block(source_[k]).transpose();
            if (i == j) block += Mat3::Identity() - Si;
            for (int c = 0; c < 3; ++c)
                for (int r = 0; r < 3; ++r)
                    value[slot + std::size_t(c) * height + 3 * (k - begin) + std::size_t(r)] = block(r, c);
        }
        slot += 3 * height;
    }
}

void CombinedLu::run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
                     const SolveControl&, WorkerPool&) {
    StageTimer total, timer;
    const linalg::BlockPattern& p = system.A.pattern();
    if (revision_ != p.revision) makeStructure(p);
    summary.analyzeSeconds = timer.lap();
    fill(system);
    factor_.factorize(matrix_);
    summary.factorSeconds = timer.lap();
    if (factor_.info() != Eigen::Success) {
        summary.status = SolveStatus::Breakdown;
        summary.message = "LU: the combined matrix is singular";
        summary.totalSeconds = total.seconds();
        return;
    }
    linalg::BlockVector right = system.b;
    system.constraints.filterAndPrescribe(right);  // S b + (I - S) z
    rhs_.resize(Eigen::Index{3} * p.rows);
    for (std::size_t k = 0; k < order_.size(); ++k) rhs_.segment<3>(3 * Eigen::Index(k)) = right[order_[k]];
    const Eigen::VectorXd x = factor_.solve(rhs_);
    if (deltaV.size() != p.rows) deltaV.resize(p.rows);
    for (std::size_t k = 0; k < order_.size(); ++k) deltaV[order_[k]] = x.segment<3>(3 * Eigen::Index(k));
    summary.applySeconds = timer.lap();
    summary.fill = double(factor_.nnzL() + factor_.nnzU());
    summary.bytes = std::size_t(summary.fill) * (sizeof(double) + sizeof(int));
    summary.totalSeconds = total.seconds();
    conclude(summary, trueRelativeResidual(system, deltaV), computeTolerance(settings_, system));
}

}  // namespace clothlab::solvers
