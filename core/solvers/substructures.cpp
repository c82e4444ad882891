#include "solvers/substructures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/vector_kernels.hpp"

namespace clothlab::solvers {

using factors::Partition;
using linalg::BlockMatrix;
using linalg::BlockPattern;
using linalg::BlockVector;

Index automaticSubstructures(Index rows) {
    constexpr Index kRowsPerDomain = 500, kMost = 16;
    return std::clamp<Index>(rows / kRowsPerDomain, 2, kMost);
}

void Substructures::analyze(const BlockMatrix& A, Index domains, WorkerPool& pool) {
    const BlockPattern& p = A.pattern();
    if (revision_ == p.revision && asked_ == domains) return;
    revision_ = p.revision;
    asked_ = domains;
    matrix_ = nullptr;
    partition_ = factors::partitionRows(p, domains > 0 ? domains : automaticSubstructures(p.rows));
    numberRows();
    listDomains(p);
    listTouches();
    makeInterfacePattern(p);
    interiors_.clear();
    interiors_.resize(domains_.size());
    eachDomain(pool, [&](Index d, WorkerPool&) { analyzeInterior(p, d); });
}

void Substructures::numberRows() {
    domains_.assign(std::size_t(partition_.domains), {});
    interface_.clear();
    number_.resize(partition_.of.size());
    for (std::size_t row = 0; row < number_.size(); ++row) {
        const Index domain = partition_.of[row];
        std::vector<Index>& rows = domain == Partition::kInterface ? interface_ : domains_[domain].inner;
        number_[row] = Index(rows.size());
        rows.push_back(Index(row));
    }
}

void Substructures::listDomains(const BlockPattern& p) {
    for (Index boundaryRow = 0; boundaryRow < Index(interface_.size()); ++boundaryRow) {
        const Index row = interface_[boundaryRow];
        for (Index k = p.rowStart[row]; k < p.rowStart[row + 1]; ++k) {
            const Index j = p.column[k], d = partition_.of[j];
            if (d == Partition::kInterface) continue;
            std::vector<Index>& boundary = domains_[d].boundary;
            if (boundary.empty() || boundary.back() != boundaryRow) boundary.push_back(boundaryRow);
            domains_[d].couplings.push_back({number_[j], Index(boundary.size()) - 1, k});
        }
    }
}

void Substructures::listTouches() {
    touchStart_.assign(interface_.size() + 1, 0);
    for (const Domain& domain : domains_)
        for (const Index row : domain.boundary) ++touchStart_[row + 1];
    for (std::size_t row = 0; row < interface_.size(); ++row) touchStart_[row + 1] += touchStart_[row];
    touch_.resize(std::size_t(touchStart_.back()));
    std::vector<Index> next(touchStart_.begin(), touchStart_.end() - 1);
    for (std::size_t d = 0; d < domains_.size(); ++d)
        for (std::size_t k = 0; k < domains_[d].boundary.size(); ++k)
            touch_[next[domains_[d].boundary[k]]++] = {Index(d), Index(k)};
}

void Substructures::makeInterfacePattern(const BlockPattern& p) {
    std::vector<Index> rowStart{0}, column;
    interfaceSource_.clear();
    for (const Index row : interface_) {
        for (Index k = p.rowStart[row]; k < p.rowStart[row + 1]; ++k) {
            if (partition_.of[p.column[k]] != Partition::kInterface) continue;
            column.push_back(number_[p.column[k]]);
            interfaceSource_.push_back(k);
        }
        rowStart.push_back(Index(column.size()));
    }
    onInterface_.reset(linalg::makePattern(Index(interface_.size()), std::move(rowStart), std::move(column)));
}

void Substructures::analyzeInterior(const BlockPattern& p, Index domain) {
    const Domain& its = domains_[domain];
    Interior& interior = interiors_[domain];
    std::vector<Index> rowStart{0}, column;
    for (const Index row : its.inner) {
        for (Index k = p.rowStart[row]; k < p.rowStart[row + 1]; ++k) {
            if (partition_.of[p.column[k]] != domain) continue;
            column.push_back(number_[p.column[k]]);
            interior.source.push_back(k);
        }
        rowStart.push_back(Index(column.size()));
    }
    interior.matrix.reset(linalg::makePattern(Index(its.inner.size()), std::move(rowStart), std::move(column)));
    for (BlockVector* v : {&interior.rhs, &interior.solution}) v->resize(Index(its.inner.size()));
    interior.owed.resize(Index(its.boundary.size()));
    interior.factor.analyze(interior.matrix.pattern(), factors::Ordering::Amd, factors::Factorization::Multifrontal);
}

std::string Substructures::factorize(const BlockMatrix& A, WorkerPool& pool) {
    matrix_ = &A;
    for (std::size_t k = 0; k < interfaceSource_.size(); ++k)
        onInterface_.copyBlockFrom(Index(k), A.blockData(interfaceSource_[k]), A.occupied(interfaceSource_[k]));
    std::vector<std::uint8_t> done(domains_.size());
    eachDomain(pool, [&](Index d, WorkerPool& alone) {
        Interior& interior = interiors_[d];
        for (std::size_t k = 0; k < interior.source.size(); ++k)
            interior.matrix.copyBlockFrom(Index(k), A.blockData(interior.source[k]), A.occupied(interior.source[k]));
        // The analysis of before, or once more where that failed.
        done[d] = interior.factor.analyze(interior.matrix.pattern(), factors::Ordering::Amd,
                                          factors::Factorization::Multifrontal) &&
                  interior.factor.factorize(interior.matrix, alone);
    });
    const auto failed = std::ranges::find(done, 0);
    if (failed == done.end()) return {};
    const auto d = failed - done.begin();
    return fmt::format("domain {} of {}: {}", d + 1, done.size(), interiors_[d].factor.message());
}

/// owed = A_Gd A_dd^-1 rhs
void Substructures::solveAndOwe(Index domain, WorkerPool& alone) const {
    const Interior& interior = interiors_[domain];
    interior.factor.solve(interior.rhs, interior.solution, alone);
    interior.owed.setZero();
    for (const Coupling& c : domains_[domain].couplings)
        if (matrix_->occupied(c.source))
            interior.owed[c.boundary] += matrix_->block(c.source) * interior.solution[c.inner];
}

void Substructures::subtractOwed(BlockVector& q, WorkerPool& pool) const {
    parallelRows(pool, q.size(), [&](Index begin, Index end) {
        for (Index row = begin; row < end; ++row)
            for (const Touch& touch : touches(row)) q[row] -= interiors_[touch.domain].owed[touch.boundary];
    });
}

void Substructures::condense(const BlockVector& b, BlockVector& g, WorkerPool& pool) const {
    eachDomain(pool, [&](Index d, WorkerPool& alone) {
        const std::vector<Index>& inner = domains_[d].inner;
        for (std::size_t k = 0; k < inner.size(); ++k) interiors_[d].rhs[Index(k)] = b[inner[k]];
        solveAndOwe(d, alone);
    });
    if (g.size() != Index(interface_.size())) g.resize(Index(interface_.size()));
    for (std::size_t k = 0; k < interface_.size(); ++k) g[Index(k)] = b[interface_[k]];
    subtractOwed(g, pool);
}

double Substructures::multiplyDot(const BlockVector& p, BlockVector& q, WorkerPool& pool) const {
    eachDomain(pool, [&](Index d, WorkerPool& alone) {
        const Domain& domain = domains_[d];
        BlockVector& rhs = interiors_[d].rhs;
        rhs.setZero();
        for (const Coupling& c : domain.couplings)
            if (matrix_->occupied(c.source))
                rhs[c.inner] += matrix_->block(c.source).transpose() * p[domain.boundary[c.boundary]];
        solveAndOwe(d, alone);
    });
    linalg::multiply(onInterface_, p, q, pool);
    subtractOwed(q, pool);
    return linalg::dot(p, q, pool);
}

void Substructures::extend(const BlockVector& b, const BlockVector& onInterface, BlockVector& x,
                           WorkerPool& pool) const {
    if (x.size() != b.size()) x.resize(b.size());
    eachDomain(pool, [&](Index d, WorkerPool& alone) {
        const Domain& domain = domains_[d];
        const Interior& interior = interiors_[d];
        for (std::size_t k = 0; k < domain.inner.size(); ++k) interior.rhs[Index(k)] = b[domain.inner[k]];
        for (const Coupling& c : domain.couplings)
            if (matrix_->occupied(c.source))
                interior.rhs[c.inner] -=
                    matrix_->block(c.source).transpose() * onInterface[domain.boundary[c.boundary]];
        interior.factor.solve(interior.rhs, interior.solution, alone);
        for (std::size_t k = 0; k < domain.inner.size(); ++k) x[domain.inner[k]] = interior.solution[Index(k)];
    });
    for (std::size_t k = 0; k < interface_.size(); ++k) x[interface_[k]] = onInterface[Index(k)];
}

double Substructures::fill() const {
    double sum = 0;
    for (const Interior& interior : interiors_) sum += interior.factor.fill();
    return sum;
}

double Substructures::flops() const {
    double sum = 0;
    for (const Interior& interior : interiors_) sum += interior.factor.flops();
    return sum;
}

std::size_t Substructures::bytes() const {
    std::size_t sum = 0;
    for (const Interior& interior : interiors_) sum += interior.factor.bytes();
    return sum;
}

}  // namespace clothlab::solvers
