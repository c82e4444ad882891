#include "solvers/neumann_neumann.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "linalg/vector_kernels.hpp"

namespace clothlab::solvers {

using factors::Partition;
using linalg::BlockMatrix;
using linalg::BlockPattern;
using linalg::BlockVector;

namespace {

/// (C C^T)^1/2, for a spring -C: the least P with which [P C; C^T Q] is semidefinite, Q that of C^T.
Mat3 absolute(const Mat3& C) {
    if (C == C.transpose()) return -C;
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(C * C.transpose());
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal() *
           eigen.eigenvectors().transpose();
}

/// Without what makes it indefinite.
Mat3 semidefinite(const Mat3& M) {
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(M);
    if (eigen.eigenvalues()[0] >= 0) return M;
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace

void NeumannNeumann::analyze(const BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool& pool) {
    local_.clear();
    if (parts_.interfaceRows().empty()) return;
    local_.resize(parts_.domains().size());
    parts_.eachDomain(pool, [&](Index d, WorkerPool&) { analyzeLocal(matrix.pattern(), d); });
}

void NeumannNeumann::analyzeLocal(const BlockPattern& p, Index domain) {
    const Substructures::Domain& its = parts_.domains()[domain];
    Local& local = local_[domain];
    const auto inner = Index(its.inner.size());
    const std::span<const Index> domainOf = parts_.domainOf(), numbers = parts_.numbers();
    std::vector<Index> rowStart{0}, column;
    std::vector<std::pair<Index, Index>> row;  // local column and block
    const auto take = [&](Index i) {
        row.clear();
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
            const Index j = p.column[k];
            if (domainOf[j] == domain) row.emplace_back(numbers[j], k);
            if (domainOf[j] != Partition::kInterface) continue;
            const auto at = std::ranges::lower_bound(its.boundary, numbers[j]);
            if (at != its.boundary.end() && *at == numbers[j])
                row.emplace_back(inner + Index(at - its.boundary.begin()), k);
        }
        std::ranges::sort(row);
        for (const auto& [at, block] : row) {
            column.push_back(at);
            local.source.push_back(block);
        }
        rowStart.push_back(Index(column.size()));
    };
    for (const Index i : its.inner) take(i);
    for (const Index k : its.boundary) take(parts_.interfaceRows()[k]);
    const Index rows = inner + Index(its.boundary.size());
    local.matrix.reset(linalg::makePattern(rows, std::move(rowStart), std::move(column)));
    local.diagonal.resize(its.boundary.size());
    local.weight.clear();
    for (const Index k : its.boundary) local.weight.push_back(1.0 / double(parts_.touches(k).size()));
    for (BlockVector* v : {&local.rhs, &local.solution}) v->resize(rows);
    local.factor.analyze(local.matrix.pattern(), factors::Ordering::Amd, factors::Factorization::Multifrontal);
}

/// Domains that both rows of the interface touch.
Index NeumannNeumann::sharedBy(Index boundaryRow, Index other) const {
    Index shared = 0;
    for (const Substructures::Touch& mine : parts_.touches(boundaryRow))
        for (const Substructures::Touch& its : parts_.touches(other)) shared += mine.domain == its.domain;
    return shared;
}

void NeumannNeumann::splitRow(const BlockMatrix& A, Index boundaryRow) {
    const BlockPattern& p = A.pattern();
    const Index row = parts_.interfaceRows()[boundaryRow];
    const std::span<const Substructures::Touch> touches = parts_.touches(boundaryRow);
    const std::span<const Index> domainOf = parts_.domainOf(), numbers = parts_.numbers();
    const auto share = [&](const Substructures::Touch& t) -> Mat3& { return local_[t.domain].diagonal[t.boundary]; };
    for (const Substructures::Touch& t : touches) share(t).setZero();
    Mat3 rest = A.diagonal(row);
    for (Index k = p.rowStart[row]; k < p.rowStart[row + 1]; ++k) {
        const Index j = p.column[k];
        if (j == row || !A.occupied(k)) continue;
        const bool both = domainOf[j] == Partition::kInterface;
        const Index shared = both ? sharedBy(boundaryRow, numbers[j]) : 1;
        if (shared == 0) continue;
        const Mat3 part = absolute(A.block(k)) / double(shared);
        for (const Substructures::Touch& t : touches) {
            const auto touchesIt = [&](const Substructures::Touch& its) { return its.domain == t.domain; };
            if (both ? !std::ranges::any_of(parts_.touches(numbers[j]), touchesIt) : domainOf[j] != t.domain) continue;
            share(t) += part;
            rest -= part;
        }
    }
    rest = semidefinite(rest) / double(touches.size());
    for (const Substructures::Touch& t : touches) share(t) += rest;
}

void NeumannNeumann::fillValues(const BlockMatrix& A, Index domain, bool all) {
    Local& local = local_[domain];
    const BlockPattern& p = local.matrix.pattern();
    const std::vector<Index>& boundary = parts_.domains()[domain].boundary;
    const auto inner = Index(parts_.domains()[domain].inner.size());
    for (Index i = 0; i < p.rows; ++i)
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
            const Index j = p.column[k], from = local.source[k];
            local.matrix.copyBlockFrom(k, A.blockData(from), A.occupied(from));
            if (all || i < inner || j < inner || !A.occupied(from)) continue;
            if (i == j)
                local.matrix.block(k) = local.diagonal[i - inner];
            else
                local.matrix.block(k) /= double(sharedBy(boundary[i - inner], boundary[j - inner]));
        }
}

bool NeumannNeumann::factorizeLocal(const BlockMatrix& A, Index domain, WorkerPool& alone) {
    Local& local = local_[domain];
    if (!local.factor.analyze(local.matrix.pattern(), factors::Ordering::Amd, factors::Factorization::Multifrontal))
        return false;
    fillValues(A, domain, false);
    local.indefinite = !local.factor.factorize(local.matrix, alone);
    if (!local.indefinite) return true;
    fillValues(A, domain, true);
    return local.factor.factorize(local.matrix, alone);
}

preconditioners::Outcome NeumannNeumann::update(const preconditioners::UpdateInput& input, WorkerPool& pool) {
    if (local_.empty()) return {};  // there is no interface
    const BlockMatrix& A = input.matrix;
    parallelRows(pool, Index(parts_.interfaceRows().size()), [&](Index begin, Index end) {
        for (Index row = begin; row < end; ++row) splitRow(A, row);
    });
    std::vector<std::uint8_t> done(local_.size());
    parts_.eachDomain(pool, [&](Index d, WorkerPool& alone) { done[d] = factorizeLocal(A, d, alone); });
    const auto failed = std::ranges::find(done, 0);
    if (failed == done.end()) return {};
    const auto d = failed - done.begin();
    return {false, fmt::format("domain {} with its boundary: {}", d + 1, local_[d].factor.message())};
}

double NeumannNeumann::applyDot(const BlockVector& r, BlockVector& z, WorkerPool& pool) const {
    if (local_.empty()) return 0;
    parts_.eachDomain(pool, [&](Index d, WorkerPool& alone) {
        const Local& local = local_[d];
        const std::vector<Index>& boundary = parts_.domains()[d].boundary;
        const auto inner = Index(parts_.domains()[d].inner.size());
        for (Index k = 0; k < Index(boundary.size()); ++k) local.rhs[inner + k] = local.weight[k] * r[boundary[k]];
        local.factor.solve(local.rhs, local.solution, alone);
    });
    parallelRows(pool, z.size(), [&](Index begin, Index end) {
        for (Index row = begin; row < end; ++row) {
            Vec3 sum = Vec3::Zero();
            for (const Substructures::Touch& t : parts_.touches(row)) {
                const auto inner = Index(parts_.domains()[t.domain].inner.size());
                sum += local_[t.domain].weight[t.boundary] * local_[t.domain].solution[inner + t.boundary];
            }
            z[row] = sum;
        }
    });
    return linalg::dot(r, z, pool);
}

double NeumannNeumann::fill() const {
    double sum = 0;
    for (const Local& local : local_) sum += local.factor.fill();
    return sum;
}

double NeumannNeumann::flops() const {
    double sum = 0;
    for (const Local& local : local_) sum += local.factor.flops();
    return sum;
}

std::size_t NeumannNeumann::bytes() const {
    std::size_t sum = 0;
    for (const Local& local : local_) sum += local.factor.bytes() + local.matrix.bytes();
    return sum;
}

Index NeumannNeumann::indefiniteDomains() const {
    return Index(std::ranges::count_if(local_, [](const Local& local) { return local.indefinite; }));
}

}  // namespace clothlab::solvers
