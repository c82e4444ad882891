#include "experiments/systems/sparsity.hpp"

#include "linalg/constrained_matrix.hpp"
#include "linalg/reduced_system.hpp"
#include "simulation/scenes.hpp"

namespace clothlab::experiments {
namespace {

linalg::FrozenSystem draped() {
    const auto simulation = testing::simulate("drape-sphere", {"cloth.rows=11", "cloth.columns=11"});
    for (int k = 1; k < 80; ++k) simulation->step();
    simulation->step({.keepSystem = true});
    return *simulation->systemOfLastStep();
}

/// The blocks as a dense table of kinds + 1; 0 = none.
Eigen::MatrixXi table(const Sparsity& s) {
    Eigen::MatrixXi out = Eigen::MatrixXi::Zero(s.places(), s.places());
    for (Index i = 0; i < s.places(); ++i)
        for (std::size_t k = s.rowStart[i]; k < s.rowStart[i + 1]; ++k) out(i, s.column[k]) = int(s.kind[k]) + 1;
    return out;
}

// Against the matrices themselves: a block is occupied where it is not zero.
TEST(Sparsity, ShowsWhatTheMatricesHold) {
    const linalg::FrozenSystem system = draped();
    WorkerPool pool;
    linalg::BlockMatrix constrained;
    linalg::constrainedMatrix(system.A, system.constraints, constrained, pool);
    linalg::ReducedSystem reduced;
    reduced.build(system.view(), pool);
    ASSERT_LT(reduced.rows(), system.A.rows()) << "nothing is held";
    const auto check = [](const Sparsity& s, const linalg::BlockMatrix& matrix, bool permuted) {
        const Eigen::MatrixXi kinds = table(s);
        for (Index i = 0; i < matrix.rows(); ++i)
            for (Index k = matrix.pattern().rowStart[i]; k < matrix.pattern().rowStart[i + 1]; ++k) {
                const Index j = matrix.pattern().column[k];
                const bool there = i == j || (matrix.occupied(k) && matrix.block(k).norm() > 0);
                const int kind = kinds(permuted ? s.place[i] : i, permuted ? s.place[j] : j);
                EXPECT_EQ(kind > 1, there) << i << " " << j;  // 1 = slack
            }
    };
    for (const EnumEntry& ordering : enumTable(factors::Ordering{})) {
        const auto in = factors::Ordering(ordering.value);
        check(sparsity(system, SparsityOf::Matrix, in), system.A, true);
        check(sparsity(system, SparsityOf::Constrained, in), constrained, true);
    }
    check(sparsity(system, SparsityOf::Reduced, factors::Ordering::Natural), reduced.matrix(), false);
    const Sparsity core = sparsity(system, SparsityOf::Core, factors::Ordering::Natural);
    EXPECT_GT(core.occupied, std::size_t(system.A.rows()));
    EXPECT_LT(core.occupied, sparsity(system, SparsityOf::Matrix, factors::Ordering::Natural).occupied);
    const Sparsity ic = sparsity(system, SparsityOf::IncompleteFactor, factors::Ordering::Amd);
    const Sparsity whole = sparsity(system, SparsityOf::Matrix, factors::Ordering::Amd);
    EXPECT_EQ(2 * ic.occupied - std::size_t(system.A.rows()), whole.occupied);
}

// Blocks of touching layers are a kind of their own, in the core and in the matrix.
TEST(Sparsity, ShowsContactWithinTheSolve) {
    const auto simulation =
        testing::simulate("stack", {"cloth.rows=7", "cloth.columns=7", "contact.solve=within", "solver.kind=cholesky"});
    for (int k = 1; k < 40; ++k) simulation->step();
    simulation->step({.keepSystem = true});
    const linalg::FrozenSystem& system = *simulation->systemOfLastStep();
    const auto among = [&](SparsityOf of) {
        return std::ranges::count(sparsity(system, of, factors::Ordering::Natural).kind, BlockKind::Contact);
    };
    EXPECT_GT(among(SparsityOf::Matrix), 50);
    EXPECT_EQ(among(SparsityOf::Core), among(SparsityOf::Matrix));
    for (Index i = 0; i < system.A.rows(); ++i)
        for (Index k = system.A.pattern().rowStart[i]; k < system.A.pattern().rowStart[i + 1]; ++k)
            if (i / 49 != system.A.pattern().column[k] / 49) {
                EXPECT_EQ(system.core.offDiagonal[k], linalg::CoreMask::kContact) << "between two sheets";
            }
}

// Figure 6.2: apart from slack springs and held particles, no occupied block joins two components.
TEST(Sparsity, ByComponentsIsBlockDiagonal) {
    const auto simulation = testing::simulate(
        "drape-table",
        {"cloth.rows=13", "cloth.columns=13", "integrator.kind=adaptive-imex", "contact.mu_s=1.2", "contact.mu_k=1.2"});
    for (int k = 1; k < 41; ++k) simulation->step();
    simulation->step({.keepSystem = true});
    const linalg::FrozenSystem& system = *simulation->systemOfLastStep();
    linalg::Components components;
    ASSERT_TRUE(simulation->components(components));
    const Sparsity s = sparsity(system, SparsityOf::Matrix, factors::Ordering::Amd, true);
    ASSERT_EQ(Index(s.componentStart.size()), components.count() + 1);
    ASSERT_GT(components.count(), 1) << "nothing has fallen apart";
    EXPECT_EQ(s.componentStart[1], components.size(components.largest()));
    const auto blockAt = [&](Index place) {
        return std::upper_bound(s.componentStart.begin(), s.componentStart.end(), place) - s.componentStart.begin();
    };
    for (Index i = 0; i < s.componentStart.back(); ++i)
        for (std::size_t k = s.rowStart[i]; k < s.rowStart[i + 1]; ++k)
            if (s.kind[k] != BlockKind::Slack && s.column[k] < s.componentStart.back()) {
                EXPECT_EQ(blockAt(i), blockAt(s.column[k])) << i << " " << s.column[k];
            }
    for (Index i = s.componentStart.back(); i < s.places(); ++i) EXPECT_EQ(system.constraints.ndof(s.particle[i]), 0);
}

TEST(Sparsity, WithAnExplicitMethodEachParticleIsAComponent) {
    const auto simulation =
        testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9", "integrator.kind=symplectic-euler"});
    linalg::Components components;
    ASSERT_TRUE(simulation->components(components));
    EXPECT_EQ(components.count(), 81 - Index(simulation->state().pins.size()));
    EXPECT_EQ(components.size(components.largest()), 1);
    const auto implicit = testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    EXPECT_FALSE(implicit->components(components)) << "the start has no step";
    implicit->step();
    ASSERT_TRUE(implicit->components(components));
    EXPECT_EQ(components.count(), 1);
    implicit->stepBack();
    EXPECT_FALSE(implicit->components(components));
}

// Compared with a brute-force elimination of booleans.
TEST(Sparsity, TheFactorHasWhatEliminationFills) {
    const linalg::FrozenSystem system = draped();
    for (const auto ordering : {factors::Ordering::Natural, factors::Ordering::Metis, factors::Ordering::Amd}) {
        const Sparsity s = sparsity(system, SparsityOf::Factor, ordering);
        Eigen::MatrixXi full = (table(sparsity(system, SparsityOf::Matrix, ordering)).array() > 1).cast<int>();
        const Eigen::MatrixXi original = full;
        const Index n = s.places();
        for (Index k = 0; k < n; ++k)
            for (Index i = k + 1; i < n; ++i)
                if (full(i, k))
                    for (Index j = k + 1; j < n; ++j) full(i, j) |= full(k, j);
        const Eigen::MatrixXi kinds = table(s);
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) {
                EXPECT_EQ(kinds(i, j) > 0, j <= i && full(i, j) > 0) << i << " " << j;
                if (kinds(i, j) == 0) continue;
                EXPECT_EQ(kinds(i, j) == int(BlockKind::Fill) + 1, original(i, j) == 0);
            }
    }
}

}  // namespace
}  // namespace clothlab::experiments
