#include "preconditioners/coarse_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/vector_kernels.hpp"

namespace clothlab::preconditioners {
namespace {

/// Three rows of Z or A Z, transposed: a product with a vector then needs no sum across a register.
template <int kWidth>
using Rows3 = Eigen::Matrix<double, kWidth, 3>;
template <int kWidth>
using Square = Eigen::Matrix<double, kWidth, kWidth>;

template <int kWidth>
Eigen::Map<Rows3<kWidth>> rows3(linalg::AlignedVector<double>& values, Index at) {
    return Eigen::Map<Rows3<kWidth>>(values.data() + std::size_t(3 * kWidth) * std::size_t(at));
}
template <int kWidth>
Eigen::Map<const Rows3<kWidth>> rows3(const linalg::AlignedVector<double>& values, Index at) {
    return Eigen::Map<const Rows3<kWidth>>(values.data() + std::size_t(3 * kWidth) * std::size_t(at));
}
template <int kWidth>
auto coarsePart(linalg::BlockVector& c, Index aggregate) {
    return Eigen::Map<Eigen::Matrix<double, kWidth, 1>>(c.data() + std::size_t(kWidth) * std::size_t(aggregate));
}
template <int kWidth>
auto coarsePart(const linalg::BlockVector& c, Index aggregate) {
    return Eigen::Map<const Eigen::Matrix<double, kWidth, 1>>(c.data() + std::size_t(kWidth) * std::size_t(aggregate));
}

/// By default 64 particles per aggregate, which is where iterations and coarse work balance; more in large cloth, so
/// that the coarse matrix stays small beside the cloth's.
constexpr Index kSize = 64, kMostAggregates = 4096;

Index automaticSize(Index rows) { return std::max(kSize, rows / kMostAggregates); }

/// f(aggregate) over all of them, in parallel.
template <class F>
void forAggregates(const linalg::Aggregates& aggregates, WorkerPool& pool, F&& f) {
    const RowChunks chunks{aggregates.count(), 8};
    pool.forChunks(chunks.count(), Index(aggregates.of.size()), [&](Index c) {
        for (Index a = chunks.begin(c); a < chunks.end(c); ++a) f(a);
    });
}

/// Which of the vectors with this Gram matrix depend on those before them: where the pivot of its Cholesky factor is
/// lost.
template <int kWidth>
void markDependent(Square<kWidth> gram, std::uint8_t* dropped) {
    constexpr double kLost = 1e-8;
    const Eigen::Matrix<double, kWidth, 1> size = gram.diagonal();
    const double least = kLost * size.maxCoeff();
    for (int k = 0; k < kWidth; ++k) {
        dropped[k] = !(gram(k, k) > kLost * size[k] && gram(k, k) > least);
        if (dropped[k]) continue;
        for (int j = k + 1; j < kWidth; ++j) {
            const double factor = gram(j, k) / gram(k, k);
            for (int i = j; i < kWidth; ++i) gram(i, j) -= factor * gram(i, k);
        }
    }
}

}  // namespace

void CoarseSpace::analyze(const linalg::RowFrames& frames, Index width) {
    const linalg::BlockPattern& pattern = frames.matrix->pattern();
    width_ = width;
    pattern_ = pattern.revision;
    aggregates_ = linalg::aggregate(pattern, size_ > 0 ? size_ : automaticSize(pattern.rows));
    std::vector<Index> of(pattern.rows > 0 ? std::size_t(frames.rowParticle(pattern.rows - 1)) + 1 : 0, 0);
    for (Index i = 0; i < pattern.rows; ++i) of[frames.rowParticle(i)] = aggregates_.of[i] + 1;
    aggregateOf_ = std::make_shared<const std::vector<Index>>(std::move(of));
    analyzeImage(pattern);
    analyzeCoarseMatrix();
    offsets_.resize(width == 6 ? pattern.rows : 0);
    image_.resize(std::size_t(3 * width) * imageOf_.size());
    dropped_.resize(std::size_t(width) * std::size_t(aggregates_.count()));
    sums_ = emptyCoarse();
}

/// Which aggregates each row of A Z has entries of, and the same by aggregates.
void CoarseSpace::analyzeImage(const linalg::BlockPattern& pattern) {
    const Index count = aggregates_.count();
    imageStart_.assign(1, 0);
    imageOf_.clear();
    touchStart_.assign(std::size_t(count) + 1, 0);
    for (Index i = 0; i < pattern.rows; ++i) {
        const auto first = std::ptrdiff_t(imageOf_.size());
        for (Index k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k) {
            const Index a = aggregates_.of[pattern.column[k]];
            if (std::find(imageOf_.begin() + first, imageOf_.end(), a) == imageOf_.end()) imageOf_.push_back(a);
        }
        std::sort(imageOf_.begin() + first, imageOf_.end());
        for (auto at = imageOf_.begin() + first; at != imageOf_.end(); ++at) ++touchStart_[std::size_t(*at) + 1];
        imageStart_.push_back(Index(imageOf_.size()));
    }
    std::partial_sum(touchStart_.begin(), touchStart_.end(), touchStart_.begin());
    touchRow_.resize(imageOf_.size());
    imageAt_.resize(imageOf_.size());
    std::vector<Index> next(touchStart_.begin(), touchStart_.end() - 1);
    for (Index i = 0; i < pattern.rows; ++i)
        for (Index k = imageStart_[i]; k < imageStart_[i + 1]; ++k) {
            imageAt_[k] = next[imageOf_[k]]++;
            touchRow_[imageAt_[k]] = i;
        }
}

void CoarseSpace::analyzeCoarseMatrix() {
    const Index count = aggregates_.count(), blocks = width_ / 3;
    pairStart_.assign(1, 0);
    pairOf_.clear();
    std::vector<Index> coarseStart{0}, coarseColumn;
    for (Index a = 0; a < count; ++a) {
        const auto first = std::ptrdiff_t(pairOf_.size());
        for (const Index i : aggregates_.rowsIn(a))
            for (Index k = imageStart_[i]; k < imageStart_[i + 1]; ++k)
                if (std::find(pairOf_.begin() + first, pairOf_.end(), imageOf_[k]) == pairOf_.end())
                    pairOf_.push_back(imageOf_[k]);
        std::sort(pairOf_.begin() + first, pairOf_.end());
        pairStart_.push_back(Index(pairOf_.size()));
        for (Index row = 0; row < blocks; ++row) {
            for (auto at = pairOf_.begin() + first; at != pairOf_.end(); ++at)
                for (Index b = 0; b < blocks; ++b) coarseColumn.push_back(blocks * *at + b);
            coarseStart.push_back(Index(coarseColumn.size()));
        }
    }
    matrix_.reset(linalg::makePattern(blocks * count, std::move(coarseStart), std::move(coarseColumn)));
    for (Index k = 0; k < matrix_.pattern().blocks(); ++k) matrix_.setOccupied(k, true);
}

/// Where each row lies in its aggregate, and how it is turned.
void CoarseSpace::place(const linalg::RowFrames& frames, WorkerPool& pool) {
    turnOf_.assign(std::size_t(frames.matrix->rows()), -1);
    turns_.clear();
    for (const linalg::RowFrames::Turned& t : frames.turned) {
        turnOf_[t.row] = Index(turns_.size());
        turns_.push_back(t.turn);
    }
    if (width_ == 3) return;
    forAggregates(aggregates_, pool, [&](Index a) {
        const std::span<const Index> rows = aggregates_.rowsIn(a);
        Vec3 centre = Vec3::Zero();
        double size2 = 0;
        for (const Index i : rows) centre += frames.positions[i];
        centre /= double(rows.size());
        for (const Index i : rows) size2 += (frames.positions[i] - centre).squaredNorm();
        const double scale = size2 > 0 ? std::sqrt(double(rows.size()) / size2) : 0;
        for (const Index i : rows) offsets_[i] = scale * (frames.positions[i] - centre);
    });
}

/// out += Z_i^T M for the three rows Z_i of Z that belong to a row of the matrix. Z_i has the rotations e_k x d, and
/// (e_k x d) . m = e_k . (d x m).
template <int kWidth, int kColumns>
void CoarseSpace::addProduct(Index row, const Eigen::Matrix<double, 3, kColumns>& m,
                             Eigen::Matrix<double, kWidth, kColumns>& out) const {
    Eigen::Matrix<double, 3, kColumns> own = m;
    if (turnOf_[row] >= 0) own = turns_[turnOf_[row]].transpose() * m;
    out.template topRows<3>() += own;
    if constexpr (kWidth == 6) {
        const Vec3 d = offsets_[row];
        for (int c = 0; c < kColumns; ++c) out.template bottomRows<3>().col(c) += d.cross(own.col(c));
    }
}

template <int kWidth>
void CoarseSpace::drop(WorkerPool& pool) {
    std::ranges::fill(dropped_, std::uint8_t(0));
    forAggregates(aggregates_, pool, [&](Index a) {
        Square<kWidth> gram = Square<kWidth>::Zero();
        for (const Index i : aggregates_.rowsIn(a)) {
            Rows3<kWidth> transposed = Rows3<kWidth>::Zero();
            addProduct<kWidth, 3>(i, Mat3::Identity(), transposed);
            gram.noalias() += transposed * transposed.transpose();
        }
        markDependent<kWidth>(gram, dropped_.data() + std::size_t(kWidth) * std::size_t(a));
    });
}

template <int kWidth>
void CoarseSpace::fillImage(const linalg::RowFrames& frames, WorkerPool& pool) {
    const linalg::BlockMatrix& A = *frames.matrix;
    const linalg::BlockPattern& p = A.pattern();
    parallelRows(pool, p.rows, [&](Index begin, Index end) {
        std::vector<Rows3<kWidth>, Eigen::aligned_allocator<Rows3<kWidth>>> sums;
        for (Index i = begin; i < end; ++i) {
            const Index first = imageStart_[i], entries = imageStart_[i + 1] - first;
            sums.assign(std::size_t(entries), Rows3<kWidth>::Zero());
            for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
                if (!A.occupied(k)) continue;
                const Index j = p.column[k], a = aggregates_.of[j];
                Index at = 0;
                while (imageOf_[first + at] != a) ++at;
                addProduct<kWidth, 3>(j, A.block(k).transpose(), sums[at]);
            }
            for (Index at = 0; at < entries; ++at) {
                for (int v = 0; v < kWidth; ++v)
                    if (isDropped<kWidth>(imageOf_[first + at], v)) sums[at].row(v).setZero();
                if (turnOf_[i] >= 0) {
                    const Mat3& turn = turns_[turnOf_[i]];
                    sums[at] = (sums[at] * (turn * turn.transpose())).eval();
                }
                rows3<kWidth>(image_, imageAt_[first + at]) = sums[at];
            }
        }
    });
}

template <int kWidth>
void CoarseSpace::fillCoarseMatrix(WorkerPool& pool) {
    constexpr int kBlocks = kWidth / 3;
    const linalg::BlockPattern& coarse = matrix_.pattern();
    forAggregates(aggregates_, pool, [&](Index a) {
        const Index first = pairStart_[a];
        std::vector<Square<kWidth>, Eigen::aligned_allocator<Square<kWidth>>> sums(
            std::size_t(pairStart_[a + 1] - first), Square<kWidth>::Zero());
        for (const Index i : aggregates_.rowsIn(a)) {
            for (Index k = imageStart_[i]; k < imageStart_[i + 1]; ++k) {
                Index at = first;
                while (pairOf_[at] != imageOf_[k]) ++at;
                addProduct<kWidth, kWidth>(i, rows3<kWidth>(image_, imageAt_[k]).transpose(), sums[at - first]);
            }
        }
        for (std::size_t s = 0; s < sums.size(); ++s) {
            const bool own = pairOf_[first + Index(s)] == a;
            for (int v = 0; v < kWidth; ++v) {
                if (!isDropped<kWidth>(a, v)) continue;
                sums[s].row(v).setZero();
                if (own) sums[s](v, v) = 1;
            }
            for (Index row = 0; row < kBlocks; ++row)
                for (Index column = 0; column < kBlocks; ++column)
                    matrix_.block(coarse.rowStart[kBlocks * a + row] + kBlocks * Index(s) + column) =
                        sums[s].template block<3, 3>(3 * row, 3 * column);
        }
    });
}

template <int kWidth>
void CoarseSpace::fill(const linalg::RowFrames& frames, WorkerPool& pool) {
    drop<kWidth>(pool);
    fillImage<kWidth>(frames, pool);
    fillCoarseMatrix<kWidth>(pool);
}

std::string CoarseSpace::update(const linalg::RowFrames& frames, WorkerPool& pool) {
    const bool known = frames.positions.size() == frames.matrix->rows();
    const Index width = wanted_ == CoarseVectors::Rigid && known ? 6 : 3;
    if (pattern_ != frames.matrix->pattern().revision || width_ != width) analyze(frames, width);
    place(frames, pool);
    if (width_ == 6)
        fill<6>(frames, pool);
    else
        fill<3>(frames, pool);
    if (!factor_.analyze(matrix_.pattern(), factors::Ordering::Best, factors::Factorization::Multifrontal) ||
        !factor_.factorize(matrix_, pool))
        return "the coarse matrix of the deflation: " + factor_.message();
    return {};
}

std::size_t CoarseSpace::bytes() const {
    return (3 * std::size_t(offsets_.size()) + image_.size()) * sizeof(double) + matrix_.bytes() + factor_.bytes();
}

template <int kWidth>
void CoarseSpace::gather(const linalg::BlockVector* r, const linalg::BlockVector* y, WorkerPool& pool) const {
    forAggregates(aggregates_, pool, [&](Index a) {
        Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
        if (r)
            for (const Index i : aggregates_.rowsIn(a)) {
                const Vec3 own = turnOf_[i] < 0 ? Vec3((*r)[i]) : Vec3(turns_[turnOf_[i]].transpose() * (*r)[i]);
                force += own;
                if constexpr (kWidth == 6) moment += offsets_[i].cross(own);
            }
        Eigen::Matrix<double, kWidth, 1> sum;
        sum.template head<3>() = force;
        if constexpr (kWidth == 6) sum.template tail<3>() = moment;
        for (int v = 0; v < kWidth; ++v)
            if (isDropped<kWidth>(a, v)) sum[v] = 0;
        if (y)
            for (Index t = touchStart_[a]; t < touchStart_[a + 1]; ++t)
                sum.noalias() -= rows3<kWidth>(image_, t) * (*y)[touchRow_[t]];
        coarsePart<kWidth>(sums_, a) = sum;
    });
}

void CoarseSpace::factorSolve(linalg::BlockVector& c, WorkerPool& pool) const {
    if (c.size() != sums_.size()) c = emptyCoarse();
    factor_.solve(sums_, c, pool);
}

void CoarseSpace::solve(const linalg::BlockVector& r, linalg::BlockVector& c, WorkerPool& pool) const {
    width_ == 6 ? gather<6>(&r, nullptr, pool) : gather<3>(&r, nullptr, pool);
    factorSolve(c, pool);
}

void CoarseSpace::solveAgainst(const linalg::BlockVector* r, const linalg::BlockVector& y, linalg::BlockVector& c,
                               WorkerPool& pool) const {
    width_ == 6 ? gather<6>(r, &y, pool) : gather<3>(r, &y, pool);
    factorSolve(c, pool);
}

void CoarseSpace::subtractImage(const linalg::BlockVector& c, const linalg::BlockVector& r, linalg::BlockVector& w,
                                WorkerPool& pool) const {
    const auto over = [&]<int kWidth>(std::integral_constant<int, kWidth>) {
        parallelRows(pool, r.size(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                Vec3 rest = r[i];
                for (Index k = imageStart_[i]; k < imageStart_[i + 1]; ++k)
                    rest.noalias() -=
                        rows3<kWidth>(image_, imageAt_[k]).transpose() * coarsePart<kWidth>(c, imageOf_[k]);
                w[i] = rest;
            }
        });
    };
    width_ == 6 ? over(std::integral_constant<int, 6>{}) : over(std::integral_constant<int, 3>{});
}

void CoarseSpace::addCoarse(const linalg::BlockVector& c, linalg::BlockVector& z, WorkerPool& pool) const {
    const auto over = [&]<int kWidth>(std::integral_constant<int, kWidth>) {
        parallelRows(pool, z.size(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                const auto own = coarsePart<kWidth>(c, aggregates_.of[i]);
                Vec3 moved = own.template head<3>();
                if constexpr (kWidth == 6) moved += Vec3(own.template tail<3>()).cross(Vec3(offsets_[i]));
                if (turnOf_[i] >= 0) moved = (turns_[turnOf_[i]] * moved).eval();
                z[i] += moved;
            }
        });
    };
    width_ == 6 ? over(std::integral_constant<int, 6>{}) : over(std::integral_constant<int, 3>{});
}

}  // namespace clothlab::preconditioners
