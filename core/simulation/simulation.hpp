#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include "cloth/tearing.hpp"
#include "contact/robust/impact_zone.hpp"
#include "contact/robust/self_contact_picture.hpp"
#include "integrators/stages/candidate_stage.hpp"
#include "linalg/components.hpp"
#include "scene/builder.hpp"
#include "scene/painting.hpp"
#include "simulation/stored_motion.hpp"

namespace clothlab::simulation {

/// One cloth world and the methods that move it. Belongs to one thread; no other thread reads or writes it while a step
/// runs. It depends only on the scene, the settings, the number of threads and the catalogue of the program.
/// Wide on purpose: all access from outside goes through this one interface.
class Simulation {
public:
    /// Builds the world; an Error names the part of the scene that cannot be built.
    /// threads 0 = all hardware threads; `inlineRows` as in WorkerPool (0 = nothing runs inline, for tests).
    static Expected<std::unique_ptr<Simulation>> create(scene::Scene scene, int threads,
                                                        Index inlineRows = WorkerPool::kDefaultInlineRows);
    /// Recreates a simulation from a StoredMotion.
    static Expected<std::unique_ptr<Simulation>> recreate(const StoredMotion& kept, int threads);
    ~Simulation();

    // --- contents
    const scene::Scene& scene() const;              ///< with the active settings
    const scene::Settings& settings() const;        ///< active: those of scene()
    const scene::Settings& loadedSettings() const;  ///< of the scene as loaded
    /// The painting over the scene; scene() has it as regions.
    const scene::Painting& painting() const;
    scene::Scene unpaintedScene() const;
    const cloth::ClothModel& model() const;
    /// The layers of the materials: regions of scene() over its cloths.
    std::span<const scene::MaterialLayers> materialLayers() const;
    std::vector<cloth::MaterialSettings> materials() const;  ///< active, in the model's numbers
    const integrators::SimulationState& state() const;
    std::span<const contact::Collider> colliders() const;
    const History& history() const;
    int threads() const;
    /// Empty, or why the active settings cannot run (a solver and a preconditioner that cannot be combined).
    const std::string& refusal() const;

    // --- between two steps
    /// Takes new settings; positions and velocities carry over. Never resets. Threads too.
    void apply(const scene::Settings& settings);
    /// Pins a particle at its place, or changes what its pin holds and how it moves; nullopt: unpins it.
    void setPin(Index particle, const std::optional<integrators::PinHold>& hold, const mechanics::Motion& motion = {});
    /// Pins, unpins and changes pins until they are those of another state of this scene (copyPins of integrators).
    void copyPins(const integrators::SimulationState& from);
    /// The same from a StoredMotion. An Error, and no change, if that is of another scene.
    Expected<void> copyPins(const StoredMotion& from);
    void setGrab(const integrators::Grab& grab);
    /// Constant forces in addition to those of the scene, from the next step on until others are set. They are not part
    /// of the state: neither the history nor a saved state has them.
    void setOutsideForces(std::span<const cloth::PointForce> forces);
    std::span<const cloth::PointForce> outsideForces() const;
    void setColliderGrab(const integrators::ColliderGrab& grab);
    /// Changes the state between two steps, for an edit without a function here: positions, velocities, broken springs.
    /// The history stays. If positions or velocities jump, `change` must end with forget(state, StateRole::Past): a
    /// two-step method restarts.
    void changeState(const std::function<void(integrators::SimulationState&)>& change);
    /// Throws a ball from a place (m), in place of the previous one, until a restart. It is part of the state and not
    /// of the scene.
    void throwBall(const Vec3& from, const integrators::ThrownBall& ball);
    /// Breaks the springs that the blade goes through now, until a restart. Returns their number.
    Index cut(const cloth::Blade& blade);
    /// Back to the start state; settings and pins stay.
    void restart();
    /// Restores a state of the history: the state, not the settings. False if it is not held.
    bool seek(std::int64_t step);
    /// One state back; false at the oldest.
    bool stepBack();
    void setState(const integrators::SimulationState& state);
    /// The simulation as a value, with the newest states of its history, as many as fit into `historyBytes`.
    StoredMotion keep(std::size_t historyBytes = StoredMotion::kHistoryBytes) const;
    /// Returns to a StoredMotion of this scene: state, settings, painting, history. The pointer lets go. An Error, and
    /// no change, if it is of another scene.
    Expected<void> restoreMotion(const StoredMotion& kept);
    /// Lays a painting over the scene's own regions, in place of the last one: masses and springs have the new
    /// materials from the next step on, positions and velocities carry over. scene() has it. An Error, and no change,
    /// if it names a particle out of range.
    Expected<void> paint(const scene::Painting& painting);
    /// Adds a stage that acts on every candidate from now on, after those added before.
    void addStage(std::unique_ptr<integrators::CandidateStage> stage);
    /// From now on a method with its own factor has new ones made on another thread and continues with the old one
    /// meanwhile; the adopting step depends on the clock, and is in the reports (factorAdopted, factorAge).
    void makeFactorsInBackground();
    /// Limits the history to this many bytes of states, but at least the last two.
    void limitHistory(std::size_t bytes);

    // --- a step
    struct StepOptions {
        std::stop_token stop = {};
        solvers::Observer observer = {};
        integrators::IterateObserver observeIterate = {};
        bool keepSystem = false;  ///< systemOfLastStep() afterwards
        bool hash = true;         ///< compute the state hash for the report
        integrators::FactorAdoption adoption = integrators::FactorAdoption::WhenReady;  ///< set by a replay
    };
    /// From state() to the next one. If the step diverges or its solve fails, the last good state stays, and the report
    /// says what happened and what to change. Continuing from the past drops what came after.
    const StepReport& step(const StepOptions& options);
    const StepReport& step() { return step(StepOptions{}); }

    // --- data of the last step (scratch, for overlays and plots)
    const StepReport& lastReport() const;
    const solvers::SolveSummary& lastSolve() const;
    const linalg::FrozenSystem* systemOfLastStep() const;
    /// The same to keep: it is immutable, and later steps fill others. Methods with one linear solve per step copy no
    /// matrix for it.
    std::shared_ptr<const linalg::FrozenSystem> sharedSystem() const;
    /// Springs that tore in the last step, regardless of later changes of the state; 0 if it failed.
    Index tornInLastStep() const;
    /// Whether springs of any material tear.
    bool tears() const;
    /// Flags of cloth::kSpringActive / kSpringImplicit per spring, and strains, at the current state.
    void springStates(std::vector<std::uint8_t>& out) const;
    void springStrains(std::vector<float>& out) const;
    /// |S(b - A dv)| of each particle after the last solve, times sqrt(#P) / |b^|: its mean square is that of the true
    /// relative residual. Empty if the current state has no solve (the start, a jump, an explicit method).
    void residuals(std::vector<float>& out) const;
    /// Degrees of freedom, 0..3, that pins, the pointer and contact leave to each particle.
    void ndofs(std::vector<std::uint8_t>& out) const;
    /// Components of the implicit graph of the last step, whether or not the solver used them; with an explicit method
    /// each movable particle is one. False if the current state has no step (the start, a jump).
    bool components(linalg::Components& out) const;
    /// The results of self-contact in the last step. False if the current state is not of a step with it (the start, a
    /// jump, another setting), or if the last attempt failed.
    bool selfContact(contact::SelfContactPicture& out) const;
    /// The zones that contact made rigid in the last step.
    std::span<const contact::ImpactZone> impactZones() const;
    /// The step limit of the explicit part, s; that of symplectic Euler if the integrator has none (sum test).
    double explicitLimit() const;

private:
    Simulation();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clothlab::simulation
