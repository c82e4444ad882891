#pragma once

#include "preconditioners/catalogue.hpp"
#include "preconditioners/jacobi.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/kind.hpp"

/// Methods that are not part of the library.
namespace clothlab::testing {

enum class Behaves { Well, FailsOnce, WithoutTranspose };

/// Jacobi that can misbehave in its fourth application since an update.
class OwnJacobi final : public preconditioners::Preconditioner {
public:
    explicit OwnJacobi(Behaves how) : how_(how) {}
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) override {
        jacobi_.analyze(matrix, core, pool);
    }
    preconditioners::Outcome update(const preconditioners::UpdateInput& input, WorkerPool& pool) override {
        applications_ = 0;
        failure_.clear();
        return jacobi_.update(input, pool);
    }
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override {
        double dot = jacobi_.applyDot(r, z, pool);
        if (how_ == Behaves::FailsOnce && ++applications_ == 4) failure_ = "ValueError: shapes differ";
        if (how_ == Behaves::WithoutTranspose)  // (I + N) D^-1 with a strictly lower N
            for (Index i = r.size() - 1; i > 0; --i) {
                const Vec3 more = 0.2 * z[i - 1];
                z[i] += more;
                dot += r[i].dot(more);
            }
        return dot;
    }
    std::size_t bytes() const override { return 0; }
    std::string_view failure() const override { return failure_; }

private:
    Behaves how_;
    preconditioners::Jacobi jacobi_;
    mutable int applications_ = 0;
    mutable std::string failure_;
};

/// Adds the method once per key.
inline preconditioners::PreconditionerKind ownJacobi(const std::string& key, Behaves how = Behaves::Well) {
    for (const EnumEntry& entry : enumTable(preconditioners::PreconditionerKind{}))
        if (entry.key == key) return preconditioners::PreconditionerKind(entry.value);
    return preconditioners::addPreconditioner({.key = key,
                                               .label = "My " + key,
                                               .help = "Jacobi from elsewhere.",
                                               .traits =
                                                   [](const auto&) {
                                                       return preconditioners::PreconditionerTraits{
                                                           .form = preconditioners::MatrixForm::Constrained};
                                                   },
                                               .make = [how](const auto&) { return std::make_unique<OwnJacobi>(how); }})
        .value();
}

/// The Cholesky solver.
class OwnSolver final : public solvers::Solver {
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, solvers::SolveSummary& summary,
             const solvers::SolveControl& control, WorkerPool& pool) override {
        inner_->solve(system, deltaV, summary, control, pool);
    }

    std::unique_ptr<solvers::Solver> inner_ = solvers::makeSolver({.kind = solvers::SolverKind::Cholesky}, {});
};

inline solvers::SolverKind ownSolver() {
    static const solvers::SolverKind kind =
        solvers::addSolver({.key = "own-solver",
                            .label = "My solver",
                            .parameters = {"form"},
                            .make = [](const solvers::Method&) { return std::make_unique<OwnSolver>(); },
                            .variants = {{.form = solvers::DirectForm::Reduced}}})
            .value();
    return kind;
}

}  // namespace clothlab::testing
