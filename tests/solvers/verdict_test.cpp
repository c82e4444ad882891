#include "solvers/verdict.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "method_pairs.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/kind.hpp"
#include "solvers/yardstick.hpp"
#include "support/random_systems.hpp"

namespace clothlab::solvers {
namespace {

using preconditioners::PreconditionerKind;

/// Every solver kind, as a whole and by components, with every preconditioner that it accepts.
void forEverySolver(
    const std::function<void(const std::string& name, Solver& solver, const SolverSettings& settings)>& f) {
    for (auto& [method, name] : testing::allMethods())
        for (const bool decompose : {false, true}) {
            const SolverSettings settings{.kind = method.solver.kind, .decompose = decompose};
            f(name + (decompose ? " by components" : ""), *makeSolver(settings, method.preconditioner), settings);
        }
}

/// No solver may report that it solved a wrong system, and each gives a message.
void expectNobodyConverges(const linalg::LinearSystem& system, const std::string& what) {
    WorkerPool pool(1);
    forEverySolver([&](const std::string& name, Solver& solver, const SolverSettings&) {
        linalg::BlockVector dv;
        SolveSummary summary;
        solver.solve(system, dv, summary, {}, pool);
        EXPECT_FALSE(converged(summary.status)) << what << ": " << name;
        EXPECT_NE(summary.status, SolveStatus::NotRun) << what << ": " << name;
        EXPECT_FALSE(summary.message.empty()) << what << ": " << name;
    });
}

TEST(Verdict, IsAFiniteResidualBelowAFiniteLimit) {
    EXPECT_EQ(verdict(0.9, 1), SolveStatus::Converged);
    EXPECT_EQ(verdict(0, 0), SolveStatus::Converged);
    EXPECT_EQ(verdict(1.1, 1), SolveStatus::Stalled);
    for (const double bad : {double(NAN), double(INFINITY)}) {
        EXPECT_EQ(verdict(bad, 1), SolveStatus::NotFinite);
        EXPECT_EQ(verdict(1, bad), SolveStatus::NotFinite);
    }
}

TEST(Verdict, NumbersThatAreNotFiniteOrWhoseSquaresOverflow) {
    const auto sound = testing::randomSystem(30, 44, 0.4);
    for (const double bad : {double(NAN), double(INFINITY), 1e308, 1e200}) {
        auto system = sound;
        system.b.flat().setConstant(bad);
        expectNobodyConverges(system.view(), fmt::format("b = {}", bad));
        system = sound;
        for (Index i = 0; i < 30; ++i) system.A.diagonal(i)(1, 1) = bad;
        if (bad != 1e200) expectNobodyConverges(system.view(), fmt::format("diagonal = {}", bad));
        system = sound;
        for (linalg::DofConstraint c : sound.constraints.constrained()) {
            c.z.setConstant(bad);
            system.constraints.set(c);
        }
        expectNobodyConverges(system.view(), fmt::format("z = {}", bad));
    }
}

TEST(Verdict, AConstraintThatIsNone) {
    const auto sound = testing::randomSystem(30, 45, 0.4);
    const auto with = [&](const linalg::DofConstraint& c) {
        auto system = sound;
        system.constraints.set(c);
        expectNobodyConverges(system.view(), fmt::format("ndof {} p {} q {}", c.ndof, c.p[0], c.q[0]));
    };
    with({.particle = 3, .ndof = 2});                                          // p = 0
    with({.particle = 3, .ndof = 1, .p = Vec3(1, 0, 0)});                      // q = 0
    with({.particle = 3, .ndof = 1, .p = Vec3(1, 2, 0), .q = Vec3(2, 4, 0)});  // q along p
    with({.particle = 3, .ndof = 2, .p = Vec3(NAN, 0, 0)});
    with({.particle = 3, .ndof = 0, .z = Vec3(0, INFINITY, 0)});
}

TEST(Verdict, SizesThatDiffer) {
    auto system = testing::randomSystem(30, 46);
    system.b.resize(29);
    expectNobodyConverges(system.view(), "b of 29");
    system = testing::randomSystem(30, 46);
    system.constraints.reset(31);
    expectNobodyConverges(system.view(), "constraints of 31");
}

// The square of 1e-170 is zero, and so is that of every residual of such a right-hand side.
TEST(Verdict, ARightHandSideWhoseSquareUnderflows) {
    auto system = testing::randomSystem(30, 47, 0.0);
    system.b.flat() *= 1e-170;
    WorkerPool pool(1);
    forEverySolver([&](const std::string& name, Solver& solver, const SolverSettings& settings) {
        if (settings.decompose) return;
        linalg::BlockVector dv;
        SolveSummary summary;
        solver.solve(system.view(), dv, summary, {}, pool);
        EXPECT_EQ(converged(summary.status), trueRelativeResidual(system.view(), dv) <= settings.tolerance) << name;
        EXPECT_TRUE(acceptable(summary.status)) << name;
    });
}

// Where stiffness dominates the masses, a direct solve leaves a residual above round-off, and reports it.
TEST(Verdict, ADirectSolverIsHeldToItsResidual) {
    auto system = testing::randomSystem(12, 48, 0.0);
    WorkerPool pool(1);
    for (const SolverKind kind : {SolverKind::Cholesky, SolverKind::EigenLdlt, SolverKind::CombinedLu}) {
        linalg::BlockVector dv;
        SolveSummary summary;
        makeSolver({.kind = kind}, {})->solve(system.view(), dv, summary, {}, pool);
        EXPECT_TRUE(converged(summary.status));
        EXPECT_EQ(summary.trueRelativeResidual, trueRelativeResidual(system.view(), dv));
        EXPECT_LT(summary.trueRelativeResidual, 1e-12);
    }
    int left = 0;
    for (const double stiffness : {1e4, 1e8, 1e12, 1e14, 1e16}) {
        auto stiff = system;
        const Mat3 J = stiffness * Vec3(1, 2, 3) * Vec3(1, 2, 3).transpose();
        const linalg::BlockPattern& p = stiff.A.pattern();
        const Index other = p.column[p.diagonal[0] + 1];
        linalg::addPair(stiff.A, 0, other, -J);
        stiff.A.diagonal(0) += J;
        stiff.A.diagonal(other) += J;
        for (const SolverKind kind : {SolverKind::Cholesky, SolverKind::EigenLdlt, SolverKind::CombinedLu}) {
            linalg::BlockVector dv;
            SolveSummary summary;
            makeSolver({.kind = kind, .tolerance = 1e-14}, {})->solve(stiff.view(), dv, summary, {}, pool);
            if (!acceptable(summary.status)) continue;
            EXPECT_EQ(converged(summary.status), trueRelativeResidual(stiff.view(), dv) <= 1e-12)
                << enumKey(kind) << stiffness;
            left += !converged(summary.status);
        }
    }
    EXPECT_GT(left, 0) << "no system was hard enough";
    EXPECT_EQ(computeTolerance({.kind = SolverKind::Cholesky, .tolerance = 1e-14}), 1e-12);
    EXPECT_EQ(computeTolerance({.kind = SolverKind::Mpcg, .tolerance = 1e-14}), 1e-14);
}

/// -I: negative definite.
class Negative final : public preconditioners::Preconditioner {
public:
    explicit Negative(bool later) : later_(later) {}
    void analyze(const linalg::BlockMatrix&, const linalg::CoreMask*, WorkerPool&) override {}
    preconditioners::Outcome update(const preconditioners::UpdateInput&, WorkerPool&) override { return {}; }
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool&) const override {
        const double sign = later_ && calls_++ == 0 ? 1 : -1;
        z.flat() = sign * r.flat();
        return sign * r.flat().squaredNorm();
    }
    std::size_t bytes() const override { return 0; }

private:
    bool later_;
    mutable int calls_ = 0;
};

TEST(Verdict, AnIndefinitePreconditionerIsNamedFromTheStartOn) {
    const auto system = testing::randomSystem(30, 49, 0.0);
    WorkerPool pool(1);
    for (const bool later : {false, true})
        for (const Stopping stopping : {Stopping::Residual, Stopping::PNorm, Stopping::Absolute}) {
            const Negative negative(later);
            linalg::BlockVector x(30);
            CgScratch scratch;
            scratch.r = system.b;
            for (linalg::BlockVector* v : {&scratch.q, &scratch.z}) v->resize(30);
            const CgProblem problem{
                .multiply =
                    [&](const linalg::BlockVector& p, linalg::BlockVector& q) {
                        linalg::multiply(system.A, p, q);
                        return p.flat().dot(q.flat());
                    },
                .filter = [](linalg::BlockVector&) {},
                .residual =
                    [&](const linalg::BlockVector& at, linalg::BlockVector& r) {
                        linalg::multiply(system.A, at, r);
                        r.flat() = system.b.flat() - r.flat();
                    },
                .rightHandSide = [&](linalg::BlockVector& b) { b = system.b; },
                .preconditioner = negative,
                .rhsNorm2 = system.b.flat().squaredNorm(),
                .rhsPNorm = system.b.flat().squaredNorm(),
            };
            SolveSummary summary;
            conjugateGradients(problem, {stopping, 1e-6, 200}, {x, scratch, summary}, {}, pool);
            EXPECT_EQ(summary.status, SolveStatus::Indefinite) << enumKey(stopping) << later;
            EXPECT_NE(summary.message.find("preconditioner"), std::string::npos) << summary.message;
        }
}

}  // namespace
}  // namespace clothlab::solvers
