#include <gtest/gtest.h>

#include "solvers/direct.hpp"
#include "solvers/kind.hpp"
#include "support/random_systems.hpp"

namespace clothlab::solvers {
namespace {

SolveSummary solve(const testing::RandomSystem& system, const SolverSettings& settings, linalg::BlockVector& dv) {
    WorkerPool pool;
    SolveSummary summary;
    makeSolver(settings, {})->solve(system.view(), dv, summary, {}, pool);
    return summary;
}

// Eq. (10), SAS + s(I - S) and the reduced system have the same solution.
TEST(Direct, AllFormsAndLibrariesAgree) {
    const auto system = testing::randomSystem(80, 71, 0.6, true);
    const testing::DenseMatrix expected = system.denseSolution();
    const auto check = [&](const SolverSettings& settings, const char* what) {
        linalg::BlockVector dv;
        const SolveSummary summary = solve(system, settings, dv);
        EXPECT_EQ(summary.status, SolveStatus::Converged) << what << summary.message;
        EXPECT_LT((dv - expected).norm(), 1e-12 * expected.norm()) << what;
        EXPECT_GT(summary.fill, 3 * 80) << what;
    };
    for (const EnumEntry& form : enumTable(DirectForm{})) {
        for (const EnumEntry& how : enumTable(factors::Factorization{}))
            check({.kind = SolverKind::Cholesky,
                   .form = DirectForm(form.value),
                   .factorization = Factorization(how.value)},
                  how.key.data());
        for (const EnumEntry& ordering : enumTable(factors::Ordering{}))
            check({.kind = SolverKind::Cholesky, .form = DirectForm(form.value), .ordering = Ordering(ordering.value)},
                  ordering.key.data());
        check({.kind = SolverKind::EigenLdlt, .form = DirectForm(form.value)}, "eigen-ldlt");
    }
    check({.kind = SolverKind::CombinedLu}, "combined-lu");
}

// In natural order the entries of the factor of a chain are known; the other library, with its own order, counts more.
TEST(Direct, FillAndFlopsOfABandAreKnown) {
    const auto chain = testing::randomSystem(20, 72, 0.0, false, 1);
    linalg::BlockVector dv;
    const SolveSummary natural = solve(
        chain,
        {.kind = SolverKind::Cholesky, .ordering = Ordering::Natural, .factorization = Factorization::Simplicial}, dv);
    Index blocks = 0;
    for (Index k = 0; k < chain.A.pattern().blocks(); ++k) blocks += 1;
    const Index below = (blocks - 20) / 2;
    EXPECT_EQ(natural.fill, 20 * 6 + 9 * below);  // a chain has no fill
    const SolveSummary eigen = solve(chain, {.kind = SolverKind::EigenLdlt}, dv);
    EXPECT_GE(eigen.fill, natural.fill);
    EXPECT_LT(eigen.fill, 1.5 * natural.fill);
    EXPECT_GE(eigen.flops, natural.flops);
    EXPECT_LT(eigen.flops, 2 * natural.flops);
}

/// A factor that counts its calls.
class Counting final : public DirectFactor {
public:
    explicit Counting(int& analyses) : analyses_(analyses), inner_(makeEigenLdlt()) {}
    bool analyze(const linalg::BlockPattern& p) override {
        analyses_ += revision_ != p.revision;
        revision_ = p.revision;
        return inner_->analyze(p);
    }
    bool factorize(const linalg::BlockMatrix& A, WorkerPool& pool) override { return inner_->factorize(A, pool); }
    bool solve(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) override {
        return inner_->solve(b, x, pool);
    }
    double fill() const override { return inner_->fill(); }
    double flops() const override { return inner_->flops(); }
    std::size_t bytes() const override { return inner_->bytes(); }
    std::string message() const override { return inner_->message(); }

private:
    int& analyses_;
    std::uint64_t revision_ = 0;
    std::unique_ptr<DirectFactor> inner_;
};

TEST(Direct, ContactsCostNoSymbolicWorkInTheFixedPattern) {
    auto system = testing::randomSystem(50, 73, 0.3);
    for (const auto& [form, expected] : {std::pair{DirectForm::FixedPattern, 1}, {DirectForm::Reduced, 2}}) {
        int analyses = 0;
        Direct direct({.form = form}, std::make_unique<Counting>(analyses));
        WorkerPool pool;
        SolveSummary summary;
        linalg::BlockVector dv;
        auto changing = system;
        direct.solve(changing.view(), dv, summary, {}, pool);
        changing.constraints.set({.particle = 7, .ndof = 0, .z = Vec3(0.1, 0, 0)});
        changing.constraints.set({.particle = 8, .ndof = 2, .p = Vec3(0, 1, 0)});
        changing.constraints.sort();
        direct.solve(changing.view(), dv, summary, {}, pool);
        const testing::DenseMatrix solution = changing.denseSolution();
        EXPECT_LT((dv - solution).norm(), 1e-11 * solution.norm());
        EXPECT_EQ(analyses, expected);
    }
}

TEST(Direct, AnIndefiniteMatrixIsABreakdown) {
    auto system = testing::randomSystem(30, 74, 0.0);
    system.A.diagonal(12) = -system.A.diagonal(12);
    linalg::BlockVector dv;
    for (const auto kind : {SolverKind::Cholesky, SolverKind::EigenLdlt}) {
        const SolveSummary summary = solve(system, {.kind = kind}, dv);
        EXPECT_EQ(summary.status, SolveStatus::Breakdown);
        EXPECT_NE(summary.message.find("not positive definite"), std::string::npos);
    }
}

}  // namespace
}  // namespace clothlab::solvers
