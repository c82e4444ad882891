#include "test_world.hpp"

namespace clothlab::testing {

/// Nothing runs inline: the small worlds of tests would otherwise use one thread.
TestWorld::TestWorld(int threads) : pool(threads, 0) { environment.gravity.setZero(); }

TestWorld::~TestWorld() = default;

void TestWorld::grid(int rows, int columns, double spacing, cloth::Topology topology) {
    const geometry::GridPatch patch{rows, columns};
    linalg::BlockVector x(patch.vertices());
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) x[patch.vertex(r, c)] = Vec3(c * spacing, 0, r * spacing);
    cloth::appendGrid(model, patch, topology, spacing, x, material);
    begin(x);
}

void TestWorld::oscillator(double mass, double stretch) {
    linalg::BlockVector x(2);
    x[1] = Vec3(stretch, 0, 0);
    model.patches.push_back({.particles = 2, .spacing = 1.0});
    model.mass = {mass, mass};
    model.material = {0, 0};
    model.restArea = {0, 0};
    model.rest = x;
    model.springs = {{0, 1, 1.0, cloth::SpringFamily::Stretch, 0}};
    begin(x);
    state.pins = {{0, Vec3::Zero()}};
}

void TestWorld::begin(const linalg::BlockVector& x) {
    state.x = x;
    state.v.resize(x.size());
    state.deltaV = {};
}

void TestWorld::pin(Index particle) { state.pins.push_back({.particle = particle, .place = state.x[particle]}); }

integrators::StepContext TestWorld::context(integrators::IntegratorKind kind, double dt) {
    integrator.kind = kind;
    forces.configure(model, std::vector{material}, integrators::chooseSplit(integrator));
    linear_ = solvers::makeSolver(solver, preconditioner);
    environment.time = state.time;
    return {.dt = dt,
            .model = model,
            .forces = forces,
            .environment = environment,
            .colliders = colliders,
            .contact = contact,
            .grab = grab,
            .substeps = substeps,
            .solver = linear_.get(),
            .control = {},
            .pool = pool,
            .observeIterate = observeIterate};
}

integrators::StepStatus TestWorld::step(integrators::IntegratorKind kind, double dt, bool keepSystem) {
    integrators::StepContext context = this->context(kind, dt);
    context.keepSystem = keepSystem;
    const auto method = integrators::makeIntegrator(integrator);
    integrators::SimulationState next;
    outcome = {};
    method->step(state, context, next, outcome);
    if (outcome.status != integrators::StepStatus::SolveFailed) state = std::move(next);
    return outcome.status;
}

cloth::ForceModel::Energies TestWorld::energies() { return forces.energies(environment, state.x, state.v, pool); }

Vec3 TestWorld::momentum() const {
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < state.v.size(); ++i) sum += model.mass[i] * state.v[i];
    return sum;
}

Vec3 TestWorld::angularMomentum() const {
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < state.v.size(); ++i) sum += model.mass[i] * Vec3(state.x[i]).cross(Vec3(state.v[i]));
    return sum;
}

}  // namespace clothlab::testing
