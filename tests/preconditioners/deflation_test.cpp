#include <gtest/gtest.h>

#include <numeric>

#include "dense_inverse.hpp"
#include "method_pairs.hpp"
#include "preconditioners/block_jacobi.hpp"
#include "preconditioners/deflated.hpp"
#include "preconditioners/kind.hpp"
#include "simulation/scenes.hpp"
#include "solvers/kind.hpp"
#include "support/core_grid.hpp"

namespace clothlab::preconditioners {
namespace {

using testing::DenseMatrix;

/// A grid in space, with constraints of every ndof.
struct Sheet : testing::GridWithCore {
    linalg::BlockVector x;
    explicit Sheet(Index side, unsigned seed, double constrainedShare = 0.0)
        : GridWithCore(side, seed, constrainedShare), x(side * side) {
        std::mt19937 rng(seed);
        for (Index i = 0; i < x.size(); ++i)
            x[i] = Vec3(double(i % side), double(i / side), 0) + 0.3 * testing::randomVec3(rng);
    }
    linalg::LinearSystem view() const {
        linalg::LinearSystem placed = GridWithCore::view();
        placed.positions = &x;
        return placed;
    }
};

TEST(Aggregates, AreConnectedPiecesOfAboutTheSizeAskedFor) {
    const auto system = testing::gridSystem(40, 3);
    const linalg::BlockPattern& p = system.A.pattern();
    const linalg::Aggregates a = linalg::aggregate(p, 64);
    std::vector<int> seen(std::size_t(p.rows), 0);
    for (Index k = 0; k < a.count(); ++k) {
        const auto rows = a.rowsIn(k);
        EXPECT_GE(rows.size(), 16u);
        EXPECT_LE(rows.size(), 64u + 4 * 16u);
        EXPECT_TRUE(std::ranges::is_sorted(rows));
        std::vector<Index> reached{rows.front()};
        std::vector<std::uint8_t> mark(std::size_t(p.rows), 0);
        mark[rows.front()] = 1;
        for (std::size_t r = 0; r < reached.size(); ++r)
            for (Index b = p.rowStart[reached[r]]; b < p.rowStart[reached[r] + 1]; ++b) {
                const Index j = p.column[b];
                if (a.of[j] == k && !mark[j]) mark[j] = 1, reached.push_back(j);
            }
        EXPECT_EQ(reached.size(), rows.size()) << "not connected";
        for (const Index i : rows) {
            ++seen[i];
            EXPECT_EQ(a.of[i], k);
        }
    }
    EXPECT_EQ(std::ranges::count(seen, 1), p.rows);
    EXPECT_LE(a.count(), 2 * 1600 / 64);
    // Unconnected pieces are not merged.
    EXPECT_EQ(linalg::aggregate(testing::islands({3, 50, 1}, 4).A.pattern(), 64).count(), 3);
    EXPECT_EQ(linalg::aggregate(p, 1).count(), p.rows);
}

/// Z as the header defines it, dense.
DenseMatrix denseVectors(const linalg::Aggregates& a, const linalg::BlockVector& x, int width) {
    DenseMatrix Z = DenseMatrix::zero(3 * x.size(), width * a.count());
    for (Index k = 0; k < a.count(); ++k) {
        Vec3 centre = Vec3::Zero();
        for (const Index i : a.rowsIn(k)) centre += x[i] / double(a.rowsIn(k).size());
        for (const Index i : a.rowsIn(k))
            for (int c = 0; c < width; ++c) {
                const Vec3 column = c < 3 ? Vec3(Vec3::Unit(c)) : Vec3(Vec3::Unit(c - 3).cross(x[i] - centre));
                for (int d = 0; d < 3; ++d) Z(3 * i + d, width * k + c) = column[d];
            }
    }
    return Z;
}

// (I - QA) M^-1 (I - AQ) + Q with Q = Z (Z'AZ)^-1 Z', all dense. On the coarse space it is A^-1.
TEST(Deflation, IsItsFormula) {
    const Sheet sheet(9, 21);
    const DenseMatrix A(sheet.system.A), I = DenseMatrix::identity(A.rows());
    BlockJacobi blocks;
    ASSERT_TRUE(prepare(blocks, sheet.system.A).usable);
    const DenseMatrix M = denseInverse(blocks, sheet.x.size());
    for (const CoarseVectors vectors : {CoarseVectors::Rigid, CoarseVectors::Translations}) {
        Deflated deflated(std::make_unique<BlockJacobi>(), {.coarseVectors = vectors, .aggregateSize = 12});
        linalg::RowFrames frames;
        frames.setFullSystem(sheet.system.A, sheet.system.constraints, &sheet.x);
        WorkerPool pool;
        deflated.analyze(sheet.system.A, nullptr, pool);
        ASSERT_TRUE(deflated.update({.matrix = sheet.system.A, .frames = &frames}, pool).usable);
        const DenseMatrix P = denseInverse(deflated, sheet.x.size());
        const int width = vectors == CoarseVectors::Rigid ? 6 : 3;
        const DenseMatrix Z = denseVectors(deflated.space().aggregates(), sheet.x, width);
        EXPECT_GT(deflated.space().aggregates().count(), 4);
        const DenseMatrix Q = Z * (Z.transpose() * A * Z).inverse() * Z.transpose();
        const DenseMatrix expected = (I - Q * A) * M * (I - A * Q) + Q;
        EXPECT_LT((P - expected).norm(), 1e-10 * expected.norm());
        EXPECT_LT((P * (A * Z) - Z).norm(), 1e-10 * Z.norm());
        EXPECT_GT(P.symmetricEigenvalues().minCoeff(), 0);

        // A-DEF2 is the same on residuals of a start that the coarse space has corrected.
        linalg::BlockVector start(sheet.x.size()), r = (A * Z.column(0)).blocks(), z(sheet.x.size());
        ASSERT_TRUE(deflated.correctStart(start, r, pool));
        EXPECT_LT(testing::distance(start, Z.column(0).blocks()), 1e-10 * Z.column(0).norm());
        std::mt19937 rng(7);
        for (Index i = 0; i < r.size(); ++i) r[i] = testing::randomVec3(rng);
        r = (DenseMatrix(r) - A * (Q * DenseMatrix(r))).blocks();
        deflated.applyDot(r, z, pool);
        EXPECT_LT((DenseMatrix(z) - expected * DenseMatrix(r)).norm(), 1e-10 * testing::norm(z));
    }
}

// With particles of every ndof, wholly held aggregates and single particles, the solution is the dense one, for every
// preconditioner that may be deflated, in both systems and by components.
TEST(Deflation, SolvesWhatConstraintsAndPiecesLeave) {
    Sheet sheet(8, 22, 0.4);
    for (Index i = 0; i < 20; ++i) sheet.system.constraints.set({.particle = i});  // holds whole aggregates
    sheet.system.constraints.sort();
    const DenseMatrix expected = sheet.system.denseSolution();
    int deflated = 0;
    for (const testing::NamedMethod& each : testing::allMethods())
        for (const bool decompose : {false, true})
            for (const CoarseVectors vectors : {CoarseVectors::Rigid, CoarseVectors::Translations}) {
                solvers::Method method = each.method;
                method.preconditioner.deflation = Deflation::Aggregates;
                method.preconditioner.coarseVectors = vectors;
                method.preconditioner.aggregateSize = 6;
                method.solver.tolerance = 1e-11;
                method.solver.decompose = decompose;
                if (!each.iterates() || !solvers::findRefusal(method).reason.empty()) continue;
                ++deflated;
                solvers::SolveSummary summary;
                linalg::BlockVector dv;
                WorkerPool pool;
                solvers::makeSolver(method)->solve(sheet.view(), dv, summary, {}, pool);
                EXPECT_EQ(summary.status, solvers::SolveStatus::Converged) << each.name << summary.message;
                EXPECT_LT((dv - expected).norm(), 1e-8 * expected.norm()) << each.name << decompose;
            }
    EXPECT_GT(deflated, 60);
}

// A lagged factor belongs to an earlier matrix; the coarse space belongs to the current one.
TEST(Deflation, IsOfEachMatrixBesideALaggedFactor) {
    Sheet sheet(12, 24);
    WorkerPool pool;
    const auto solver =
        solvers::makeSolver({.tolerance = 1e-10, .warmStart = false}, {.kind = PreconditionerKind::LaggedCholesky,
                                                                       .patience = 1000,
                                                                       .deflation = Deflation::Aggregates,
                                                                       .aggregateSize = 12});
    std::mt19937 rng(25);
    for (int age = 0; age < 3; ++age) {
        solvers::SolveSummary summary;
        linalg::BlockVector dv;
        solver->solve(sheet.view(), dv, summary, {}, pool);
        EXPECT_EQ(summary.status, solvers::SolveStatus::Converged) << age << summary.message;
        EXPECT_EQ(summary.factorAge, age);
        EXPECT_GT(summary.coarseSeconds, 0);
        const DenseMatrix expected = sheet.system.denseSolution();
        EXPECT_LT((dv - expected).norm(), 1e-8 * expected.norm()) << age;
        for (Index i = 0; i < sheet.x.size(); ++i) {
            const Vec3 n = testing::randomVec3(rng);
            sheet.system.A.diagonal(i) += 3 * n * n.transpose();
        }
    }
}

TEST(Deflation, IsRefusedWhereItCannotBe) {
    const auto refused = [](solvers::SolverKind solver, PreconditionerSettings with) {
        with.deflation = Deflation::Aggregates;
        return solvers::findRefusal({{.kind = solver}, with}).key;
    };
    EXPECT_EQ(
        refused(solvers::SolverKind::ReducedPcg, {.kind = PreconditionerKind::MatrixCore, .permute = Permute::Once}),
        "preconditioner.deflation");
    EXPECT_EQ(refused(solvers::SolverKind::Mpcg,
                      {.kind = PreconditionerKind::ConstrainedBlock, .variant = Variant::Published}),
              "preconditioner.deflation");
    EXPECT_EQ(refused(solvers::SolverKind::Mpcg, {.kind = PreconditionerKind::IncompleteCholesky}), "");
}

TEST(Deflation, HasTheSameBitsAtAnyNumberOfThreads) {
    const Sheet sheet(50, 23, 0.02);
    linalg::BlockVector first;
    for (const int threads : {1, 2, 4}) {
        WorkerPool pool(threads, 1);
        solvers::SolveSummary summary;
        linalg::BlockVector dv;
        solvers::makeSolver({.tolerance = 1e-6},
                            {.kind = PreconditionerKind::IncompleteCholesky, .deflation = Deflation::Aggregates})
            ->solve(sheet.view(), dv, summary, {}, pool);
        EXPECT_EQ(summary.status, solvers::SolveStatus::Converged) << summary.message;
        if (threads == 1) first = dv;
        EXPECT_EQ(dv, first) << threads;
    }
}

/// Iterations of conjugate gradients on the system of a step of a scene.
int iterations(const linalg::FrozenSystem& system, const PreconditionerSettings& with, double tolerance) {
    linalg::BlockVector dv;
    const auto summary =
        testing::solveFrozen(system, {.kind = solvers::SolverKind::Mpcg, .tolerance = tolerance}, with, dv);
    EXPECT_EQ(summary.status, solvers::SolveStatus::Converged) << enumKey(with.kind) << summary.message;
    return summary.iterations;
}

// Deflation helps with small tolerances on sheets, and with solids, whose pieces turn.
TEST(Deflation, TakesAwayWhatIsSmooth) {
    if (testing::kRacesAlone || testing::kSanitized) GTEST_SKIP() << "large systems";
    const PreconditionerSettings plain{.kind = PreconditionerKind::IncompleteCholesky};
    PreconditionerSettings rigid = plain, translations = plain;
    rigid.deflation = translations.deflation = Deflation::Aggregates;
    translations.coarseVectors = CoarseVectors::Translations;
    const auto frozen = [](const char* scene, std::initializer_list<const char*> overrides, int step) {
        const auto simulation = testing::simulate(scene, overrides);
        for (int n = 1; n < step; ++n) simulation->step();
        simulation->step({.keepSystem = true});
        return *simulation->systemOfLastStep();
    };
    const auto sheet = frozen(
        "hang", {"cloth.rows=50", "cloth.columns=50", "material.stretch_stiffness=6000", "integrator.dt=0.033"}, 10);
    const int before = iterations(sheet, plain, 1e-6);
    EXPECT_LT(iterations(sheet, rigid, 1e-6), 0.6 * before);
    EXPECT_LT(iterations(sheet, translations, 1e-6), 0.7 * before);
    const auto solid = frozen("liu-frog", {"integrator.kind=linearized-backward-euler"}, 4);
    const int all = iterations(solid, plain, 1e-6);
    EXPECT_LT(iterations(solid, rigid, 1e-6), 0.3 * all);
    EXPECT_GT(iterations(solid, translations, 1e-6), 1.3 * iterations(solid, rigid, 1e-6));
}

}  // namespace
}  // namespace clothlab::preconditioners
