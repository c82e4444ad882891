#include "factors/cholmod_factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <span>

#include "base/platform.hpp"
#include "factors/cholmod_session.hpp"
#include "factors/multifrontal.hpp"
#include "factors/scalar_upper.hpp"

namespace clothlab::factors {
namespace {

constexpr std::array kFactorizations{
    EnumEntry{int(Factorization::Multifrontal), "multifrontal", "multifrontal",
              "Our phases in CHOLMOD's order: one dense front per supernode, subtrees over threads."},
    EnumEntry{int(Factorization::Supernodal), "supernodal", "supernodal",
              "CHOLMOD's left-looking numeric phase: dense blocks through BLAS."},
    EnumEntry{int(Factorization::Simplicial), "simplicial", "simplicial", "CHOLMOD's LDL' column by column."},
};

}  // namespace

std::span<const EnumEntry> enumTable(Factorization) { return kFactorizations; }

struct CholmodFactor::Impl {
    CholmodSession session;
    cholmod_sparse* matrix = nullptr;  ///< upper triangle, by columns: of scalars, for CHOLMOD's own numeric phases
    cholmod_factor* factor = nullptr;  ///< of CHOLMOD's own numeric phases
    std::uint64_t revision = 0;
    Ordering ordering = Ordering::Best;
    Factorization factorization = Factorization::Multifrontal;
    linalg::Precision precision;
    Multifrontal multifrontal;
    linalg::AlignedVector<double> values;  ///< of the multifrontal factor
    linalg::AlignedVector<float> single;   ///< the same in single precision
    double fill = 0, flops = 0;
    std::string message;

    explicit Impl(linalg::Precision keptIn) : precision(keptIn) {}
    ~Impl() { release(); }
    void release() {
        cholmod_free_sparse(&matrix, &session.common());
        cholmod_free_factor(&factor, &session.common());
        revision = 0;
    }

    void makeStructure(const linalg::BlockPattern& p);
    bool analyzeScalars(const linalg::BlockPattern& p);
    bool analyzeBlocks(const linalg::BlockPattern& p);
    bool inSingle() const {
        return precision == linalg::Precision::Single && factorization == Factorization::Multifrontal;
    }
    bool solveByCholmod(const linalg::BlockVector& b, linalg::BlockVector& x);
};

void CholmodFactor::Impl::makeStructure(const linalg::BlockPattern& p) {
    const auto n = 3 * std::size_t(p.rows);
    matrix = cholmod_allocate_sparse(n, n, upperEntries(p), 1, 1, 1, CHOLMOD_REAL, &session.common());
    if (matrix) upperStructure(p, static_cast<int*>(matrix->p), static_cast<int*>(matrix->i));
}

bool CholmodFactor::Impl::analyzeScalars(const linalg::BlockPattern& p) {
    makeStructure(p);
    if (!matrix) return false;
    const CholmodSession::Symbolic symbolic =
        session.analyze(matrix, p, 3, ordering, factorization == Factorization::Supernodal);
    factor = symbolic.factor;
    fill = symbolic.fill;
    flops = symbolic.flops;
    return factor != nullptr;
}

/// CHOLMOD's order and counts of the graph of blocks are all that the multifrontal phase takes from it.
bool CholmodFactor::Impl::analyzeBlocks(const linalg::BlockPattern& p) {
    matrix = session.upperGraph(p);
    if (!matrix) return false;
    factor = session.analyze(matrix, p, 1, ordering, false).factor;
    if (!factor) return false;
    const auto view = [&](void* data) { return std::span(static_cast<const int*>(data), factor->n); };
    const BlockSupernodes nodes = blockSupernodes(p, view(factor->Perm), view(factor->ColCount));
    fill = nodes.entries;
    flops = nodes.operations;
    multifrontal.analyze(nodes, p);
    values.resize(inSingle() ? 0 : multifrontal.size());
    single.resize(inSingle() ? multifrontal.size() : 0);
    cholmod_free_sparse(&matrix, &session.common());
    cholmod_free_factor(&factor, &session.common());
    return true;
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
    const bool ours = factorization == Factorization::Multifrontal;
    if (!(ours ? m.analyzeBlocks(pattern) : m.analyzeScalars(pattern))) {
        m.message = fmt::format("CHOLMOD: symbolic analysis failed (status {})", m.session.common().status);
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
    if (m.factorization == Factorization::Multifrontal) {
        const Index bad = m.inSingle() ? m.multifrontal.factorize(A, m.single.data(), pool)
                                       : m.multifrontal.factorize(A, m.values.data(), pool);
        if (bad >= 0) m.message = notDefiniteText(std::size_t(bad), 3 * std::size_t(A.rows()));
        return bad < 0;
    }
    upperValues(A, static_cast<double*>(m.matrix->x));
    return m.session.factorize(m.matrix, m.factor, m.message);
}

bool CholmodFactor::Impl::solveByCholmod(const linalg::BlockVector& b, linalg::BlockVector& x) {
    const auto n = 3 * std::size_t(b.size());
    const double* solution = session.solve(factor, b.data(), n, 1, message);
    if (!solution) return false;
    if (x.size() != b.size()) x.resize(b.size());
    std::copy_n(solution, n, x.data());
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
        m.multifrontal.solve(m.values.data(), b, x, pool, ordered);
    return true;
}

std::span<const Index> CholmodFactor::order() const {
    return impl_->factorization == Factorization::Multifrontal ? impl_->multifrontal.order() : std::span<const Index>{};
}

double CholmodFactor::fill() const { return impl_->fill; }
double CholmodFactor::flops() const { return impl_->flops; }
double CholmodFactor::speedup(int threads) { return impl_->multifrontal.speedup(threads); }
std::size_t CholmodFactor::bytes() const {
    const std::size_t value = impl_->inSingle() ? sizeof(float) : sizeof(double);
    return std::size_t(impl_->fill) * value + impl_->multifrontal.bytes();
}
const std::string& CholmodFactor::message() const { return impl_->message; }

}  // namespace clothlab::factors
