#include "factors/scalar_factor.hpp"

#include <fmt/format.h>

#include <cassert>

#include "factors/cholmod_session.hpp"

namespace clothlab::factors {

struct ScalarFactor::Impl {
    CholmodSession session;
    cholmod_sparse* matrix = nullptr;  ///< upper triangle, by columns
    CholmodSession::Symbolic symbolic;
    std::uint64_t revision = 0;
    Ordering ordering = Ordering::Best;
    std::vector<double> columns;  ///< the right-hand sides, axis after axis
    std::string message;

    ~Impl() { release(); }
    void release() {
        cholmod_free_sparse(&matrix, &session.common());
        cholmod_free_factor(&symbolic.factor, &session.common());
        revision = 0;
    }
    void makeStructure(const linalg::BlockPattern& p);
};

namespace {

/// Calls entry(position of the block) over the upper triangle, column after column with rows ascending: a row of the
/// lower triangle, read as a column.
template <class Entry, class Column>
void forUpper(const linalg::BlockPattern& p, Entry entry, Column column) {
    for (Index j = 0; j < p.rows; ++j) {
        column(j);
        for (Index k = p.rowStart[j]; k <= p.diagonal[j]; ++k) entry(k);
    }
}

}  // namespace

void ScalarFactor::Impl::makeStructure(const linalg::BlockPattern& p) {
    const auto n = std::size_t(p.rows);
    const std::size_t entries = (std::size_t(p.blocks()) + n) / 2;
    matrix = cholmod_allocate_sparse(n, n, entries, 1, 1, 1, CHOLMOD_REAL, &session.common());
    if (!matrix) return;
    auto *start = static_cast<int*>(matrix->p), *row = static_cast<int*>(matrix->i);
    int slot = 0;
    forUpper(
        p, [&](Index k) { row[slot++] = p.column[k]; }, [&](Index j) { start[j] = slot; });
    start[n] = slot;
}

ScalarFactor::ScalarFactor() : impl_(std::make_unique<Impl>()) {}
ScalarFactor::~ScalarFactor() = default;
ScalarFactor::ScalarFactor(ScalarFactor&&) noexcept = default;
ScalarFactor& ScalarFactor::operator=(ScalarFactor&&) noexcept = default;

bool ScalarFactor::analyze(const linalg::BlockPattern& pattern, Ordering ordering) {
    Impl& m = *impl_;
    if (m.revision == pattern.revision && m.ordering == ordering) return true;
    m.release();
    m.ordering = ordering;
    m.makeStructure(pattern);
    if (m.matrix) m.symbolic = m.session.analyze(m.matrix, pattern, 1, ordering, true);
    if (!m.symbolic.factor) {
        m.message = fmt::format("CHOLMOD: symbolic analysis failed (status {})", m.session.common().status);
        m.release();
        return false;
    }
    m.revision = pattern.revision;
    return true;
}

bool ScalarFactor::factorize(const linalg::BlockPattern& pattern, std::span<const double> values) {
    Impl& m = *impl_;
    assert(m.revision == pattern.revision && values.size() == std::size_t(pattern.blocks()));
    auto* value = static_cast<double*>(m.matrix->x);
    forUpper(
        pattern, [&](Index k) { *value++ = values[k]; }, [](Index) {});
    return m.session.factorize(m.matrix, m.symbolic.factor, m.message);
}

bool ScalarFactor::solve(const linalg::BlockVector& b, linalg::BlockVector& x) {
    Impl& m = *impl_;
    const Index n = b.size();
    m.columns.resize(3 * std::size_t(n));
    for (int axis = 0; axis < 3; ++axis)
        for (Index i = 0; i < n; ++i) m.columns[axis * n + i] = b[i][axis];
    const double* solution = m.session.solve(m.symbolic.factor, m.columns.data(), std::size_t(n), 3, m.message);
    if (!solution) return false;
    if (x.size() != n) x.resize(n);
    for (int axis = 0; axis < 3; ++axis)
        for (Index i = 0; i < n; ++i) x[i][axis] = solution[axis * n + i];
    return true;
}

double ScalarFactor::fill() const { return impl_->symbolic.fill; }
double ScalarFactor::flops() const { return impl_->symbolic.flops; }
const std::string& ScalarFactor::message() const { return impl_->message; }

}  // namespace clothlab::factors
