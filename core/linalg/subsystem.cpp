#include "linalg/subsystem.hpp"

#include <algorithm>

namespace clothlab::linalg {

Vec3 withoutKnown(const LinearSystem& system, const Components& components, Index i) {
    const BlockPattern& p = system.A.pattern();
    const bool remembers = system.previous && system.previous->size() == p.rows;
    Vec3 rest = system.b[i];
    for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
        const Index j = p.column[k];
        if (components.of[j] == components.of[i] || !system.A.occupied(k)) continue;
        if (components.of[j] == 0)
            rest -= system.A.block(k) * system.constraints.find(j)->z;
        else if (remembers)
            rest -= system.A.block(k) * (*system.previous)[j];
    }
    return rest;
}

void Subsystem::copyPattern(const LinearSystem& system, const Components& components, Index component,
                            std::span<const Index> localRow) {
    const BlockPattern& p = system.A.pattern();
    const std::span<const Index> rows = components.rowsIn(component);
    if (wholePattern_ == p.revision && std::equal(rows.begin(), rows.end(), particles_.begin(), particles_.end()))
        return;
    wholePattern_ = p.revision;
    wholeCore_ = 0;
    particles_.assign(rows.begin(), rows.end());
    std::vector<Index> rowStart{0}, column;
    rowStart.reserve(rows.size() + 1);
    source_.clear();
    for (const Index i : rows) {
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            if (components.of[p.column[k]] == component) {
                column.push_back(localRow[p.column[k]]);
                source_.push_back(k);
            }
        rowStart.push_back(Index(column.size()));
    }
    A_.reset(makePattern(this->rows(), std::move(rowStart), std::move(column)));
    b_.resize(this->rows());
}

void Subsystem::copyCore(const CoreMask* core) {
    hasCore_ = core != nullptr;
    if (!core || wholeCore_ == core->revision) return;
    wholeCore_ = core->revision;
    core_.revision = A_.pattern().revision;
    core_.offDiagonal.resize(source_.size());
    for (std::size_t k = 0; k < source_.size(); ++k) core_.offDiagonal[k] = core->offDiagonal[source_[k]];
}

void Subsystem::take(const LinearSystem& system, const Components& components, Index component,
                     std::span<const Index> localRow) {
    copyPattern(system, components, component, localRow);
    copyCore(system.core);
    for (std::size_t k = 0; k < source_.size(); ++k) {
        copyBlock(system.A.blockData(source_[k]), A_.blockData(Index(k)));
        A_.setOccupied(Index(k), system.A.occupied(source_[k]));
    }
    A_.setSymmetricBlocks(system.A.symmetricBlocks());

    const bool warm = system.previous && system.previous->size() == system.A.rows();
    if (warm != !previous_.empty() || (warm && previous_.size() != rows())) previous_.resize(warm ? rows() : 0);
    const bool placed = system.positions && system.positions->size() == system.A.rows();
    if (positions_.size() != (placed ? rows() : 0)) positions_.resize(placed ? rows() : 0);
    constraints_.reset(rows());
    for (Index r = 0; r < rows(); ++r) {
        const Index i = particles_[r];
        b_[r] = withoutKnown(system, components, i);
        if (warm) previous_[r] = (*system.previous)[i];
        if (placed) positions_[r] = (*system.positions)[i];
        if (const DofConstraint* c = system.constraints.find(i)) {
            DofConstraint own = *c;
            own.particle = r;
            constraints_.set(own);
        }
    }
    startsThere_ = system.startsThere;
    icShift_ = system.icShift;
    dt_ = system.dt;
}

void Subsystem::scatter(const BlockVector& local, BlockVector& full) const {
    for (Index r = 0; r < rows(); ++r) full[particles_[r]] = local[r];
}

}  // namespace clothlab::linalg
