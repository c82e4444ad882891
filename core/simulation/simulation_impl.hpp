#pragma once

#include "factors/factor_maker.hpp"
#include "integrators/stages/candidate_stage.hpp"
#include "integrators/stages/layer_repeats.hpp"
#include "integrators/stages/particle_pairs.hpp"
#include "simulation/guard.hpp"
#include "simulation/simulation.hpp"

namespace clothlab::integrators {
class SelfCollisionStage;
}

/// The data of a simulation, for its own sources only: simulation.cpp (steps), simulation_pictures.cpp (overlays).
namespace clothlab::simulation {

struct Simulation::Impl {
    scene::Scene scene;                       // with the active settings
    scene::Settings loaded;                   // that it came with
    std::size_t ownSets = 0, ownRegions = 0;  // of the scene, before what was painted
    scene::Painting painting;
    SettingsOfStep ofLastStep;  // as the history has them
    scene::World world;
    cloth::ForceModel forces;
    std::vector<cloth::PointForce> pointForces;  // of the scene, then those from outside
    integrators::ParticlePairs pairs;            // of a state whose energy is asked for
    integrators::SimulationState state, candidate;
    std::unique_ptr<factors::FactorMaker> factorMaker;  // null: factors are made in the step that needs them
    std::unique_ptr<integrators::Integrator> integrator;
    std::vector<std::unique_ptr<integrators::CandidateStage>> stages;  // in the order in which they act
    integrators::SelfCollisionStage* selfCollision = nullptr;          // one of them
    integrators::LayerRepeats layerRepeats;
    std::unique_ptr<solvers::Solver> solver;
    std::unique_ptr<WorkerPool> pool;
    std::vector<double> tearStrains;  // of each material
    Index torn = 0;                   // springs that tore in the last step
    History history;
    StepReport report;
    integrators::StepOutcome outcome;
    std::string refusal;
    int defaultThreads = 1;
    Index inlineRows = WorkerPool::kDefaultInlineRows;

    double dt = 0;          // s, of the last step
    int overstretched = 0;  // steps in a row in which a spring was too long
    int rejected = 0;       // attempts before it, longer ones

    void configureForces();
    void configureMethods(bool integratorChanged, bool solverChanged);
    void configurePool();
    cloth::Environment environment() const;
    void judgeContact();
    void solveAndCollide(integrators::StepContext& context, const std::vector<Vec3>& shifts);
    void runIntegrator(const StepOptions& options, const contact::ContactSettings& contact);
    cloth::ForceModel::Energies attempt(const StepOptions& options, const contact::ContactSettings& contact);
    cloth::ForceModel::Energies attemptWithoutRepeats(const StepOptions& options);
    bool usesLayerForces() const;
    cloth::ForceModel::Energies attemptWithoutLayerForces(const StepOptions& options);
    cloth::ForceModel::Energies computeEnergies(const integrators::SimulationState& at);
    void adoptState(const integrators::SimulationState& to);
    void tearOverstretched(cloth::ForceModel::Energies& energies);
    bool stoppedByUser() const;
    bool failed(const cloth::ForceModel::Energies& energies) const;
    std::string cure() const { return suggestCure(scene.settings.integrator, forces); }
    double explicitLimit() const;
    void fillReport(const cloth::ForceModel::Energies& energies, double stepSeconds, bool hash);
    void describePresent();
    void watchStrain(double before);
};

}  // namespace clothlab::simulation
