#include "linalg/vector_kernels.hpp"

#include <cassert>

#include "base/simd.hpp"

namespace clothlab::linalg {
namespace {

using simd::Double4;

/// Runs body4(k) on scalars k, k+4, ... of [begin, end) and body1(k) on the rest. Padding is never touched.
template <class Body4, class Body1>
inline void overScalars(Index rowBegin, Index rowEnd, Body4&& body4, Body1&& body1) {
    std::size_t k = 3 * std::size_t(rowBegin);
    const std::size_t end = 3 * std::size_t(rowEnd);
    for (; k + 4 <= end; k += 4) body4(k);
    for (; k < end; ++k) body1(k);
}

/// Sum in two four-lane accumulators: enough to hide the latency of an addition behind the loads.
struct Accumulator {
    Double4 even = Double4::zero(), odd = Double4::zero();
    double tail = 0;
    bool toggle = false;
    void add(Double4 a, Double4 b) {
        if (toggle)
            odd = multiplyAdd(a, b, odd);
        else
            even = multiplyAdd(a, b, even);
        toggle = !toggle;
    }
    double total() const { return (even + odd).sum() + tail; }
};

}  // namespace

double dot(const BlockVector& x, const BlockVector& y, WorkerPool& pool) {
    assert(x.size() == y.size());
    const double *xs = x.data(), *ys = y.data();
    return parallelSum(pool, x.size(), 0.0, [=](Index begin, Index end) {
        Accumulator sum;
        overScalars(
            begin, end, [&](std::size_t k) { sum.add(Double4::load(xs + k), Double4::load(ys + k)); },
            [&](std::size_t k) { sum.tail += xs[k] * ys[k]; });
        return sum.total();
    });
}

double advance(double alpha, const BlockVector& p, const BlockVector& q, BlockVector& x, BlockVector& r,
               WorkerPool& pool) {
    const double *ps = p.data(), *qs = q.data();
    double *xs = x.data(), *rs = r.data();
    return parallelSum(pool, x.size(), 0.0, [=](Index begin, Index end) {
        const Double4 a = Double4::all(alpha), minusA = Double4::all(-alpha);
        Accumulator sum;
        overScalars(
            begin, end,
            [&](std::size_t k) {
                multiplyAdd(a, Double4::load(ps + k), Double4::load(xs + k)).store(xs + k);
                const Double4 rk = multiplyAdd(minusA, Double4::load(qs + k), Double4::load(rs + k));
                rk.store(rs + k);
                sum.add(rk, rk);
            },
            [&](std::size_t k) {
                xs[k] += alpha * ps[k];
                rs[k] -= alpha * qs[k];
                sum.tail += rs[k] * rs[k];
            });
        return sum.total();
    });
}

void nextDirection(const BlockVector& z, double beta, BlockVector& p, WorkerPool& pool) {
    const double* zs = z.data();
    double* ps = p.data();
    parallelRows(pool, p.size(), [=](Index begin, Index end) {
        const Double4 b = Double4::all(beta);
        overScalars(
            begin, end,
            [&](std::size_t k) { multiplyAdd(b, Double4::load(ps + k), Double4::load(zs + k)).store(ps + k); },
            [&](std::size_t k) { ps[k] = zs[k] + beta * ps[k]; });
    });
}

void subtractFrom(const BlockVector& b, BlockVector& r, WorkerPool& pool) {
    const double* bs = b.data();
    double* rs = r.data();
    parallelRows(pool, r.size(), [=](Index begin, Index end) {
        overScalars(
            begin, end, [&](std::size_t k) { (Double4::load(bs + k) - Double4::load(rs + k)).store(rs + k); },
            [&](std::size_t k) { rs[k] = bs[k] - rs[k]; });
    });
}

double scaleDot(const BlockVector& d, const BlockVector& r, BlockVector& z, WorkerPool& pool) {
    const double *ds = d.data(), *rs = r.data();
    double* zs = z.data();
    return parallelSum(pool, r.size(), 0.0, [=](Index begin, Index end) {
        Accumulator sum;
        overScalars(
            begin, end,
            [&](std::size_t k) {
                const Double4 rk = Double4::load(rs + k);
                const Double4 zk = Double4::load(ds + k) * rk;
                zk.store(zs + k);
                sum.add(rk, zk);
            },
            [&](std::size_t k) {
                zs[k] = ds[k] * rs[k];
                sum.tail += rs[k] * zs[k];
            });
        return sum.total();
    });
}

}  // namespace clothlab::linalg
