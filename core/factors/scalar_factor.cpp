#include "factors/scalar_factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "factors/cholmod_session.hpp"
#include "factors/triangle_panels.hpp"

namespace clothlab::factors {

struct ScalarFactor::Impl {
    CholmodSession session;
    cholmod_sparse* matrix = nullptr;  ///< upper triangle, by columns
    CholmodSession::Symbolic symbolic;
    TrianglePanels panels;
    std::uint64_t revision = 0;
    Ordering ordering = Ordering::Best;
    std::vector<std::uint8_t> pinned;
    std::vector<double> columns;  ///< the right-hand sides, axis after axis
    std::string message;

    ~Impl() { release(); }
    void release() {
        cholmod_free_sparse(&matrix, &session.common());
        cholmod_free_factor(&symbolic.factor, &session.common());
        panels = {};
        revision = 0;
    }
    void makeStructure(const linalg::BlockPattern& p);
    void preparePanels();
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

void ScalarFactor::Impl::preparePanels() {
    const cholmod_factor& L = *symbolic.factor;
    const auto view = [](const void* data, std::size_t size) { return std::span(static_cast<const int*>(data), size); };
    panels.analyze(
        {view(L.super, L.nsuper + 1), view(L.pi, L.nsuper + 1), view(L.px, L.nsuper + 1), view(L.s, L.ssize)},
        view(L.Perm, L.n));
}

ScalarFactor::ScalarFactor() : impl_(std::make_unique<Impl>()) {}
ScalarFactor::~ScalarFactor() = default;
ScalarFactor::ScalarFactor(ScalarFactor&&) noexcept = default;
ScalarFactor& ScalarFactor::operator=(ScalarFactor&&) noexcept = default;

bool ScalarFactor::analyze(const linalg::BlockPattern& pattern, Ordering ordering) {
    if (!impl_) impl_ = std::make_unique<Impl>();  // moved from
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

bool ScalarFactor::factorize(const linalg::BlockPattern& pattern, std::span<const double> values,
                             std::span<const Index> pinned) {
    Impl& m = *impl_;
    assert(m.revision == pattern.revision && values.size() == std::size_t(pattern.blocks()));
    m.pinned.assign(std::size_t(pattern.rows), 0);
    for (const Index i : pinned) m.pinned[i] = 1;
    auto* value = static_cast<double*>(m.matrix->x);
    Index j = 0;
    forUpper(
        pattern,
        [&](Index k) {
            const Index i = pattern.column[k];
            const bool unit = m.pinned[i] || m.pinned[j];
            *value++ = unit ? double(i == j) : values[k];
        },
        [&](Index column) { j = column; });
    return m.session.factorize(m.matrix, m.symbolic.factor, m.message);
}

void ScalarFactor::pack(WorkerPool& pool) {
    Impl& m = *impl_;
    if (m.panels.empty()) m.preparePanels();
    m.panels.pack(static_cast<const double*>(m.symbolic.factor->x), pool);
}

void ScalarFactor::solveSingle(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) const {
    impl_->panels.solve(b, x, pool);
}

std::size_t ScalarFactor::packedBytes() const { return impl_->panels.bytes(); }

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
