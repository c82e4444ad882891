#include "factors/cholmod_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/platform.hpp"
#include "factors/cholmod_factor.hpp"

namespace clothlab::factors {

CholmodSession::CholmodSession() {
    platform::singleThreadedBlas();
    cholmod_start(&common_);
    common_.print = 0;
    common_.error_handler = nullptr;
    common_.try_catch = 1;  // a matrix that is not positive definite is a status here, not a warning on stderr
}

CholmodSession::~CholmodSession() {
    for (cholmod_dense** each : {&solution_, &workY_, &workE_}) cholmod_free_dense(each, &common_);
    cholmod_finish(&common_);
}

CholmodSession::Symbolic CholmodSession::analyzeUnder(cholmod_sparse* matrix, std::vector<Index> order, int width,
                                                      bool supernodes) {
    if (std::size_t(width) * order.size() != matrix->nrow) return {};
    std::vector<int> permutation;
    for (const Index vertex : order)
        for (int c = 0; c < width; ++c) permutation.push_back(width * vertex + c);
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_GIVEN;
    common_.postorder = 1;
    common_.supernodal = supernodes ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
    common_.final_ll = supernodes;
    cholmod_factor* factor = cholmod_analyze_p(matrix, permutation.data(), nullptr, 0, &common_);
    return {factor, common_.lnz, common_.fl, std::move(order)};
}

CholmodSession::Symbolic CholmodSession::analyzeAnew(cholmod_sparse* matrix, const linalg::BlockPattern& pattern,
                                                     int width, Ordering ordering, bool supernodes) {
    const bool best = ordering == Ordering::Best;
    const auto under = [&](Ordering which) {
        return analyzeUnder(matrix, orderRows(pattern, which), width, supernodes);
    };
    Symbolic found = under(best ? Ordering::Amd : ordering);
    if (!best || !found.factor) return found;
    Symbolic other = under(Ordering::Metis);
    if (other.factor && other.fill < found.fill) std::swap(found, other);
    cholmod_free_factor(&other.factor, &common_);
    return found;
}

bool CholmodSession::orderOrigin(const linalg::BlockPattern& origin, Ordering ordering) {
    if (origin_.pattern == origin.revision && origin_.ordering == ordering) return !origin_.order.empty();
    origin_ = {.pattern = origin.revision, .ordering = ordering};
    cholmod_sparse* graph = upperGraph(origin);
    if (!graph) return false;
    Symbolic symbolic = analyzeAnew(graph, origin, 1, ordering, false);
    if (symbolic.factor) {
        origin_.order = std::move(symbolic.order);
        origin_.fill = symbolic.fill;
    }
    cholmod_free_factor(&symbolic.factor, &common_);
    cholmod_free_sparse(&graph, &common_);
    return !origin_.order.empty();
}

CholmodSession::Symbolic CholmodSession::analyzeByOrigin(cholmod_sparse* matrix, const linalg::BlockPattern& pattern,
                                                         int width, Ordering ordering, bool supernodes) {
    if (!pattern.origin || ordering == Ordering::Natural || !orderOrigin(*pattern.origin->pattern, ordering)) return {};
    std::vector<Index> rowOf(origin_.order.size(), -1), order;
    for (std::size_t r = 0; r < pattern.origin->row.size(); ++r) rowOf[pattern.origin->row[r]] = Index(r);
    for (const Index vertex : origin_.order)
        if (rowOf[vertex] >= 0) order.push_back(rowOf[vertex]);
    Symbolic found = analyzeUnder(matrix, std::move(order), width, supernodes);
    // Of each column of blocks width (width + 1) / 2 entries lie in its diagonal block, and width^2 in another.
    const double blocks = (found.fill + width * (width - 1) / 2.0 * pattern.rows) / (width * width);
    if (found.factor && blocks > kMostFill * origin_.fill) cholmod_free_factor(&found.factor, &common_);
    return found;
}

CholmodSession::Symbolic CholmodSession::analyze(cholmod_sparse* matrix, const linalg::BlockPattern& pattern, int width,
                                                 Ordering ordering, bool supernodes) {
    platform::singleThreadedBlas();
    if (Symbolic kept = analyzeByOrigin(matrix, pattern, width, ordering, supernodes); kept.factor) return kept;
    return analyzeAnew(matrix, pattern, width, ordering, supernodes);
}

bool CholmodSession::factorize(cholmod_sparse* matrix, cholmod_factor* factor, std::string& message) {
    platform::singleThreadedBlas();
    cholmod_factorize(matrix, factor, &common_);
    const int status = std::exchange(common_.status, CHOLMOD_OK);
    if (factor->minor < factor->n)
        message = notDefiniteText(factor->minor, factor->n);
    else if (status != CHOLMOD_OK)
        message = fmt::format("CHOLMOD: factorization failed (status {})", status);
    return factor->minor == factor->n && status == CHOLMOD_OK;
}

const double* CholmodSession::solve(cholmod_factor* factor, const double* rhs, std::size_t rows, std::size_t columns,
                                    std::string& message) {
    cholmod_dense b{};
    b.nrow = b.d = rows;
    b.ncol = columns;
    b.nzmax = rows * columns;
    b.x = const_cast<double*>(rhs);
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    if (!cholmod_solve2(CHOLMOD_A, factor, &b, nullptr, &solution_, nullptr, &workY_, &workE_, &common_)) {
        message = fmt::format("CHOLMOD: solve failed (status {})", common_.status);
        return nullptr;
    }
    return static_cast<const double*>(solution_->x);
}

std::string notDefiniteText(std::size_t column, std::size_t columns) {
    return fmt::format("the matrix is not positive definite (column {} of {})", column, columns);
}

cholmod_sparse* CholmodSession::upperGraph(const linalg::BlockPattern& p) {
    const auto n = std::size_t(p.rows);
    cholmod_sparse* graph =
        cholmod_allocate_sparse(n, n, (p.column.size() + n) / 2, 1, 1, 1, CHOLMOD_PATTERN, &common_);
    if (!graph) return nullptr;
    auto *start = static_cast<int*>(graph->p), *row = static_cast<int*>(graph->i);
    int slot = 0;
    for (Index j = 0; j < p.rows; ++j) {
        start[j] = slot;
        for (Index k = p.rowStart[j]; k <= p.diagonal[j]; ++k) row[slot++] = p.column[k];
    }
    start[n] = slot;
    return graph;
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

}  // namespace clothlab::factors
