#include "factors/cholmod_factor.hpp"

#include <cholmod.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <mutex>
#include <span>
#include <utility>

#include "base/platform.hpp"
#include "factors/multifrontal.hpp"
#include "factors/scalar_upper.hpp"

namespace clothlab::factors {
namespace {

constexpr std::array kFactorizations{
    EnumEntry{int(Factorization::Multifrontal), "multifrontal", "multifrontal",
              "Our numeric phase on CHOLMOD's symbolic factor: one dense front per supernode, subtrees over threads."},
    EnumEntry{int(Factorization::Supernodal), "supernodal", "supernodal",
              "CHOLMOD's left-looking numeric phase: dense blocks through BLAS."},
    EnumEntry{int(Factorization::Simplicial), "simplicial", "simplicial", "CHOLMOD's LDL' column by column."},
};

}  // namespace

std::span<const EnumEntry> enumTable(Factorization) { return kFactorizations; }

struct CholmodFactor::Impl {
    cholmod_common common;
    cholmod_sparse* matrix = nullptr;  ///< upper triangle of the 3N x 3N matrix, by columns
    cholmod_factor* factor = nullptr;
    cholmod_dense *solution = nullptr, *workY = nullptr, *workE = nullptr;
    std::uint64_t revision = 0;
    Ordering ordering = Ordering::Best;
    Factorization factorization = Factorization::Multifrontal;
    linalg::Precision precision;
    Multifrontal multifrontal;
    linalg::AlignedVector<float> single;  ///< the factor's values, where CHOLMOD's are not filled
    double fill = 0, flops = 0;
    std::string message;

    explicit Impl(linalg::Precision keptIn) : precision(keptIn) {
        platform::singleThreadedBlas();
        cholmod_start(&common);
        common.print = 0;
        common.error_handler = nullptr;
        common.try_catch = 1;  // a matrix that is not positive definite is a status here, not a warning on stderr
    }
    ~Impl() {
        release();
        cholmod_finish(&common);
    }
    void release() {
        cholmod_free_sparse(&matrix, &common);
        cholmod_free_factor(&factor, &common);
        cholmod_free_dense(&solution, &common);
        cholmod_free_dense(&workY, &common);
        cholmod_free_dense(&workE, &common);
        revision = 0;
    }

    void makeStructure(const linalg::BlockPattern& p);
    bool prepareMultifrontal(const linalg::BlockPattern& p);
    bool inSingle() const {
        return precision == linalg::Precision::Single && factorization == Factorization::Multifrontal;
    }
    bool solveByCholmod(const linalg::BlockVector& b, linalg::BlockVector& x);
    cholmod_factor* analyzeWith(const linalg::BlockPattern& p, Ordering which);
};

void CholmodFactor::Impl::makeStructure(const linalg::BlockPattern& p) {
    const auto n = 3 * std::size_t(p.rows);
    matrix = cholmod_allocate_sparse(n, n, upperEntries(p), 1, 1, 1, CHOLMOD_REAL, &common);
    if (matrix) upperStructure(p, static_cast<int*>(matrix->p), static_cast<int*>(matrix->i));
}

cholmod_factor* CholmodFactor::Impl::analyzeWith(const linalg::BlockPattern& p, Ordering which) {
    const std::vector<Index> blocks = orderRows(p, which);
    if (blocks.size() != std::size_t(p.rows)) return nullptr;
    std::vector<int> permutation;
    for (const Index block : blocks)
        for (int c = 0; c < 3; ++c) permutation.push_back(3 * block + c);
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    common.postorder = 1;
    const bool supernodes = factorization != Factorization::Simplicial;
    common.supernodal = supernodes ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
    common.final_ll = supernodes;
    return cholmod_analyze_p(matrix, permutation.data(), nullptr, 0, &common);
}

/// Makes room for the values, in CHOLMOD's factor unless in single precision; the multifrontal phase takes over its
/// supernodes.
bool CholmodFactor::Impl::prepareMultifrontal(const linalg::BlockPattern& p) {
    if (!inSingle() && !cholmod_change_factor(CHOLMOD_REAL, 1, 1, 0, 1, factor, &common)) return false;
    const auto view = [](void* data, std::size_t size) { return std::span(static_cast<const int*>(data), size); };
    multifrontal.analyze({view(factor->super, factor->nsuper + 1), view(factor->pi, factor->nsuper + 1),
                          view(factor->px, factor->nsuper + 1), view(factor->s, factor->ssize)},
                         view(factor->Perm, factor->n), p);
    single.assign(inSingle() ? multifrontal.size() : 0, 0.0f);
    return true;
}

std::vector<Index> cholmodOrder(const linalg::BlockPattern& p, Ordering which) {
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0;
    const auto n = std::size_t(p.rows);
    std::vector<Index> order;
    if (cholmod_sparse* graph = cholmod_allocate_sparse(n, n, p.column.size(), 1, 1, -1, CHOLMOD_PATTERN, &common)) {
        auto* start = static_cast<int*>(graph->p);
        auto* row = static_cast<int*>(graph->i);
        int slot = 0;
        for (Index j = 0; j < p.rows; ++j) {
            start[j] = slot;
            for (Index k = p.diagonal[j]; k < p.rowStart[j + 1]; ++k) row[slot++] = p.column[k];
        }
        start[n] = slot;
        order.resize(n);
        std::vector<int> parent(n), member(n);
        bool done = false;
        // METIS draws from the one generator of the C library, which it seeds at each call: two at once would share the
        // draws.
        static std::mutex oneAtATime;
        std::unique_lock lock(oneAtATime, std::defer_lock);
        if (which == Ordering::Metis || which == Ordering::Nesdis) lock.lock();
        if (which == Ordering::Metis)
            done = cholmod_metis(graph, nullptr, 0, 1, order.data(), &common);
        else if (which == Ordering::Nesdis)
            done =
                cholmod_nested_dissection(graph, nullptr, 0, order.data(), parent.data(), member.data(), &common) >= 0;
        else
            done = cholmod_amd(graph, nullptr, 0, order.data(), &common);
        if (!done) order.clear();
        cholmod_free_sparse(&graph, &common);
    }
    cholmod_finish(&common);
    return order;
}

CholmodFactor::CholmodFactor(linalg::Precision precision) : impl_(std::make_unique<Impl>(precision)) {}
CholmodFactor::~CholmodFactor() = default;
CholmodFactor::CholmodFactor(CholmodFactor&&) noexcept = default;
CholmodFactor& CholmodFactor::operator=(CholmodFactor&&) noexcept = default;

bool CholmodFactor::analyze(const linalg::BlockPattern& pattern, Ordering ordering, Factorization factorization) {
    Impl& m = *impl_;
    if (m.revision == pattern.revision && m.ordering == ordering && m.factorization == factorization) return true;
    platform::singleThreadedBlas();
    m.release();
    m.ordering = ordering;
    m.factorization = factorization;
    m.makeStructure(pattern);
    if (!m.matrix) {
        m.message = "CHOLMOD: out of memory";
        return false;
    }
    m.factor = m.analyzeWith(pattern, ordering == Ordering::Best ? Ordering::Amd : ordering);
    m.fill = m.common.lnz;
    m.flops = m.common.fl;
    if (ordering == Ordering::Best && m.factor) {
        cholmod_factor* other = m.analyzeWith(pattern, Ordering::Metis);
        if (other && m.common.lnz < m.fill) {
            std::swap(m.factor, other);
            m.fill = m.common.lnz;
            m.flops = m.common.fl;
        }
        cholmod_free_factor(&other, &m.common);
    }
    if (!m.factor || (factorization == Factorization::Multifrontal && !m.prepareMultifrontal(pattern))) {
        m.message = fmt::format("CHOLMOD: symbolic analysis failed (status {})", m.common.status);
        m.release();
        return false;
    }
    m.revision = pattern.revision;
    return true;
}

bool CholmodFactor::factorize(const linalg::BlockMatrix& A, WorkerPool& pool) {
    Impl& m = *impl_;
    assert(m.revision == A.pattern().revision);
    platform::singleThreadedBlas();
    const auto notDefinite = [&](std::size_t column) {
        m.message = fmt::format("the matrix is not positive definite (column {} of {})", column, m.factor->n);
        return false;
    };
    if (m.factorization == Factorization::Multifrontal) {
        const Index bad = m.inSingle() ? m.multifrontal.factorize(A, m.single.data(), pool)
                                       : m.multifrontal.factorize(A, static_cast<double*>(m.factor->x), pool);
        return bad < 0 || notDefinite(std::size_t(bad));
    }
    upperValues(A, static_cast<double*>(m.matrix->x));
    cholmod_factorize(m.matrix, m.factor, &m.common);
    const int status = std::exchange(m.common.status, CHOLMOD_OK);
    if (m.factor->minor < m.factor->n) return notDefinite(m.factor->minor);
    if (status != CHOLMOD_OK) m.message = fmt::format("CHOLMOD: factorization failed (status {})", status);
    return status == CHOLMOD_OK;
}

bool CholmodFactor::Impl::solveByCholmod(const linalg::BlockVector& b, linalg::BlockVector& x) {
    const auto n = 3 * std::size_t(b.size());
    cholmod_dense rhs{};
    rhs.nrow = rhs.d = rhs.nzmax = n;
    rhs.ncol = 1;
    rhs.x = const_cast<double*>(b.data());
    rhs.xtype = CHOLMOD_REAL;
    rhs.dtype = CHOLMOD_DOUBLE;
    const bool done = cholmod_solve2(CHOLMOD_A, factor, &rhs, nullptr, &solution, nullptr, &workY, &workE, &common);
    if (!done) {
        message = fmt::format("CHOLMOD: solve failed (status {})", common.status);
        return false;
    }
    if (x.size() != b.size()) x.resize(b.size());
    std::copy_n(static_cast<const double*>(solution->x), n, x.data());
    return true;
}

bool CholmodFactor::solve(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool, VectorOrder order) {
    Impl& m = *impl_;
    assert(order == VectorOrder::Matrix || m.factorization == Factorization::Multifrontal);
    if (m.factorization != Factorization::Multifrontal) return m.solveByCholmod(b, x);
    const bool ordered = order == VectorOrder::Factor;
    if (m.inSingle())
        m.multifrontal.solve(m.single.data(), b, x, pool, ordered);
    else
        m.multifrontal.solve(static_cast<const double*>(m.factor->x), b, x, pool, ordered);
    return true;
}

std::span<const Index> CholmodFactor::order() const {
    return impl_->factorization == Factorization::Multifrontal ? impl_->multifrontal.order() : std::span<const Index>{};
}

double CholmodFactor::fill() const { return impl_->fill; }
double CholmodFactor::flops() const { return impl_->flops; }
std::size_t CholmodFactor::bytes() const {
    const std::size_t value = impl_->inSingle() ? sizeof(float) : sizeof(double);
    return std::size_t(impl_->fill) * value + impl_->multifrontal.bytes();
}
const std::string& CholmodFactor::message() const { return impl_->message; }

}  // namespace clothlab::factors
