#include <random>

#include "integrators/kind.hpp"
#include "solvers/kind.hpp"
#include "test_world.hpp"

namespace clothlab::integrators {
namespace {

using testing::TestWorld;

TestWorld& shaken(TestWorld& world, unsigned seed = 9) {
    world.grid(8, 8, 0.05);
    std::mt19937 rng(seed);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < 64; ++i) {
        world.state.v[i] = Vec3(normal(rng), normal(rng), normal(rng));
        world.state.x[i] += 0.005 * Vec3(normal(rng), normal(rng), normal(rng));
    }
    return world;
}

double momentumError(solvers::SolverSettings solver, preconditioners::PreconditionerKind with) {
    TestWorld world;
    world.solver = solver;
    world.preconditioner.kind = with;
    shaken(world);
    const Vec3 before = world.momentum();
    const linalg::BlockVector v = world.state.v;
    world.step(IntegratorKind::LinearizedBackwardEuler, 0.01);
    double scale = 0;
    for (Index i = 0; i < 64; ++i) scale += world.model.mass[0] * (world.state.v[i] - v[i]).norm();
    return (world.momentum() - before).norm() / scale;
}

// A direct solve conserves linear momentum, and so do conjugate gradients at any tolerance: the sum of the residual of
// a free body is removed (free_motion.hpp). With only Jacobi the error was 1e-4 of the largest change.
TEST(Conservation, LinearMomentumOfAFreeSheet) {
    using preconditioners::PreconditionerKind;
    const solvers::SolverSettings loose{.kind = solvers::SolverKind::ReducedPcg, .tolerance = 1e-2};
    EXPECT_LT(momentumError({.kind = solvers::SolverKind::Cholesky}, enumNamed<PreconditionerKind>("identity")), 1e-13);
    EXPECT_LT(momentumError(loose, enumNamed<PreconditionerKind>("identity")), 1e-13);
    EXPECT_LT(momentumError(loose, enumNamed<PreconditionerKind>("jacobi")), 1e-13);
}

// Sum m dv = h sum f_ext + sum lambda for any constraints.
TEST(Conservation, MomentumBalanceWithPinsAndGravity) {
    TestWorld world;
    world.environment.gravity = Vec3(0, -9.81, 0);
    shaken(world);
    world.pin(0);
    world.pin(7);
    world.step(IntegratorKind::LinearizedBackwardEuler, 0.01, true);
    const linalg::FrozenSystem& system = *world.outcome.system;
    linalg::BlockVector product(64);
    linalg::multiply(system.A, system.deltaV, product);
    Vec3 change = Vec3::Zero(), lambda = Vec3::Zero(), outside = Vec3::Zero();
    double scale = 0;
    for (Index i = 0; i < 64; ++i) {
        change += world.model.mass[0] * system.deltaV[i];
        lambda += product[i] - system.b[i];
        outside += 0.01 * world.model.mass[0] * world.environment.gravity;
        scale = std::max(scale, world.model.mass[0] * system.deltaV[i].norm());
    }
    EXPECT_GT(lambda.norm(), scale);  // the pins do carry something
    EXPECT_LT((change - outside - lambda).norm(), 1e-10 * scale);
}

// Symplectic Euler with projected damping keeps angular momentum; unprojected damping changes it.
TEST(Conservation, AngularMomentumOfSymplecticEuler) {
    const auto drift = [](cloth::DampingModel model) {
        TestWorld world;
        world.material = {.stretchStiffness = 20,
                          .shearStiffness = 20,
                          .stretchDamping = 0.02,
                          .shearDamping = 0.02,
                          .tensionOnly = false,
                          .bendModel = cloth::BendModel::Linear,
                          .dampingModel = model,
                          .dampGate = cloth::DampGate::Always};
        shaken(world);
        const Vec3 before = world.angularMomentum();
        for (int n = 0; n < 50; ++n) world.step(IntegratorKind::SymplecticEuler, 0.001);
        return (world.angularMomentum() - before).norm() / before.norm();
    };
    EXPECT_LT(drift(cloth::DampingModel::Projected), 1e-13);
    EXPECT_GT(drift(cloth::DampingModel::Unprojected), 0.01);
}

}  // namespace
}  // namespace clothlab::integrators
