#include <gtest/gtest.h>

#include "method_pairs.hpp"
#include "preconditioners/kind.hpp"
#include "records/positions_file.hpp"
#include "scenes.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"
#include "support/random_systems.hpp"

namespace clothlab::simulation {
namespace {

/// A system of the irregular disc while it lies on the ball, with pins, sliding and sticking contacts.
linalg::FrozenSystem frozenDisc() {
    const auto simulation = testing::simulate("disc", {"preconditioner.kind=matrix-core"});
    for (int n = 1; n < 60; ++n) simulation->step();
    simulation->step({.keepSystem = true});
    return *simulation->systemOfLastStep();
}

TEST(Disc, EverySolverAndPreconditionerAgreesWithTheDenseSolution) {
    if (testing::kSanitized) GTEST_SKIP() << "a dense factor of 1800 unknowns";
    const linalg::FrozenSystem system = frozenDisc();
    int fixed = 0, sliding = 0;
    for (const auto& c : system.constraints.constrained()) ++(c.ndof == 0 ? fixed : sliding);
    EXPECT_GT(fixed, 3);
    EXPECT_GT(sliding, 3) << "the system has to include sliding contacts";
    const testing::DenseMatrix expected = testing::RandomSystem{system.A, system.b, system.constraints}.denseSolution();
    testing::solveByEveryMethod(system, 1e-13, [&](const std::string& words, const linalg::BlockVector& dv) {
        EXPECT_LT((dv - expected).norm(), 1e-10 * expected.norm()) << words;
    });
}

TEST(Disc, IncompleteCholeskyTakesFewerIterationsThanBlockJacobi) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const linalg::FrozenSystem system = frozenDisc();
    const auto count = [&](preconditioners::PreconditionerKind kind) {
        linalg::BlockVector dv;
        const auto summary =
            testing::solveFrozen(system, {.kind = solvers::SolverKind::Mpcg, .tolerance = 1e-6}, {.kind = kind}, dv);
        EXPECT_EQ(summary.status, solvers::SolveStatus::Converged) << enumKey(kind);
        return summary.iterations;
    };
    using enum preconditioners::PreconditionerKind;
    const int incomplete = count(IncompleteCholesky), ssor = count(Ssor), block = count(BlockJacobi);
    EXPECT_LT(2 * incomplete, block);
    EXPECT_LT(ssor, block);
    EXPECT_LT(count(MatrixCore), block);
}

// Every edge is a stretch spring: the core has them all, and nothing of shear.
TEST(Disc, TheCoreHasTheEdges) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const linalg::FrozenSystem system = frozenDisc();
    const auto simulation = testing::simulate("disc");
    int core = 0;
    for (const std::uint8_t bits : system.core.offDiagonal) {
        core += (bits & linalg::CoreMask::kCore) != 0;
        EXPECT_EQ(bits & linalg::CoreMask::kShear, 0);
    }
    EXPECT_EQ(core, 2 * Index(simulation->model().edges.size()) + simulation->model().particles());
}

TEST(Disc, TheSameBitsOnAnyNumberOfThreads) {
    const auto one = testing::simulate("disc", {}, 1, 0), four = testing::simulate("disc", {}, 4, 0);
    for (int n = 0; n < 40; ++n) {
        one->step();
        four->step();
    }
    EXPECT_EQ(integrators::stateHash(one->state()), integrators::stateHash(four->state()));
}

// A file of positions has the points in the order of the mesh file, so that its faces fit.
TEST(Disc, PositionsAreWrittenInTheOrderOfTheFile) {
    const auto simulation = testing::simulate("disc", {"cloth.noise=0"});
    const std::string npy = records::stateNpy(simulation->state(), simulation->model());
    const std::vector<Vec3>& points = simulation->scene().cloths[0].mesh.content->points;
    const std::size_t header = npy.size() - 6 * sizeof(double) * points.size();
    for (std::size_t i = 0; i < points.size(); ++i) {
        double x[3];
        std::memcpy(x, npy.data() + header + i * sizeof x, sizeof x);
        EXPECT_LT((Vec3(x[0], x[1], x[2]) - points[i] - simulation->scene().cloths[0].origin).norm(), 1e-12) << i;
    }
}

TEST(Disc, EveryIntegratorTakesIt) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const EnumEntry& kind : enumTable(integrators::IntegratorKind{})) {
        const std::string set = "integrator.kind=" + std::string(kind.key);
        const auto simulation = testing::simulate(
            "disc",
            {set.c_str(), "integrator.dt=0.001", "material.particle_mass=0.01", "material.stretch_stiffness=10"});
        StepReport report;
        for (int n = 0; n < 5; ++n) report = simulation->step();
        EXPECT_FALSE(integrators::hasFailed(report.status)) << kind.key << ": " << report.message;
    }
}

}  // namespace
}  // namespace clothlab::simulation
