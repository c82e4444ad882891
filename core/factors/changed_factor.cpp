#include "factors/changed_factor.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/simd.hpp"
#include "base/stage_timer.hpp"

namespace clothlab::factors {
namespace {

constexpr double kColumnTolerance = 1e-12;  ///< of the columns of W: a singular matrix must show
constexpr double kRefinedTolerance = 1e-13;
constexpr int kMostRefinements = 12;

/// r = b - A x on rows that are free, 0 on the others; x is 0 there, and everywhere where it is null.
template <class Rows>
void computeResidual(const FactoredMatrix& A, const Rows& rows, const linalg::BlockVector& b,
                     const linalg::BlockVector* x, linalg::BlockVector& r, WorkerPool& pool) {
    const linalg::BlockPattern& p = A.pattern();
    const std::vector<double>& values = A.values();
    parallelRows(pool, p.rows, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            if (rows.pinned[i]) {
                r[i].setZero();
                continue;
            }
            Vec3 sum = b[i];
            if (x) {
                sum -= rows.added[i] * (*x)[i];
                for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) sum -= values[k] * (*x)[p.column[k]];
            }
            r[i] = sum;
        }
    });
    if (!x) return;
    for (const ChangedFactor::Link& link : rows.links) {
        const Vec3 pull = link.value * ((*x)[link.i] - (*x)[link.j]);
        if (!rows.pinned[link.i]) r[link.i] -= pull;
        if (!rows.pinned[link.j]) r[link.j] += pull;
    }
}

int linksApart(std::span<const ChangedFactor::Link> some, std::span<const ChangedFactor::Link> others) {
    const auto lacking = [](auto from, auto in) {
        return std::ranges::count_if(from, [&](const auto& link) { return std::ranges::find(in, link) == in.end(); });
    };
    return int(lacking(some, others) + lacking(others, some));
}

double norm(const linalg::BlockVector& x, WorkerPool& pool) {
    return std::sqrt(parallelSum(pool, x.size(), 0.0, [&](Index begin, Index end) {
        double sum = 0;
        for (Index k = 3 * begin; k < 3 * end; ++k) sum += x.data()[k] * x.data()[k];
        return sum;
    }));
}

}  // namespace

void ChangedFactor::take(FactoredMatrix matrix) {
    assert(matrix.made());
    matrix_ = std::move(matrix);
    const auto n = std::size_t(matrix_.rows());
    pinned_.assign(n, 0);
    for (const Index row : matrix_.pinnedRows()) pinned_[row] = 1;
    added_.assign(n, 0.0);
    links_.clear();
    columns_.clear();
    inverse_.clear();
    times_ = {};
    usable_ = true;
}

FactoredMatrix ChangedFactor::give() {
    usable_ = false;
    columns_.clear();
    return std::exchange(matrix_, {});
}

bool ChangedFactor::follow(const Wanted& wanted, WorkerPool& pool) {
    assert(matrix_.made());
    const auto n = std::size_t(matrix_.rows());
    std::vector<std::uint8_t> pinned(n, 0);
    std::vector<double> added(n, 0.0);
    for (const Index row : wanted.pinned) pinned[row] = 1;
    for (const auto& [row, value] : wanted.added) added[row] = value;
    if (usable_ && pinned == pinned_ && added == added_ && std::ranges::equal(wanted.links, links_)) return true;
    for (std::size_t i = 0; i < n; ++i) times_.changes += pinned[i] != pinned_[i] || added[i] != added_[i];
    times_.changes += linksApart(wanted.links, links_);
    links_.assign(wanted.links.begin(), wanted.links.end());
    pinned_ = std::move(pinned);
    added_ = std::move(added);
    message_.clear();
    StageTimer timer;
    usable_ = border(pool);
    times_.change = timer.seconds();
    return usable_;
}

/// One column a row that differs, without W.
std::vector<ChangedFactor::Column> ChangedFactor::wantedColumns() const {
    const linalg::BlockPattern& p = matrix_.pattern();
    std::vector<Column> columns;
    for (Index i = 0; i < p.rows; ++i) {
        if (matrix_.pinned(i) && !pinned_[i]) {
            Column column{.row = i, .kind = Kind::LetGo, .added = added_[i], .entries = {}, .w = {}};
            for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
                if (!matrix_.pinned(p.column[k])) column.entries.emplace_back(p.column[k], matrix_.value(k));
            columns.push_back(std::move(column));
        } else if (!matrix_.pinned(i) && pinned_[i]) {
            columns.push_back({.row = i, .kind = Kind::Pin, .added = 0, .entries = {{i, 1.0}}, .w = {}});
        } else if (!matrix_.pinned(i) && added_[i] != 0) {
            columns.push_back({.row = i, .kind = Kind::Added, .added = added_[i], .entries = {{i, 1.0}}, .w = {}});
        }
    }
    addLinkColumns(columns);
    return columns;
}

void ChangedFactor::addLinkColumns(std::vector<Column>& columns) const {
    for (const Link& link : links_) {
        if (pinned_[link.i] && pinned_[link.j]) continue;
        Column column{.row = link.i, .other = link.j, .kind = Kind::Link, .added = link.value, .entries = {}, .w = {}};
        // A row that is let go has a column of its own: `smallEntry` joins the two.
        for (const auto& [row, sign] : {std::pair(link.i, 1.0), std::pair(link.j, -1.0)})
            if (!pinned_[row] && !matrix_.pinned(row)) column.entries.emplace_back(row, sign);
        columns.push_back(std::move(column));
    }
}

bool ChangedFactor::border(WorkerPool& pool) {
    std::vector<Column> columns = wantedColumns();
    std::vector<Column*> fresh;
    for (Column& column : columns) {
        const auto old = std::ranges::find_if(columns_, [&](const Column& c) {
            // A pin and an added stiffness have the same b_c.
            return c.row == column.row && (c.kind == Kind::LetGo) == (column.kind == Kind::LetGo) &&
                   c.entries == column.entries && !c.w.empty();
        });
        if (old != columns_.end())
            column.w = std::move(old->w);
        else
            fresh.push_back(&column);
    }
    bool made = true;
    for (std::size_t k = 0; k < fresh.size() && made; k += 3)
        made = makeColumns(std::span(fresh).subspan(k, std::min<std::size_t>(3, fresh.size() - k)), pool);
    columns_ = std::move(columns);
    if (!made) columns_.clear();
    return made && makeSmall();
}

/// W of up to three columns: an axis each.
bool ChangedFactor::makeColumns(std::span<Column*> columns, WorkerPool& pool) {
    const Index n = matrix_.rows();
    linalg::BlockVector b(n), w(n);
    for (std::size_t a = 0; a < columns.size(); ++a)
        for (const auto& [row, value] : columns[a]->entries) b[row][Eigen::Index(a)] = value;
    std::vector<std::uint8_t> pinned(std::size_t(n), 0);
    for (const Index row : matrix_.pinnedRows()) pinned[row] = 1;
    const std::vector<double> none(std::size_t(n), 0.0);
    const auto single = [&](const linalg::BlockVector& r, linalg::BlockVector& d) {
        matrix_.factor().solveSingle(r, d, pool);
        return true;
    };
    const auto exact = [&](const linalg::BlockVector& r, linalg::BlockVector& d) {
        return matrix_.factor().solve(r, d);
    };
    if (!refine(b, w, {pinned, none}, kColumnTolerance, single, pool) &&
        !refine(b, w, {pinned, none}, kColumnTolerance, exact, pool))
        return false;
    for (std::size_t a = 0; a < columns.size(); ++a) {
        columns[a]->w.resize(std::size_t(n));
        for (Index i = 0; i < n; ++i) columns[a]->w[i] = w[i][Eigen::Index(a)];
    }
    return true;
}

/// An entry of D.
double ChangedFactor::smallEntry(const Column& row, const Column& column) const {
    if (row.kind == Kind::LetGo && column.kind == Kind::LetGo) {
        const Index block = matrix_.pattern().find(row.row, column.row);
        return (block >= 0 ? matrix_.value(block) : 0.0) + (&row == &column ? row.added : 0.0);
    }
    if (&row == &column && (row.kind == Kind::Added || row.kind == Kind::Link)) return -1 / row.added;
    const bool linkFirst = row.kind == Kind::Link && column.kind == Kind::LetGo;
    if (!linkFirst && !(row.kind == Kind::LetGo && column.kind == Kind::Link)) return 0;
    const Column &link = linkFirst ? row : column, &letGo = linkFirst ? column : row;
    return letGo.row == link.row ? 1 : letGo.row == link.other ? -1 : 0;
}

/// The inverse of D - B^T W, which is symmetric and, with pins and rows let go together, indefinite.
bool ChangedFactor::makeSmall() {
    const auto count = Eigen::Index(columns_.size());
    inverse_.assign(columns_.size() * columns_.size(), 0.0);
    if (count == 0) return true;
    Eigen::MatrixXd S(count, count);
    Eigen::VectorXd scale(count);
    for (Eigen::Index r = 0; r < count; ++r) {
        const Column& row = columns_[r];
        for (Eigen::Index c = 0; c < count; ++c) {
            const Column& column = columns_[c];
            double entry = smallEntry(row, column);
            double size = std::abs(entry);
            for (const auto& [i, value] : row.entries) {
                entry -= value * column.w[i];
                size += std::abs(value * column.w[i]);
            }
            S(r, c) = entry;
            if (r == c) scale[r] = 1 / std::sqrt(std::max(size, 1e-300));
        }
    }
    S = scale.asDiagonal() * S * scale.asDiagonal();
    // What was scaled is at most 1, so that the inverse says how much of it is left.
    const Eigen::MatrixXd inverse = S.partialPivLu().inverse();
    if (!inverse.allFinite() || inverse.cwiseAbs().maxCoeff() > 1 / kSingular) {
        message_ =
            fmt::format("the matrix is singular with {} rows changed: does something hold every particle?", count);
        return false;
    }
    for (Eigen::Index r = 0; r < count; ++r)
        for (Eigen::Index c = 0; c < count; ++c) inverse_[r * count + c] = scale[r] * inverse(r, c) * scale[c];
    return true;
}

/// F^-1 b. What acts on a pinned particle goes to whatever holds it: left in, it could be large, and all digits of the
/// others would be lost in taking its effect away again.
void ChangedFactor::solveFactored(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) {
    const auto held = [&](const Column& c) { return c.kind == Kind::Pin && b[c.row] != Vec3::Zero(); };
    if (std::ranges::none_of(columns_, held)) {
        matrix_.factor().solveSingle(b, x, pool);
        return;
    }
    masked_ = b;
    for (const Column& c : columns_)
        if (c.kind == Kind::Pin) masked_[c.row].setZero();
    matrix_.factor().solveSingle(masked_, x, pool);
}

/// From x = F^-1 b to the solution of the bordered system.
void ChangedFactor::correct(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) {
    const std::size_t count = columns_.size();
    std::vector<Vec3>&rest = rest_, &t = t_;
    rest.resize(count);
    t.assign(count, Vec3::Zero());
    for (std::size_t c = 0; c < count; ++c) {
        rest[c] = columns_[c].kind == Kind::LetGo ? Vec3(b[columns_[c].row]) : Vec3(Vec3::Zero());
        for (const auto& [i, value] : columns_[c].entries) rest[c] -= value * x[i];
    }
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t c = 0; c < count; ++c) t[r] += inverse_[r * count + c] * rest[c];
    if (count > 0)
        parallelRows(pool, x.size(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                Vec3 sum = x[i];
                for (std::size_t c = 0; c < count; ++c) sum -= columns_[c].w[i] * t[c];
                x[i] = sum;
            }
        });
    for (std::size_t c = 0; c < count; ++c)
        if (columns_[c].kind == Kind::LetGo) x[columns_[c].row] = t[c];
}

bool ChangedFactor::solve(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) {
    assert(usable_);
    solveFactored(b, x, pool);
    correct(b, x, pool);
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            if (pinned_[i]) x[i].setZero();
    });
    return true;
}

bool ChangedFactor::solveRefined(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) {
    const auto apply = [&](const linalg::BlockVector& r, linalg::BlockVector& d) { return solve(r, d, pool); };
    return refine(b, x, {pinned_, added_, links_}, kRefinedTolerance, apply, pool);
}

/// x += apply(b - A x) until what is added is below the tolerance, or does not shrink any more.
template <class Apply>
bool ChangedFactor::refine(const linalg::BlockVector& b, linalg::BlockVector& x, const Rows& rows, double tolerance,
                           Apply apply, WorkerPool& pool) {
    const Index n = matrix_.rows();
    solution_.resize(n);
    if (residual_.size() != n) residual_.resize(n);
    double last = 0, left = 0;
    for (int k = 0; k < kMostRefinements; ++k) {
        computeResidual(matrix_, rows, b, k > 0 ? &solution_ : nullptr, residual_, pool);
        if (!apply(residual_, correction_)) return false;
        solution_.flat() += correction_.flat();
        const double size = norm(solution_, pool), added = norm(correction_, pool);
        // It shrinks by the same factor each time: done where the next one would be below the tolerance.
        left = k > 0 && last > 0 ? added * (added / last) : added;
        const bool stuck = k > 0 && !(added <= 0.5 * last);
        last = added;
        if (left <= tolerance * size || stuck) break;
    }
    x = solution_;
    // Where it stopped short of the tolerance, rounding stands in the way, or the factor is too far from the matrix.
    if (left <= 1e-9 * norm(solution_, pool)) return true;
    message_ = "the refined solution does not settle: the factor is too far from the matrix";
    return false;
}

}  // namespace clothlab::factors
