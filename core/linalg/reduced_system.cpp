#include "linalg/reduced_system.hpp"

#include <algorithm>

#include "linalg/constrained_matrix.hpp"

namespace clothlab::linalg {

void ReducedSystem::updatePattern(const LinearSystem& system, WorkerPool& pool) {
    const BlockPattern& full = system.A.pattern();
    std::vector<Held> held(std::size_t(full.rows), Held::Not);
    for (const DofConstraint& c : system.constraints.constrained())
        if (c.ndof == 0) held[c.particle] = c.passing ? Held::Passing : Held::Lasting;
    if (fullPattern_ && fullPattern_->revision == full.revision && held == held_) return;

    fullPattern_ = system.A.sharedPattern();
    held_ = std::move(held);
    row_.assign(full.rows, -1);
    particle_.clear();
    for (Index i = 0; i < full.rows; ++i)
        if (held_[i] == Held::Not) {
            row_[i] = Index(particle_.size());
            particle_.push_back(i);
        }
    matrix_.adopt(withoutRows(full, row_, origin(pool), source_, pool));
}

/// What contacts made the reduced pattern of: that of the cloth, without the rows of pins alone.
std::shared_ptr<const PatternOrigin> ReducedSystem::origin(WorkerPool& pool) {
    const PatternOrigin* own = fullPattern_->origin.get();
    if (!own && std::ranges::find(held_, Held::Passing) == held_.end()) return {};
    const auto& cloth = own ? own->pattern : fullPattern_;
    std::vector<Index> row(std::size_t(cloth->rows), 0);
    const auto rowInCloth = [own](Index i) { return own ? own->row[i] : i; };
    for (Index i = 0; i < fullPattern_->rows; ++i)
        if (held_[i] == Held::Lasting) row[rowInCloth(i)] = -1;
    Index count = 0;
    for (Index& r : row)
        if (r >= 0) r = count++;
    if (!lasting_ || lasting_->of != cloth->revision || lasting_->row != row) {
        lasting_.emplace(Lasting{.of = cloth->revision});
        lasting_->pattern = withoutRows(*cloth, row, nullptr, lasting_->source, pool);
        lasting_->row = std::move(row);
    }
    PatternOrigin out{.pattern = lasting_->pattern};
    for (const Index i : particle_) out.row.push_back(lasting_->row[rowInCloth(i)]);
    return std::make_shared<const PatternOrigin>(std::move(out));
}

/// The core of the reduced pattern's origin.
void ReducedSystem::updateOriginCore(const CoreMask& core) {
    core_.ofOrigin.reset();
    if (!matrix_.pattern().origin) return;
    if (fullPattern_->origin && !core.ofOrigin) return;  // not known: there are no such systems but of files
    const CoreMask& cloth = fullPattern_->origin ? *core.ofOrigin : core;
    if (!lasting_->core || lasting_->core->revision != cloth.revision) {
        CoreMask mask{.offDiagonal = {}, .outside = {}, .revision = cloth.revision, .ofOrigin = {}};
        for (const Index k : lasting_->source) mask.offDiagonal.push_back(cloth.offDiagonal[k]);
        lasting_->core = std::make_shared<const CoreMask>(std::move(mask));
    }
    core_.ofOrigin = lasting_->core;
}

void ReducedSystem::fillMatrix(const LinearSystem& system, WorkerPool& pool) {
    const BlockPattern& p = matrix_.pattern();
    const BlockMatrix& A = system.A;
    matrix_.setSymmetricBlocks(A.symmetricBlocks() && basis_.empty());
    if (system.core) core_.offDiagonal.resize(p.blocks());
    parallelRows(pool, p.rows, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
                const Index from = source_[k], j = p.column[k];
                const bool on = A.occupied(from);
                if (system.core) core_.offDiagonal[k] = system.core->offDiagonal[from];
                if (!on || (basisOf_[i] < 0 && basisOf_[j] < 0)) {
                    matrix_.copyBlockFrom(k, A.blockData(from), on);
                    continue;
                }
                Mat3 block = A.block(from);
                if (basisOf_[i] >= 0) block = basis_[basisOf_[i]].transpose() * block;
                if (basisOf_[j] >= 0) block = block * basis_[basisOf_[j]];
                if (i == j) {
                    const double s = constrainedScale(A.block(from));
                    for (int c = system.constraints.ndof(particle_[i]); c < 3; ++c) block(c, c) = s;
                }
                matrix_.setOccupied(k, true);
                matrix_.block(k) = block;
            }
    });
}

void ReducedSystem::fillRhs(const LinearSystem& system, WorkerPool& pool) {
    const BlockPattern& full = system.A.pattern();
    if (rhs_.size() != rows()) rhs_.resize(rows());
    parallelRows(pool, rows(), [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r) rhs_[r] = system.b[particle_[r]];
    });
    for (const DofConstraint& c : all_) {
        if (c.z.isZero(0.0)) continue;
        for (Index k = full.rowStart[c.particle]; k < full.rowStart[c.particle + 1]; ++k) {
            const Index r = row_[full.column[k]];
            if (r >= 0 && system.A.occupied(k)) rhs_[r] -= system.A.block(k).transpose() * c.z;
        }
    }
    if (basis_.empty()) return;
    parallelRows(pool, rows(), [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r)
            if (basisOf_[r] >= 0) rhs_[r] = (basis_[basisOf_[r]].transpose() * rhs_[r]).eval();
    });
}

std::string ReducedSystem::build(const LinearSystem& system, WorkerPool& pool, Basis basis) {
    updatePattern(system, pool);
    all_.assign(system.constraints.constrained().begin(), system.constraints.constrained().end());
    basisOf_.assign(particle_.size(), -1);
    basis_.clear();
    for (const DofConstraint& c : all_)
        if (c.ndof == 1 || c.ndof == 2) {
            basisOf_[row_[c.particle]] = Index(basis_.size());
            basis_.push_back(freeBasis(c, basis));
            if (basis != Basis::Printed) continue;
            if (std::string problem = basisProblem(c, basis_.back()); !problem.empty()) return problem;
        }
    core_.revision = system.core ? system.core->revision : 0;
    if (system.core) updateOriginCore(*system.core);
    fillMatrix(system, pool);
    fillRhs(system, pool);
    return {};
}

void ReducedSystem::fillFrames(const BlockVector* positions, RowFrames& out) const {
    out.matrix = &matrix_;
    const Index known = positions ? rows() : 0;
    if (out.positions.size() != known) out.positions.resize(known);
    for (Index r = 0; r < known; ++r) out.positions[r] = (*positions)[particle_[r]];
    out.particle = particle_;
    out.turned.clear();
    for (Index r = 0; r < rows(); ++r)
        if (basisOf_[r] >= 0) out.turned.push_back({r, basis_[basisOf_[r]].transpose()});
}

void ReducedSystem::reduceOutside(const LinearSystem& system, std::uint8_t coreBits, WorkerPool& pool) {
    std::vector<Mat3> full;
    outsideOfCore(system.A, *system.core, coreBits, full, pool);
    core_.outside.resize(particle_.size());
    for (std::size_t r = 0; r < particle_.size(); ++r) {
        const Mat3& own = full[particle_[r]];
        const Index basis = basisOf_[r];
        core_.outside[r] = basis < 0 ? own : Mat3(basis_[basis].transpose() * own * basis_[basis]);
    }
}

void ReducedSystem::restrict(const BlockVector& full, BlockVector& reduced) const {
    if (reduced.size() != rows()) reduced.resize(rows());
    for (Index r = 0; r < rows(); ++r) {
        if (basisOf_[r] < 0)
            reduced[r] = full[particle_[r]];
        else
            reduced[r] = basis_[basisOf_[r]].transpose() * full[particle_[r]];
    }
}

void ReducedSystem::expand(const BlockVector& reduced, BlockVector& full) const {
    if (full.size() != fullPattern_->rows) full.resize(fullPattern_->rows);
    for (const DofConstraint& c : all_) full[c.particle] = c.z;
    for (Index r = 0; r < rows(); ++r) {
        if (basisOf_[r] < 0)
            full[particle_[r]] = reduced[r];
        else
            full[particle_[r]] += basis_[basisOf_[r]] * reduced[r];
    }
}

}  // namespace clothlab::linalg
