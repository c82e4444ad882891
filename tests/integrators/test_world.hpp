#pragma once

#include <gtest/gtest.h>

#include "integrators/integrator.hpp"
#include "integrators/methods/explicit_springs.hpp"
#include "solvers/kind.hpp"
#include "support/sanitizers.hpp"

/// A model with its force model and one integrator, stepped without scene or simulation.
namespace clothlab::testing {

struct TestWorld {
    cloth::ClothModel model;
    cloth::MaterialSettings material;
    cloth::ForceModel forces;
    cloth::Environment environment;
    contact::ContactSettings contact;
    integrators::GrabSettings grab;
    solvers::SolverSettings solver{.kind = solvers::SolverKind::Cholesky};
    preconditioners::PreconditionerSettings preconditioner;
    std::vector<contact::Collider> colliders;
    integrators::SimulationState state;
    integrators::StepOutcome outcome;
    integrators::IntegratorSettings integrator;  ///< of the step, except kind and dt
    int substeps = 1;
    WorkerPool pool;
    integrators::IterateObserver observeIterate;

    explicit TestWorld(int threads = 1);
    ~TestWorld();

    /// Flat grid in the x-z plane with the given spacing; pins and start velocities are up to the test.
    void grid(int rows, int columns, double spacing, cloth::Topology topology = cloth::Topology::Provot12);

    /// Two particles on the x axis and one stretch spring of rest length 1 m; the first one is pinned.
    void oscillator(double mass, double stretch);

    void begin(const linalg::BlockVector& x);
    void pin(Index particle);

    /// The context of a step of this kind; valid until the next call.
    integrators::StepContext context(integrators::IntegratorKind kind, double dt);
    integrators::StepStatus step(integrators::IntegratorKind kind, double dt, bool keepSystem = false);

    cloth::ForceModel::Energies energies();
    Vec3 momentum() const;
    Vec3 angularMomentum() const;

private:
    std::unique_ptr<solvers::Solver> linear_;
};

}  // namespace clothlab::testing
