#include <random>

#include "integrators/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/yardstick.hpp"
#include "support/dense_matrix.hpp"
#include "test_world.hpp"

namespace clothlab::integrators {
namespace {

using testing::DenseMatrix;
using testing::TestWorld;

contact::Collider floorPlane() {
    contact::Collider plane;
    plane.shape = geometry::Plane{};
    return plane;
}

// A body at rest on a plane is carried with m g n.
TEST(ConstraintForce, ARestingSheetIsCarriedWithItsWeight) {
    for (const auto kind :
         {IntegratorKind::LinearizedBackwardEuler, IntegratorKind::SymplecticEuler, IntegratorKind::ForwardEuler}) {
        TestWorld world;
        world.environment.gravity = Vec3(0, -9.81, 0);
        world.colliders = {floorPlane()};
        world.grid(3, 3, 0.1);
        for (Index i = 0; i < 9; ++i) world.state.x[i][1] = -1e-4;
        for (int n = 0; n < 20; ++n) world.step(kind, 0.01);
        ASSERT_EQ(world.state.contacts.contacts.size(), 9u) << enumKey(kind);
        for (const contact::ParticleContact& c : world.state.contacts.contacts)
            EXPECT_LT((c.force - Vec3(0, 9.81 * world.model.mass[0], 0)).norm(), 1e-10) << enumKey(kind);
    }
}

/// A sheet shaken above the floor, with its lower particles in contact: a system with ndof 2 and 0.
TestWorld& draped(TestWorld& world) {
    world.environment.gravity = Vec3(0, -9.81, 0);
    world.colliders = {floorPlane()};
    world.grid(8, 8, 0.05);
    std::mt19937 rng(3);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < 64; ++i) {
        world.state.x[i][1] = i % 3 == 0 ? -0.001 : 0.01;
        world.state.v[i] = 0.3 * Vec3(normal(rng), -std::abs(normal(rng)), normal(rng));
    }
    world.pin(20);
    return world;
}

// The modified-mass form with W = diag(S_i / m_i) gives MPCG's solution; W = S does not (E-41).
TEST(ConstraintForce, ModifiedMassFormEqualsMpcg) {
    TestWorld world;
    world.solver = {.kind = solvers::SolverKind::Mpcg, .tolerance = 1e-13};
    draped(world).step(IntegratorKind::LinearizedBackwardEuler, 0.01, true);
    const linalg::FrozenSystem& system = *world.outcome.system;
    const DenseMatrix A(system.A), I = DenseMatrix::identity(192), M = world.model.mass[0] * I, dv = system.deltaV;
    DenseMatrix S = I;
    for (const auto& c : system.constraints.constrained()) S.setBlock(c.particle, c.particle, c.S());
    const DenseMatrix W = S / world.model.mass[0];
    linalg::BlockVector z;
    system.constraints.prescribed(z);
    const auto modified = [&](const DenseMatrix& weight) {
        return (I + weight * (A - M)).solve(weight * system.b + z);
    };
    EXPECT_LT((modified(W) - dv).norm(), 1e-10 * dv.norm());
    EXPECT_GT((modified(S) - dv).norm(), 1e-2 * dv.norm());
}

// With tol^2 = c h the error of the constraint force falls with c.
TEST(ConstraintForce, ErrorFallsWithTheTolerance) {
    const auto force = [](double c) {
        TestWorld world;
        world.solver = {
            .kind = solvers::SolverKind::Mpcg, .tolerance = std::sqrt(c * 0.01), .stopping = solvers::Stopping::PNorm};
        world.preconditioner.kind = enumNamed<preconditioners::PreconditionerKind>("constrained-block");
        draped(world).step(IntegratorKind::LinearizedBackwardEuler, 0.01, true);
        linalg::BlockVector lambda;
        WorkerPool pool(1);
        solvers::constraintImpulse(world.outcome.system->view(), world.outcome.system->deltaV, lambda, pool);
        return DenseMatrix(lambda);
    };
    const DenseMatrix exact = force(1e-20);
    const auto error = [&](double c) { return (force(c) - exact).norm() / exact.norm(); };
    EXPECT_GT(error(1.0), error(1e-3));
    EXPECT_GT(error(1e-2), error(1e-4));
    // An error of less than 1 % at c = 1e-6 holds for large drapes; this small one needs a smaller c.
    EXPECT_LT(error(1e-8), 0.01);
}

// A grabbed particle goes where the pointer is, at no more than its speed limit, and keeps its velocity when let go.
TEST(Grab, FollowsThePointerAndKeepsItsVelocity) {
    for (const auto kind : {IntegratorKind::LinearizedBackwardEuler, IntegratorKind::SymplecticEuler}) {
        TestWorld world;
        world.substeps = 0;
        world.grid(5, 5, 0.05);
        const Vec3 start = world.state.x[12];
        world.state.grab = {true, 12, start + Vec3(0, 0.2, 0)};
        world.step(kind, 0.01);
        EXPECT_NEAR((world.state.x[12] - start).norm(), 0.05, 1e-9) << enumKey(kind);  // 5 m/s for 10 ms
        for (int n = 0; n < 10; ++n) world.step(kind, 0.01);
        EXPECT_LT((world.state.x[12] - start - Vec3(0, 0.2, 0)).norm(), 1e-9) << enumKey(kind);
        world.state.grab.target += Vec3(0, 0.03, 0);
        world.step(kind, 0.01);
        const Vec3 v = world.state.v[12];
        if (kind == IntegratorKind::LinearizedBackwardEuler) {
            EXPECT_LT((v - Vec3(0, 3, 0)).norm(), 1e-9);
        }
        world.state.grab = {};
        world.step(kind, 0.0001);
        EXPECT_GT(world.state.v[12][1], 0.5 * v[1]);
    }
}

}  // namespace
}  // namespace clothlab::integrators
