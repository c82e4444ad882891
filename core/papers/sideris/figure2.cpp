#include <algorithm>
#include <numeric>

#include "base/platform.hpp"
#include "papers/sideris/sideris.hpp"
#include "preconditioners/incomplete_poisson.hpp"

/// [P] figure 2: the preconditioner P = H H^T made as a matrix, over threads. The paper's function takes A and returns
/// P; the alternative, which the paper has no figure of, leaves the product alone and multiplies by H^T and H in turn.
namespace clothlab::papers::sideris {

SparseRows publishedFactor(const linalg::BlockMatrix& A) {
    SparseRows H;
    const linalg::BlockPattern& pattern = A.pattern();
    for (Index i = 0; i < A.rows(); ++i)
        for (int a = 0; a < 3; ++a) {
            for (Index at = pattern.rowStart[i]; pattern.column[at] <= i; ++at) {
                const Index j = pattern.column[at];
                if (j < i && !A.occupied(at)) continue;
                for (int b = 0; b < (j < i ? 3 : a); ++b) {
                    H.column.push_back(3 * j + b);
                    H.value.push_back(-A.block(at)(a, b) / A.diagonal(j)(b, b));
                }
                if (j == i) break;
            }
            H.column.push_back(3 * i + a);
            H.value.push_back(1);
            H.rowStart.push_back(H.column.size());
        }
    return H;
}

SparseRows transposed(const SparseRows& M) {
    SparseRows out;
    out.rowStart.assign(M.rows() + 1, 0);
    for (const Index c : M.column) ++out.rowStart[c + 1];
    std::partial_sum(out.rowStart.begin(), out.rowStart.end(), out.rowStart.begin());
    out.column.resize(M.column.size());
    out.value.resize(M.value.size());
    std::vector<std::size_t> next(out.rowStart.begin(), out.rowStart.end() - 1);
    for (Index r = 0; r < M.rows(); ++r)
        for (std::size_t k = M.start(r); k < M.start(r + 1); ++k) {
            const std::size_t at = next[M.column[k]]++;
            out.column[at] = r;
            out.value[at] = M.value[k];
        }
    return out;
}

namespace {

/// Rows begin .. end-1 of H H^T, each gathered in a dense row.
SparseRows productRows(const SparseRows& H, const SparseRows& Ht, Index begin, Index end) {
    SparseRows out;
    std::vector<double> sum(H.rows(), 0.0);
    std::vector<Index> touched, seen(sum.size(), -1);
    for (Index r = begin; r < end; ++r) {
        touched.clear();
        for (std::size_t k = H.start(r); k < H.start(r + 1); ++k) {
            const auto c = std::size_t(H.column[k]);
            for (std::size_t m = Ht.rowStart[c]; m < Ht.rowStart[c + 1]; ++m) {
                const auto j = std::size_t(Ht.column[m]);
                if (seen[j] != r) {
                    seen[j] = r;
                    touched.push_back(Ht.column[m]);
                }
                sum[j] += H.value[k] * Ht.value[m];
            }
        }
        std::sort(touched.begin(), touched.end());
        for (const Index j : touched) {
            out.column.push_back(j);
            out.value.push_back(std::exchange(sum[j], 0.0));
        }
        out.rowStart.push_back(out.column.size());
    }
    return out;
}

}  // namespace

SparseRows product(const SparseRows& H, const SparseRows& transposedH, WorkerPool& pool) {
    const RowChunks chunks{H.rows()};
    std::vector<SparseRows> parts(chunks.count());
    pool.forChunks(chunks.count(), H.rows(),
                   [&](Index c) { parts[c] = productRows(H, transposedH, chunks.begin(c), chunks.end(c)); });
    SparseRows out;
    std::vector<std::size_t> first;
    for (const SparseRows& part : parts) {
        first.push_back(out.rowStart.back());
        for (std::size_t r = 1; r < part.rowStart.size(); ++r) out.rowStart.push_back(first.back() + part.rowStart[r]);
    }
    out.column.resize(out.rowStart.back());
    out.value.resize(out.rowStart.back());
    pool.forChunks(chunks.count(), H.rows(), [&](Index c) {
        const SparseRows& part = parts[c];
        const auto at = std::ptrdiff_t(first[c]);
        std::copy(part.column.begin(), part.column.end(), out.column.begin() + at);
        std::copy(part.value.begin(), part.value.end(), out.value.begin() + at);
    });
    return out;
}

void multiply(const SparseRows& M, const std::vector<double>& x, std::vector<double>& y, WorkerPool& pool) {
    parallelRows(pool, M.rows(), [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r) {
            double sum = 0;
            for (std::size_t k = M.start(r); k < M.start(r + 1); ++k) sum += M.value[k] * x[M.column[k]];
            y[r] = sum;
        }
    });
}

namespace {

/// 1, 2, 4 ... and all.
std::vector<int> threadCounts() {
    std::vector<int> out;
    const int all = platform::hardwareThreads();
    for (int t = 1; t < all; t *= 2) out.push_back(t);
    out.push_back(all);
    return out;
}

struct Times {
    double product = 0, productWithStart = 0, apply = 0, applyFactored = 0, applyFactoredWithStart = 0,
           applyOwn = 0;  ///< ms
    std::size_t entries = 0, factorEntries = 0;
};

Times measure(const linalg::BlockMatrix& A, int threads, int runs) {
    const SparseRows H = publishedFactor(A), Ht = transposed(H);
    WorkerPool pool(threads);
    Times out{.factorEntries = H.column.size()};
    SparseRows P;
    out.product = medianMs(runs, [&] { P = product(H, Ht, pool); });
    out.productWithStart = medianMs(runs, [&] {
        WorkerPool started(threads);
        P = product(H, Ht, started);
    });
    out.entries = P.column.size();
    std::vector<double> r(H.rows(), 1.0), w(r.size()), z(r.size());
    const auto factored = [&](WorkerPool& workers) {
        multiply(Ht, r, w, workers);
        multiply(H, w, z, workers);
    };
    out.apply = medianMs(10 * runs, [&] { multiply(P, r, z, pool); });
    out.applyFactored = medianMs(10 * runs, [&] { factored(pool); });
    out.applyFactoredWithStart = medianMs(10 * runs, [&] {
        WorkerPool started(threads);
        factored(started);
    });
    preconditioners::IncompletePoisson<double> own(preconditioners::Variant::Published,
                                                   preconditioners::PoissonProduct::Backward);
    own.analyze(A, nullptr, pool);
    own.update({.matrix = A}, pool);
    linalg::BlockVector ones(A.rows()), result(A.rows());
    ones.flat().setOnes();
    out.applyOwn = medianMs(10 * runs, [&] { own.applyDot(ones, result, pool); });
    return out;
}

struct Case {
    int side, threads;
};

ReproductionRow makeRow(const Case& c, const Times& t, const Times& one) {
    const records::Value toPay =
        t.apply < t.applyFactored ? records::Value(t.product / (t.applyFactored - t.apply)) : records::Value("never");
    return {{{"nodes", double(c.side) * c.side}, {"threads", double(c.threads)}},
            {{"product_ms", t.product},
             {"product_with_start_ms", t.productWithStart},
             {"speed_up", one.productWithStart / t.productWithStart},
             {"apply_product_ms", t.apply},
             {"apply_factored_ms", t.applyFactored},
             {"apply_with_start_ms", t.applyFactoredWithStart},
             {"apply_own_ms", t.applyOwn},
             {"apply_own_speed_up", one.applyOwn / t.applyOwn},
             {"entries_of_factor", double(t.entries) / double(t.factorEntries)},
             {"applications_to_pay", toPay}}};
}

}  // namespace

Expected<Reproduction> figure2(Job& job) {
    constexpr int kStep = 5;
    std::vector<Case> cases;
    for (const int side : job.sides({50, 100, 200}, {50, 100}))
        for (const int threads : threadCounts()) cases.push_back({side, threads});
    Times one;
    linalg::BlockMatrix A;
    const auto label = [](const Case& c) { return fmt::format("{0} x {0}, {1} threads", c.side, c.threads); };
    job.tell("step", kStep);
    return tableOfCases(cases, job, label, [&](const Case& c, auto& rows) -> Expected<void> {
        if (job.stopped()) return fail("stopped");
        if (c.threads == 1) {
            auto stepped = systemOfStep(sheet(c.side, job), kStep, job);
            if (!stepped) return fail(stepped.error());
            A = std::move(stepped->system.A);
        }
        const Times times = measure(A, c.threads, job.options.quick ? 7 : 15);
        if (c.threads == 1) one = times;
        rows.push_back(makeRow(c, times, one));
        return {};
    });
}

}  // namespace clothlab::papers::sideris
