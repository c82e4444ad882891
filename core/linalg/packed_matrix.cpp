#include "linalg/packed_matrix.hpp"

#include <algorithm>
#include <cassert>

#include "linalg/block_kernels.hpp"
#include "linalg/packed_blocks.hpp"

namespace clothlab::linalg {
namespace {

using simd::Double4;

/// Past the end of what belongs to the band in the upper half of row i.
Index bandEnd(const BlockPattern& p, Index i) {
    Index end = p.rowStart[i + 1];
    while (p.band > 0 && p.column[end - 1] - i > p.band) --end;
    return end;
}

/// Rows of the window that fit on the stack (four doubles a row).
constexpr Index kStackWindow = 1536;

}  // namespace

struct PackedMatrix::Taken {
    const std::uint8_t* occupied;
    const Index* column;
    const std::uint8_t* ndof;  ///< null: all rows are asked for

    bool row(Index i) const { return !ndof || ndof[i] != 0; }
    bool block(Index k) const { return occupied[k] && (!ndof || ndof[column[k]] != 0); }
    /// The number of blocks taken in a row that is taken; without a branch that is hard to predict.
    Index count(Index first, Index past) const {
        Index count = 0;
        if (ndof)
            for (Index k = first; k < past; ++k) count += occupied[k] & (ndof[column[k]] != 0);
        else
            for (Index k = first; k < past; ++k) count += occupied[k];
        return count;
    }
};

struct PackedMatrix::AnyBlocks {
    using Upper = packed::Nine;
    using Diagonal = packed::Nine;
    static constexpr Form kForm = Form::Any;
};
struct PackedMatrix::SymmetricBlocks {
    using Upper = packed::SymmetricNine;
    using Diagonal = packed::Nine;
    static constexpr Form kForm = Form::Symmetric;
};
struct PackedMatrix::Halves {
    using Upper = packed::Six;
    using Diagonal = packed::Six;
    static constexpr Form kForm = Form::Halves;
};
struct PackedMatrix::Springs {
    using Upper = packed::Four;
    using Diagonal = packed::Six;
    static constexpr Form kForm = Form::Springs;
};

void PackedMatrix::countRows(const BlockMatrix& A, const Taken& taken, WorkerPool& pool) {
    const BlockPattern& p = A.pattern();
    rowStart_.resize(rows_ + 1);
    rowStart_[0] = 0;
    parallelRows(pool, rows_, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            rowStart_[i + 1] = taken.row(i) ? taken.count(p.diagonal[i] + 1, bandEnd(p, i)) : 0;
    });
    for (Index i = 0; i < rows_; ++i) rowStart_[i + 1] += rowStart_[i];
}

void PackedMatrix::build(const BlockMatrix& A, WorkerPool& pool, Packing packing, std::span<const std::uint8_t> ndof) {
    rows_ = A.rows();
    precision_ = packing.precision;
    const Taken taken{A.occupiedData(), A.pattern().column.data(), ndof.empty() ? nullptr : ndof.data()};
    countRows(A, taken, pool);
    if (packing.precision == Precision::Double)
        packBestForm(A, taken, packing.storage, double_, pool);
    else
        packBestForm(A, taken, packing.storage, single_, pool);
    layOutHalos();
}

template <class Real>
void PackedMatrix::packBestForm(const BlockMatrix& A, const Taken& taken, Storage storage, Values<Real>& values,
                                WorkerPool& pool) {
    const bool symmetric = A.symmetricBlocks();
    if (symmetric && storage == Storage::Springs && packBlocks<Springs>(A, taken, values, pool)) return;
    if (symmetric && storage != Storage::Full && packBlocks<Halves>(A, taken, values, pool)) return;
    if (symmetric)
        packBlocks<SymmetricBlocks>(A, taken, values, pool);
    else
        packBlocks<AnyBlocks>(A, taken, values, pool);
}

template <class Blocks, class Real>
bool PackedMatrix::packBlocks(const BlockMatrix& A, const Taken& taken, Values<Real>& values, WorkerPool& pool) {
    using Upper = typename Blocks::Upper;
    using Diagonal = typename Blocks::Diagonal;
    const BlockPattern& p = A.pattern();
    const auto blocks = std::size_t(rowStart_[rows_]);
    form_ = Blocks::kForm;
    misfits_.clear();
    row_.resize(blocks);
    column_.resize(blocks);
    // Padding: a four-wide load of the last column reads one number past the block.
    values.upper.resize(Upper::kNumbers * blocks + BlockVector::kPadding);
    values.diagonal.resize(Diagonal::kNumbers * std::size_t(rows_) + BlockVector::kPadding);

    const RowChunks chunks{rows_};
    halos_.assign(chunks.count(), {});
    std::vector<Misfits> misfits(std::size_t(chunks.count()));
    pool.forChunks(chunks.count(), rows_, [&](Index c) {
        Misfits& found = misfits[c];
        bool fits = true;
        Index last = chunks.end(c) - 1;
        for (Index i = chunks.begin(c); i < chunks.end(c); ++i) {
            fits &= Diagonal::take(A.blockData(p.diagonal[i]),
                                   values.diagonal.data() + Diagonal::kNumbers * std::size_t(i));
            auto slot = std::size_t(rowStart_[i]);
            for (Index k = p.diagonal[i] + 1; slot < std::size_t(rowStart_[i + 1]); ++k) {
                if (!taken.block(k)) continue;
                row_[slot] = i;
                column_[slot] = p.column[k];
                const bool fit = Upper::take(A.blockData(k), values.upper.data() + Upper::kNumbers * slot);
                if constexpr (Blocks::kForm == Form::Springs) {  // others are kept by themselves
                    if (!fit) found.blocks.push_back({i, k});
                } else {
                    fits &= fit;
                }
                ++slot;
            }
            if (slot > std::size_t(rowStart_[i])) last = std::max(last, column_[slot - 1]);
        }
        halos_[c].rows = last + 1 - chunks.end(c);
        found.all = !fits;
    });
    if (!keep(misfits)) return false;
    packStrays(A, taken, values);
    return true;
}

bool PackedMatrix::keep(const std::vector<Misfits>& found) {
    constexpr Index kOneOf = 8;  // each costs about three blocks
    for (const Misfits& ofChunk : found) {
        misfits_.insert(misfits_.end(), ofChunk.blocks.begin(), ofChunk.blocks.end());
        if (ofChunk.all || kOneOf * Index(misfits_.size()) > rowStart_[rows_]) return false;
    }
    return true;
}

template <class Real>
void PackedMatrix::packStrays(const BlockMatrix& A, const Taken& taken, Values<Real>& values) {
    strays_.clear();
    strayStart_.clear();
    values.strays.clear();
    const BlockPattern& p = A.pattern();
    if (p.band == 0 && misfits_.empty()) return;

    const RowChunks chunks{rows_};
    slotOf_.assign(rows_, -1);
    slotStart_.clear();
    std::vector<Index> rowOfSlot;
    auto misfit = misfits_.begin();
    for (Index c = 0; c < chunks.count(); ++c) {
        strayStart_.push_back(Index(strays_.size()));
        const auto firstSlot = Index(rowOfSlot.size());
        slotStart_.push_back(firstSlot);
        const auto add = [&](Index i, Index k) {
            Index& slot = slotOf_[p.column[k]];
            if (slot < firstSlot) {  // the first of this chunk to reach that row
                slot = Index(rowOfSlot.size());
                rowOfSlot.push_back(p.column[k]);
            }
            strays_.push_back({i, p.column[k], slot});
            const std::size_t at = values.strays.size();
            values.strays.resize(at + 9);
            copyBlock(A.blockData(k), values.strays.data() + at);
        };
        for (Index i = chunks.begin(c); i < chunks.end(c); ++i) {
            for (; misfit != misfits_.end() && misfit->row == i; ++misfit) add(i, misfit->position);
            for (Index k = bandEnd(p, i); k < p.rowStart[i + 1]; ++k)
                if (taken.row(i) && taken.block(k)) add(i, k);
        }
    }
    strayStart_.push_back(Index(strays_.size()));
    slotStart_.push_back(Index(rowOfSlot.size()));
    values.strays.resize(values.strays.size() + BlockVector::kPadding);
    slots_.resize(4 * rowOfSlot.size());

    slotsInto_.clear();
    for (std::size_t s = 0; s < rowOfSlot.size(); ++s) slotsInto_.push_back({rowOfSlot[s], Index(s)});
    // By row alone would do: slots of a row are in the order of their chunks, and stay so.
    std::stable_sort(slotsInto_.begin(), slotsInto_.end(), [](const Slot& a, const Slot& b) { return a.row < b.row; });
    slotsIntoStart_.assign(1, 0);
    for (Index c = 0, s = 0; c < chunks.count(); ++c) {
        while (s < Index(slotsInto_.size()) && slotsInto_[s].row < chunks.end(c)) ++s;
        slotsIntoStart_.push_back(s);
    }
}

template <class Real>
Double4 PackedMatrix::multiplyStrays(Index chunk, const Values<Real>& values, const BlockVector& x,
                                     double* rows) const {
    const auto c = std::size_t(chunk);
    std::fill(slots_.data() + 4 * std::size_t(slotStart_[c]), slots_.data() + 4 * std::size_t(slotStart_[c + 1]), 0.0);
    Double4 dot = Double4::zero();
    for (Index k = strayStart_[c]; k < strayStart_[c + 1]; ++k) {
        const Stray& stray = strays_[k];
        const Real* b = values.strays.data() + 9 * std::size_t(k);
        const double* xi = x.data() + 3 * std::size_t(stray.row);
        double* yi = rows + 4 * std::ptrdiff_t(stray.row);
        double* yj = slots_.data() + 4 * std::size_t(stray.slot);
        const Double4 upper = times(b, x.data() + 3 * std::size_t(stray.column));
        (Double4::load(yi) + upper).store(yi);
        (Double4::load(yj) + transposedTimes(b, xi)).store(yj);
        dot = multiplyAdd(Double4::load(xi), upper, dot);
    }
    return dot;
}

void PackedMatrix::addStrays(Index chunk, BlockVector& y) const {
    const auto c = std::size_t(chunk);
    for (Index s = slotsIntoStart_[c]; s < slotsIntoStart_[c + 1]; ++s) {
        const Slot& slot = slotsInto_[s];
        const double* strays = slots_.data() + 4 * std::size_t(slot.slot);
        double* out = y.data() + 3 * std::size_t(slot.row);
        for (int k = 0; k < 3; ++k) out[k] += strays[k];
    }
}

void PackedMatrix::layOutHalos() {
    const RowChunks chunks{rows_};
    std::size_t size = 0;
    for (Index c = 0; c < chunks.count(); ++c) {
        Halo& halo = halos_[c];
        halo.offset = size;
        size += 3 * std::size_t(halo.rows);
        halo.firstSource = c;
        for (Index s = c - 1; s >= 0; --s)
            if (chunks.end(s) + halos_[s].rows > chunks.begin(c)) halo.firstSource = s;
    }
    halo_.resize(size);
}

std::size_t PackedMatrix::bytes() const {
    return double_.bytes() + single_.bytes() + halo_.size() * sizeof(double) +
           (row_.size() + column_.size() + rowStart_.size()) * sizeof(Index) + strays_.size() * sizeof(Stray);
}

template <class Blocks, class Real>
double PackedMatrix::multiplyChunk(Index chunk, const Values<Real>& values, const BlockVector& x, BlockVector& y,
                                   double* window) const {
    using Upper = typename Blocks::Upper;
    using Diagonal = typename Blocks::Diagonal;
    const RowChunks chunks{rows_};
    const Index begin = chunks.begin(chunk), end = chunks.end(chunk);
    const Halo& halo = halos_[chunk];
    std::fill_n(window + 4 * std::size_t(end - begin), 4 * std::size_t(halo.rows), 0.0);
    // Every own row is written by the diagonal before anything is added to it.

    const double* xs = x.data();
    double* rows = window - 4 * std::ptrdiff_t(begin);
    const auto rowAt = [rows](Index i) { return rows + 4 * std::ptrdiff_t(i); };
    Double4 diagonalDot = Double4::zero(), upperDot = Double4::zero();
    for (Index i = begin; i < end; ++i) {
        const double* xi = xs + 3 * std::size_t(i);
        const Double4 own = Diagonal::times(values.diagonal.data() + Diagonal::kNumbers * std::size_t(i), xi);
        own.store(rowAt(i));
        diagonalDot = multiplyAdd(Double4::load(xi), own, diagonalDot);
    }
    // One flat loop over the blocks, not one a row: rows hold three blocks on average, and the end of such a short loop
    // is guessed wrong each time, which costs more than the arithmetic.
    const Index* row = row_.data();
    const Index* column = column_.data();
    const Real* b = values.upper.data() + Upper::kNumbers * std::size_t(rowStart_[begin]);
    const Index last = rowStart_[end];
    for (Index k = rowStart_[begin]; k < last; ++k, b += Upper::kNumbers) {
        const double* xi = xs + 3 * std::size_t(row[k]);
        const double* xj = xs + 3 * std::size_t(column[k]);
        double *yi = rowAt(row[k]), *yj = rowAt(column[k]);
        Double4 upper, lower;
        Upper::products(b, xi, xj, upper, lower);
        (Double4::load(yi) + upper).store(yi);
        (Double4::load(yj) + lower).store(yj);
        upperDot = multiplyAdd(Double4::load(xi), upper, upperDot);
    }
    if (!strays_.empty()) upperDot = upperDot + multiplyStrays(chunk, values, x, rows);
    const Double4 dot = diagonalDot + upperDot + upperDot;

    double* out = y.data() + 3 * std::size_t(begin);
    for (Index i = 0; i < end - begin; ++i)
        for (int c = 0; c < 3; ++c) out[3 * i + c] = window[4 * i + c];
    double* kept = halo_.data() + halo.offset;
    const double* behind = window + 4 * std::size_t(end - begin);
    for (Index i = 0; i < halo.rows; ++i)
        for (int c = 0; c < 3; ++c) kept[3 * i + c] = behind[4 * i + c];
    return dot.sum3();
}

double PackedMatrix::multiplyChunk(Index chunk, const BlockVector& x, BlockVector& y, double* window) const {
    const auto with = [&](const auto& values) {
        switch (form_) {
            case Form::Any:
                return multiplyChunk<AnyBlocks>(chunk, values, x, y, window);
            case Form::Symmetric:
                return multiplyChunk<SymmetricBlocks>(chunk, values, x, y, window);
            case Form::Halves:
                return multiplyChunk<Halves>(chunk, values, x, y, window);
            case Form::Springs:
                return multiplyChunk<Springs>(chunk, values, x, y, window);
        }
        return 0.0;
    };
    return precision_ == Precision::Double ? with(double_) : with(single_);
}

void PackedMatrix::addHalos(Index chunk, BlockVector& y) const {
    const RowChunks chunks{rows_};
    const Index begin = chunks.begin(chunk), end = chunks.end(chunk);
    for (Index s = halos_[chunk].firstSource; s < chunk; ++s) {
        const Halo& source = halos_[s];
        const Index from = std::max(begin, chunks.end(s)), to = std::min(end, chunks.end(s) + source.rows);
        if (from >= to) continue;
        const double* kept = halo_.data() + source.offset + 3 * std::size_t(from - chunks.end(s));
        double* out = y.data() + 3 * std::size_t(from);
        for (std::size_t k = 0; k < 3 * std::size_t(to - from); ++k) out[k] += kept[k];
    }
    if (!strays_.empty()) addStrays(chunk, y);
}

double PackedMatrix::multiplyDot(const BlockVector& x, BlockVector& y, WorkerPool& pool) const {
    assert(x.size() == rows_ && y.size() == rows_ && &x != &y);
    const RowChunks chunks{rows_};
    const double dot = parallelSumChunks(pool, rows_, 0.0, [&](Index chunk, Index begin, Index end) {
        const Index windowRows = end - begin + halos_[chunk].rows;
        if (windowRows <= kStackWindow) {
            alignas(32) double window[4 * kStackWindow];
            return multiplyChunk(chunk, x, y, window);
        }
        // Wide bandwidths (a numbering that was not made for the mesh): correct, at the price of an allocation.
        AlignedVector<double> window(4 * std::size_t(windowRows));
        return multiplyChunk(chunk, x, y, window.data());
    });
    pool.forChunks(chunks.count(), rows_, [&](Index c) { addHalos(c, y); });
    return dot;
}

}  // namespace clothlab::linalg
