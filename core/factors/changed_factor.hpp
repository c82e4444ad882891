#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "factors/factored_matrix.hpp"

namespace clothlab::factors {

/// Solves with a matrix that differs in a few rows from the factored one: particles pinned or released since, stiffness
/// added on the diagonal by a dragging spring, or between two rows, or removed by one that breaks.
///
/// By bordering (Woodbury's formula; Hager 1989): each change is a column b_c of
///
///     [ F    B ] [x]   [b]     pin of q:       b_c = e_q, d_c = 0: the increment of q is 0
///     [ B^T  D ] [t] = [d]     letting go q:   F has the identity's row; b_c = the entries of q's own, d_c = its
///                                              diagonal, and t is what becomes of q
///                              stiffness k:    b_c = e_i, d_c = -1/k; of a link e_i - e_j. One that breaks has -k
///
/// and costs one solve for its column of W = F^-1 B. A solve then adds a product with W and one with the inverse of the
/// small D - B^T W. Undoing a change removes its column, in any order. Sixteen columns cost about as much as the solve
/// itself: beyond that a new factor is worthwhile.
///
/// Not thread-safe; one object, one thread.
class ChangedFactor {
public:
    /// What the matrix has beyond the factored one: all pinned rows, additions on diagonals (in the unit of the matrix;
    /// more than 0), and v (e_i - e_j)(e_i - e_j)^T of links, where v may be less than 0. A row comes at most once in
    /// each, a pair of rows too.
    struct Link {
        Index i, j;
        double value;
        bool operator==(const Link&) const = default;
    };
    struct Wanted {
        std::span<const Index> pinned;
        std::span<const std::pair<Index, double>> added;
        std::span<const Link> links = {};
    };
    struct Times {
        double change = 0;  ///< s, of the last `follow` that changed something
        int changes = 0;    ///< rows and links changed since the factor was taken
    };
    /// From this many columns on a new factor is worthwhile.
    static constexpr Index kManyColumns = 16;

    /// Takes a factor made here or on another thread. Changes are relative to its matrix; the next `follow` says what
    /// differs.
    void take(FactoredMatrix matrix);
    /// Releases the factor, so that another `make` reuses its symbolic part. No solves until `take`.
    FactoredMatrix give();
    bool ready() const { return matrix_.made(); }
    const FactoredMatrix& matrix() const { return matrix_; }

    /// Brings the system to what is wanted, at next to no cost if it is there already. False: the changed matrix is
    /// singular, or CHOLMOD failed (`message`); then nothing may be solved.
    bool follow(const Wanted& wanted, WorkerPool& pool);

    /// x = A^-1 b for the matrix of the last `follow`, fast: from the factor in single precision, x for an increment
    /// and b for a residual. Pinned rows of b are ignored and those of x exactly 0.
    bool solve(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool);
    /// The same, refined until it is as good as double precision.
    bool solveRefined(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool);

    /// Number of changes relative to the factored matrix.
    Index columns() const { return Index(columns_.size()); }
    const Times& times() const { return times_; }
    const std::string& message() const { return message_; }

private:
    enum class Kind { Pin, LetGo, Added, Link };
    struct Column {
        Index row = 0, other = -1;
        Kind kind = Kind::Pin;
        double added = 0;
        std::vector<std::pair<Index, double>> entries;  ///< b_c
        linalg::AlignedVector<double> w;                ///< F^-1 b_c
    };
    /// The matrix of a refinement: with `pinned` rows, and `added` on the diagonal.
    struct Rows {
        const std::vector<std::uint8_t>& pinned;
        const std::vector<double>& added;
        std::span<const Link> links = {};
    };

    static constexpr double kSingular = 1e-10;  ///< 1 over the largest entry of the scaled inverse

    std::vector<Column> wantedColumns() const;
    void addLinkColumns(std::vector<Column>& columns) const;
    double smallEntry(const Column& row, const Column& column) const;
    bool makeColumns(std::span<Column*> columns, WorkerPool& pool);
    bool border(WorkerPool& pool);
    bool makeSmall();
    void solveFactored(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool);
    void correct(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool);
    template <class Apply>
    bool refine(const linalg::BlockVector& b, linalg::BlockVector& x, const Rows& rows, double tolerance, Apply apply,
                WorkerPool& pool);

    FactoredMatrix matrix_;
    std::vector<std::uint8_t> pinned_;  ///< wanted, a flag per row
    std::vector<double> added_;         ///< wanted, a number per row
    std::vector<Link> links_;           ///< wanted
    std::vector<Column> columns_;       ///< ascending rows, then links
    std::vector<double> inverse_;       ///< of D - B^T W, row after row
    bool usable_ = false;
    linalg::BlockVector masked_, residual_, correction_, solution_;
    std::vector<Vec3> rest_, t_;  ///< one row per column: right-hand side and solution of the small system
    Times times_;
    std::string message_;
};

}  // namespace clothlab::factors
