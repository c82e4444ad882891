#include "preconditioners/incomplete_poisson.hpp"

#include <Eigen/Dense>
#include <atomic>
#include <numeric>

#include "linalg/block_kernels.hpp"
#include "preconditioners/small_cholesky.hpp"

namespace clothlab::preconditioners {

using linalg::BlockVector;
using simd::Double4;

template <class Real>
void IncompletePoisson<Real>::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) {
    const auto rows = std::size_t(matrix.rows());
    w_.resize(matrix.rows());
    scale_.resize(rows);
    diagonal_.resize(9 * rows + BlockVector::kPadding);
    diagonalTransposed_.resize(diagonal_.size());
}

template <class Real>
void IncompletePoisson<Real>::copyStructure(const linalg::BlockMatrix& matrix, WorkerPool& pool) {
    const linalg::BlockPattern& p = matrix.pattern();
    const std::uint8_t* occupied = matrix.occupiedData();
    const auto take = [&](Rows& rows, auto first, auto past) {  // the occupied blocks first(i) .. past(i)-1 of row i
        rows.start.assign(p.rows + 1, 0);
        parallelRows(pool, p.rows, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i)
                for (Index k = first(i); k < past(i); ++k) rows.start[i + 1] += occupied[k] != 0;
        });
        std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
        const auto blocks = std::size_t(rows.start.back());
        rows.column.resize(blocks);
        rows.source.resize(blocks);
        rows.values.resize(9 * blocks + BlockVector::kPadding);
        parallelRows(pool, p.rows, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                auto slot = std::size_t(rows.start[i]);
                for (Index k = first(i); k < past(i); ++k) {
                    if (!occupied[k]) continue;
                    rows.column[slot] = p.column[k];
                    rows.source[slot++] = k;
                }
            }
        });
    };
    take(
        lower_, [&](Index i) { return p.rowStart[i]; }, [&](Index i) { return p.diagonal[i]; });
    take(
        upper_, [&](Index i) { return p.diagonal[i] + 1; }, [&](Index i) { return p.rowStart[i + 1]; });
    parallelRows(pool, p.rows, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            for (Index s = upper_.start[i]; s < upper_.start[i + 1]; ++s) {
                Index below = lower_.start[upper_.column[s]];
                while (lower_.column[below] != i) ++below;
                upper_.source[s] = below;
            }
    });
}

namespace {

template <class Real>
Eigen::Map<Eigen::Matrix<Real, 3, 3>> mapBlock(linalg::AlignedVector<Real>& values, Index at) {
    return Eigen::Map<Eigen::Matrix<Real, 3, 3>>(values.data() + 9 * std::size_t(at));
}

}  // namespace

/// The scales of a row, and its diagonal block; false for a block that is not positive.
template <class Real>
bool IncompletePoisson<Real>::scaleRow(const Mat3& D, Index row) {
    Mat3 left = Mat3::Identity(), right = left, inner = left,
         R = left;  // N = left L right; inner: I - N, where D is the scalar diagonal
    if (variant_ == Variant::Block) {
        if (!inverseOfCholesky(D, left)) return false;
        right = R = left.transpose();
    } else {
        const Vec3 d = D.diagonal();
        if (!(d.minCoeff() > 0)) return false;
        const bool scaled = variant_ == Variant::Point;
        right = scaled ? Mat3(d.cwiseSqrt().cwiseInverse().asDiagonal()) : Mat3(d.cwiseInverse().asDiagonal());
        if (scaled) left = R = right;
        const Mat3 inside = D.triangularView<Eigen::StrictlyLower>();
        inner -= left * inside * right;
    }
    const bool backward = product_ == PoissonProduct::Backward;
    scale_[row] = backward ? Scale{R * left, right} : Scale{left, right * R.transpose()};
    const Mat3 own = backward ? Mat3(R * inner) : Mat3(inner * R.transpose());
    mapBlock(diagonal_, row) = own.template cast<Real>();
    mapBlock(diagonalTransposed_, row) = own.transpose().template cast<Real>();
    return true;
}

template <class Real>
void IncompletePoisson<Real>::fillValues(const linalg::BlockMatrix& matrix, WorkerPool& pool) {
    const auto below = [&](const Mat3& source, Index i, Index j) {  // H_ij, i > j
        return Mat3(-(scale_[i].left * source * scale_[j].right));
    };
    parallelRows(pool, matrix.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const auto at = std::size_t(i);
            for (Index s = lower_.start[at]; s < lower_.start[at + 1]; ++s) {
                const auto slot = std::size_t(s);
                mapBlock(lower_.values, s) =
                    below(matrix.block(lower_.source[slot]), i, lower_.column[slot]).template cast<Real>();
            }
        }
    });
    parallelRows(pool, matrix.rows(), [&](Index begin, Index end) {
        for (Index s = upper_.start[begin]; s < upper_.start[end]; ++s)
            mapBlock(upper_.values, s) = mapBlock(lower_.values, upper_.source[s]).transpose();
    });
}

template <class Real>
Outcome IncompletePoisson<Real>::update(const UpdateInput& input, WorkerPool& pool) {
    const linalg::BlockMatrix& matrix = input.matrix;
    std::atomic<bool> positive{true};
    parallelRows(pool, matrix.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            if (!scaleRow(matrix.diagonal(i), i)) positive.store(false, std::memory_order_relaxed);
    });
    if (!positive) return variant_ == Variant::Block ? indefiniteBlock() : nonPositiveDiagonal();
    copyStructure(matrix, pool);
    fillValues(matrix, pool);
    return {};
}

/// y = M x; returns r . y.
template <class Real>
double IncompletePoisson<Real>::multiplyDot(const Rows& rows, const linalg::AlignedVector<Real>& diagonal,
                                            const BlockVector& x, BlockVector& y, const BlockVector& r,
                                            WorkerPool& pool) const {
    const double *xs = x.data(), *rs = r.data();
    double* ys = y.data();
    const Real *values = rows.values.data(), *own = diagonal.data();
    const Index *start = rows.start.data(), *column = rows.column.data();
    return parallelSum(pool, x.size(), 0.0, [=](Index begin, Index end) {
        Double4 dot = Double4::zero();
        for (Index i = begin; i < end; ++i) {
            const std::size_t at = 3 * std::size_t(i);
            Double4 sum = linalg::times(own + 3 * at, xs + at);
            for (Index s = start[i]; s < start[i + 1]; ++s)
                sum = sum + linalg::times(values + 9 * std::size_t(s), xs + 3 * std::size_t(column[s]));
            sum.store3(ys + at);
            dot = multiplyAdd(Double4::load(rs + at), sum, dot);
        }
        return dot.sum3();
    });
}

template <class Real>
double IncompletePoisson<Real>::applyDot(const BlockVector& r, BlockVector& z, WorkerPool& pool) const {
    if (product_ == PoissonProduct::Backward) {
        multiplyDot(upper_, diagonalTransposed_, r, w_, r, pool);
        return multiplyDot(lower_, diagonal_, w_, z, r, pool);
    }
    multiplyDot(lower_, diagonal_, r, w_, r, pool);
    return multiplyDot(upper_, diagonalTransposed_, w_, z, r, pool);
}

template <class Real>
std::size_t IncompletePoisson<Real>::bytes() const {
    const auto of = [](const Rows& rows) {
        return rows.values.size() * sizeof(Real) +
               (rows.start.size() + rows.column.size() + rows.source.size()) * sizeof(Index);
    };
    return of(lower_) + of(upper_) + (diagonal_.size() + diagonalTransposed_.size()) * sizeof(Real) +
           scale_.size() * sizeof(Scale);
}

template class IncompletePoisson<double>;
template class IncompletePoisson<float>;

}  // namespace clothlab::preconditioners
