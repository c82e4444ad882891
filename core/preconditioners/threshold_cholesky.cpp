#include "preconditioners/threshold_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "linalg/block_kernels.hpp"
#include "linalg/vector_kernels.hpp"
#include "preconditioners/small_cholesky.hpp"

namespace clothlab::preconditioners {

using linalg::Columns3;
using simd::Double4;

template <class Real>
void ThresholdCholesky<Real>::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core,
                                      WorkerPool& pool) {
    part_.analyze(matrix, core);
    std::vector<Index> order = factors::orderRows(part_.pattern(), ordering_);
    ordered_ = order.size() == std::size_t(matrix.rows());
    if (!ordered_) return;
    const Index domains = domains_ > 0 ? domains_ : factors::automaticDomains(matrix.rows());
    L_.analyze(part_.pattern(), factors::cutIntoDomains(part_.pattern(), std::move(order), domains), pool);
    work_.resize(std::size_t(L_.parts()));
}

namespace {

/// c -= U V^T for many U and one V.
struct MinusTransposed {
    Double4 v[9];

    template <class Real>
    explicit MinusTransposed(const Real* block) {
        for (int k = 0; k < 9; ++k) v[k] = Double4::zero() - Double4::of(block + k);
    }
    void addProduct(Columns3& c, const Columns3& u) const {
        for (int j = 0; j < 3; ++j)
            c.c[j] = multiplyAdd(u.c[0], v[j], multiplyAdd(u.c[1], v[3 + j], multiplyAdd(u.c[2], v[6 + j], c.c[j])));
    }
};

constexpr Index kColumnsAhead = 2;

Columns3 loadWide(const double* m) { return {Double4::load(m), Double4::load(m + 4), Double4::load(m + 8)}; }

void storeWide(const Columns3& block, double* m) {
    for (std::size_t k = 0; k < 3; ++k) block.c[k].store(m + 4 * k);
}

/// A handful, mostly in order.
template <class Kept>
void sortByRow(std::span<Kept> kept) {
    if (kept.size() > 24)
        return std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.row < b.row; });
    for (std::size_t k = 1; k < kept.size(); ++k) {
        const Kept moved = kept[k];
        std::size_t to = k;
        for (; to > 0 && kept[to - 1].row > moved.row; --to) kept[to] = kept[to - 1];
        kept[to] = moved;
    }
}

}  // namespace

template <class Real>
void ThresholdCholesky<Real>::Column::reserve(Index more) {
    const std::size_t need = std::size_t(count) + std::size_t(more);
    if (need <= kept.size()) return;
    row.resize(2 * need);
    source.resize(2 * need);
    kept.resize(2 * need);
    value.resize(24 * need);
}

/// The block of a row, zero where there was none; there must be room.
template <class Real>
double* ThresholdCholesky<Real>::Column::find(Index i) {
    if (const Index slot = slotOf[i]; slot >= 0) return at(slot);
    slotOf[i] = count;
    row[count] = i;
    storeWide({Double4::zero(), Double4::zero(), Double4::zero()}, at(count));
    return at(count++);
}

/// The blocks of the matrix in column k. Which are occupied is hard to guess: no branch but the end depends on it.
template <class Real>
template <class Source>
void ThresholdCholesky<Real>::copyColumn(const Source& matrix, const Part& part, Index k, Column& column) {
    const std::span<const Index> rows = part.lowerRows(k), blocks = part.lowerBlocks(k);
    const std::uint8_t* occupied = matrix.occupiedData();
    column.reserve(Index(rows.size()));
    if (const Index ahead = k + kColumnsAhead; ahead < part.own())
        for (const Index block : part.lowerBlocks(ahead)) {
            simd::prefetchForRead(matrix.blockData(block));
            simd::prefetchForRead(matrix.blockData(block) + 8);
        }
    Index count = 0;
    for (std::size_t s = 0; s < rows.size(); ++s) {
        column.row[count] = rows[s];
        column.source[count] = blocks[s];
        count += occupied[blocks[s]] != 0;
    }
    for (Index s = 0; s < count; ++s) {
        column.slotOf[column.row[s]] = s;
        const Columns3 of = Columns3::load(matrix.blockData(column.source[s]));
        Columns3 transposed;
        transpose3(of.c[0], of.c[1], of.c[2], transposed.c[0], transposed.c[1], transposed.c[2]);
        storeWide(transposed, column.at(s));
    }
    column.count = column.ofMatrix = count;
}

/// What waits for `row` of a part comes off the column and its pivot, and then waits for its next row. `offset`: where
/// the column's part begins in the rows of `from`.
template <class Real>
void ThresholdCholesky<Real>::subtractWaiting(Part& from, Waiting& waiting, Index row, Index offset, Column& column,
                                              Columns3& pivot) {
    for (Index j = waiting.first[row]; j >= 0;) {
        const Index following = waiting.next[j], own = waiting.slot[j], end = from.columnStart(j + 1);
        const MinusTransposed minus(from.block(own));
        minus.addProduct(pivot, Columns3::load(from.block(own)));
        column.reserve(end - own);
        for (Index s = own + 1; s < end; ++s) {
            double* to = column.find(from.row(s) - offset);
            Columns3 block = loadWide(to);
            minus.addProduct(block, Columns3::load(from.block(s)));
            storeWide(block, to);
        }
        if (own + 1 < end) {
            Index& first = waiting.first[from.row(own + 1)];
            waiting.slot[j] = own + 1;
            waiting.next[j] = std::exchange(first, j);
        }
        j = following;
    }
}

/// L_ij = (A_ij - sum_k L_ik L_jk^T) L_jj^-T of the column, and which of them are large. False: one is no number.
template <class Real>
bool ThresholdCholesky<Real>::keepLarge(Work& work, const Mat3& inverse) {
    Column& column = work.column;
    const double least = dropTolerance_ * dropTolerance_;
    const Index fixed = keepPattern_ ? column.ofMatrix : 0;
    Index keeps = 0;
    double sum = 0;
    for (Index s = 0; s < column.count; ++s) {
        const Columns3 block = loadWide(column.at(s)).timesTransposed(inverse.data());
        storeWide(block, column.at(s));
        const double size =
            multiplyAdd(block.c[0], block.c[0], multiplyAdd(block.c[1], block.c[1], block.c[2] * block.c[2])).sum3();
        const Index row = column.row[s];
        column.slotOf[row] = -1;
        sum += size;
        column.kept[keeps] = {row, s, size};
        keeps += (s < fixed) | !(size < least * work.size[row]);
    }
    column.keeps = keeps;
    return std::isfinite(sum);
}

/// The largest, relative to their rows; those of the matrix first where its pattern is kept.
template <class Real>
void ThresholdCholesky<Real>::keepWithinLimit(Work& work, const Part& part) {
    Column& column = work.column;
    work.blocksOfMatrix += column.ofMatrix;
    const auto most = Index(std::int64_t(fillLimit_ * work.blocksOfMatrix) - part.blocks());
    if (column.keeps <= most) return;
    const Index fixed = keepPattern_ ? column.ofMatrix : 0;
    const auto rank = [&](const Kept& k) { return std::pair(k.size / work.size[k.row], k.row); };
    const auto begin = column.kept.begin();
    std::nth_element(begin, begin + most, begin + column.keeps, [&](const Kept& a, const Kept& b) {
        if ((a.slot < fixed) != (b.slot < fixed)) return a.slot < fixed;
        return rank(a) > rank(b);
    });
    column.keeps = most;
}

template <class Real>
void ThresholdCholesky<Real>::append(Work& work, Part& part, Index k) {
    Column& column = work.column;
    sortByRow(std::span(column.kept).first(std::size_t(column.keeps)));
    part.reserve(column.keeps);
    for (Index s = 0; s < column.keeps; ++s)
        loadWide(column.at(column.kept[s].slot)).store(part.append(column.kept[s].row));
    part.closeColumn();
    if (column.keeps == 0) return;
    Index& first = work.waiting.first[column.kept[0].row];
    work.waiting.slot[k] = part.columnStart(k);
    work.waiting.next[k] = std::exchange(first, k);
}

template <class Real>
template <class Source>
void ThresholdCholesky<Real>::start(const Source& matrix, Index d) {
    Part& part = L_.part(d);
    Work& work = work_[d];
    const auto rows = std::size_t(part.rows());
    part.clear();
    work.waiting.first.assign(rows, -1);
    work.waiting.next.resize(std::size_t(part.own()));
    work.waiting.slot.resize(std::size_t(part.own()));
    work.column.slotOf.assign(rows, -1);
    work.blocksOfMatrix = 0;
    work.size.resize(rows);
    for (Index k = 0; k < part.rows(); ++k) {
        const Index row = k < part.own() ? part.matrixRow(k) : L_.separators().matrixRow(k - part.own());
        work.size[k] = matrix.diagonal(row).trace();
    }
}

template <class Real>
template <class Source>
void ThresholdCholesky<Real>::factorPart(const Source& matrix, double shift, Index d, std::atomic<bool>& positive) {
    start(matrix, d);
    Part& part = L_.part(d);
    Work& work = work_[d];
    const Double4 shifted = Double4::all(1 + shift);
    for (Index k = 0; k < part.own() && positive.load(std::memory_order_relaxed); ++k) {
        copyColumn(matrix, part, k, work.column);
        Columns3 pivot = Columns3::load(matrix.diagonal(part.matrixRow(k)).data());
        for (Double4& column : pivot.c) column = shifted * column;
        for (Index e = 0; d + 1 == L_.parts() && e < d; ++e)
            subtractWaiting(L_.part(e), work_[e].waiting, L_.part(e).own() + k, L_.part(e).own(), work.column, pivot);
        subtractWaiting(part, work.waiting, k, 0, work.column, pivot);
        double lanes[12];
        storeWide(pivot, lanes);
        const Mat3 reduced = Eigen::Map<const Eigen::Matrix<double, 4, 3>>(lanes).template topRows<3>();
        Mat3 inverse;
        if (!inverseOfCholesky(reduced, inverse)) return void(positive = false);
        Eigen::Map<Eigen::Matrix<Real, 3, 3>>(part.diagonal(k)) = inverse.template cast<Real>();
        if (!keepLarge(work, inverse)) return void(positive = false);
        keepWithinLimit(work, part);
        append(work, part, k);
    }
}

template <class Real>
template <class Source>
bool ThresholdCholesky<Real>::factorShifted(const Source& matrix, double shift, WorkerPool& pool) {
    std::atomic<bool> positive{true};
    L_.forDomains(pool, [&](Index d) { factorPart(matrix, shift, d, positive); });
    if (positive) factorPart(matrix, shift, L_.parts() - 1, positive);
    return positive;
}

template <class Real>
template <class Source>
Outcome ThresholdCholesky<Real>::factor(const Source& matrix, double shiftBefore, WorkerPool& pool) {
    constexpr double kLeast = 1e-4, kMost = 10, kRemembered = 4;
    if (!ordered_) return {false, "the ordering of the incomplete factor failed"};
    const double usual = dropTolerance_ / 10, first = keepPattern_ ? 0 : usual;
    double shift = std::max(first, std::min(shiftBefore / 2, kRemembered * usual));
    while (!factorShifted(matrix, shift, pool)) {
        shift = std::max(kLeast, 2 * shift);
        if (shift > kMost) return {false, "incomplete Cholesky breaks down even with ten times the diagonal blocks"};
    }
    double ofMatrix = L_.rows();
    for (const Work& work : work_) ofMatrix += work.blocksOfMatrix;
    const double blocks = L_.blocks();
    return {.shift = shift, .entries = 9 * blocks + 6 * L_.rows(), .fill = (blocks + L_.rows()) / ofMatrix};
}

template <class Real>
Outcome ThresholdCholesky<Real>::update(const UpdateInput& input, WorkerPool& pool) {
    if (input.view) return factor(*input.view, input.shift, pool);
    return factor(part_.of(input.matrix, input.core, pool), input.shift, pool);
}

template <class Real>
double ThresholdCholesky<Real>::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    L_.solve(r, z, pool);
    return linalg::dot(r, z, pool);
}

template <class Real>
std::size_t ThresholdCholesky<Real>::bytes() const {
    return L_.bytes() + part_.bytes();
}

template class ThresholdCholesky<double>;
template class ThresholdCholesky<float>;

}  // namespace clothlab::preconditioners
