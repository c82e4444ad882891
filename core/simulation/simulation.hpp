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
#include "simulation/kept.hpp"

namespace clothlab::simulation {

/// One cloth world and the methods that move it. Belongs to one thread; nothing outside that thread reads or writes it
/// while a step runs. The scene, the settings, the number of threads and the
/// catalogue of the program are all it knows.
/// Wide on purpose: all that is outside asks through this one interface.
class Simulation {
public:
    /// Builds the world; an Error says what in the scene cannot be built.
    /// threads 0 = all of the machine; `inlineRows` as in WorkerPool (0 = nothing runs inline, for tests).
    static Expected<std::unique_ptr<Simulation>> create(scene::Scene scene, int threads,
                                                        Index inlineRows = WorkerPool::kDefaultInlineRows);
    /// The same simulation anew, from what was kept of it.
    static Expected<std::unique_ptr<Simulation>> recreate(const Kept& kept, int threads);
    ~Simulation();

    // --- what is there
    const scene::Scene& scene() const;              ///< with the active settings
    const scene::Settings& settings() const;        ///< active: those of scene()
    const scene::Settings& loadedSettings() const;  ///< that the scene came with
    /// What was painted over the scene; scene() has it as regions.
    const scene::Painting& painting() const;
    scene::Scene unpaintedScene() const;
    const cloth::ClothModel& model() const;
    /// What the materials are made of: regions of scene() over its cloths.
    std::span<const scene::MaterialLayers> materialLayers() const;
    std::vector<cloth::MaterialSettings> materials() const;  ///< active, in the model's numbers
    const integrators::SimulationState& state() const;
    std::span<const contact::Collider> colliders() const;
    const History& history() const;
    int threads() const;
    /// Empty, or why the active settings cannot run (a solver and a preconditioner that do not go together).
    const std::string& refusal() const;

    // --- between two steps
    /// Takes new settings; positions and velocities carry over. Never resets. Threads too.
    void apply(const scene::Settings& settings);
    /// Pins a particle where it is, or changes what its pin holds and how it moves; none: unpins it.
    void setPin(Index particle, const std::optional<integrators::PinHold>& hold, const mechanics::Motion& motion = {});
    /// Pins, unpins and changes pins until they are those of another state of this scene (takePins of integrators).
    void takePins(const integrators::SimulationState& from);
    /// The same, from what was kept. An Error, and no change, where that is of another scene.
    Expected<void> takePins(const Kept& from);
    void setGrab(const integrators::Grab& grab);
    /// Constant forces beside those of the scene, from the next step on until others are set. They are no part of the
    /// state: neither the history nor a saved state has them.
    void setOutsideForces(std::span<const cloth::PointForce> forces);
    std::span<const cloth::PointForce> outsideForces() const;
    void setColliderGrab(const integrators::ColliderGrab& grab);
    /// Changes the state between two steps, for an edit that has no function here: positions, velocities, what is
    /// broken. The history stays. Where positions or velocities jump, `change` ends with
    /// forget(state, Memory::Past): a method of two steps starts anew.
    void changeState(const std::function<void(integrators::SimulationState&)>& change);
    /// Throws a ball from a place (m), in place of the one before, until a restart. It is part of the state and not of
    /// the scene.
    void throwBall(const Vec3& from, const integrators::ThrownBall& ball);
    /// Breaks the springs that the blade goes through now, until a restart. Returns how many.
    Index cut(const cloth::Blade& blade);
    /// Back to the start state; settings and pins stay.
    void restart();
    /// Restores a state of the history: the state, not the settings. False when it is not held.
    bool seek(std::int64_t step);
    /// One state back; false at the oldest.
    bool stepBack();
    void setState(const integrators::SimulationState& state);
    /// All of it as a value, with the newest states of its history, as many as so many bytes hold.
    Kept keep(std::size_t historyBytes = Kept::kHistoryBytes) const;
    /// Becomes again what was kept of this scene: state, settings, painting, history. What the pointer held is let go.
    /// An Error, and no change, where it is of another scene.
    Expected<void> takeBack(const Kept& kept);
    /// Lays a painting over the scene's own regions, in place of the last one: masses and springs are of the new
    /// materials from the next step on, positions and velocities carry over. scene() has it. An Error, and no change,
    /// when it names a particle that there is not.
    Expected<void> paint(const scene::Painting& painting);
    /// Acts on every candidate from now on, after those that were added before.
    void addStage(std::unique_ptr<integrators::CandidateStage> stage);
    /// From now on a method with a factor of its own has new ones made on another thread and goes on with the old one
    /// meanwhile; which steps do depends on the clock, and is in their reports (factorAdopted, factorAge).
    void makeFactorsInBackground();
    /// From now on the history holds states of at most so many bytes, and always the last two.
    void limitHistory(std::size_t bytes);

    // --- a step
    struct StepOptions {
        std::stop_token stop = {};
        solvers::Observer observer = {};
        integrators::IterateObserver observeIterate = {};
        bool keepSystem = false;  ///< systemOfLastStep() afterwards
        bool hash = true;         ///< compute the state hash for the report
        integrators::FactorAdoption adoption = integrators::FactorAdoption::WhenReady;  ///< a replay says which
    };
    /// From state() to the next one. When the step diverges or its solve fails, the last good state stays, and the
    /// report says what happened and what to change. Playing on from the past drops what came after.
    const StepReport& step(const StepOptions& options);
    const StepReport& step() { return step(StepOptions{}); }

    // --- what the last step left behind (scratch, for overlays and plots)
    const StepReport& lastReport() const;
    const solvers::SolveSummary& lastSolve() const;
    const linalg::FrozenSystem* systemOfLastStep() const;
    /// The same to keep: it does not change, and later steps fill others. No matrix is copied for it by a method with
    /// one linear solve a step.
    std::shared_ptr<const linalg::FrozenSystem> sharedSystem() const;
    /// Springs that tore in the last step, whatever became of the state since; 0 where it failed.
    Index tornInLastStep() const;
    /// Whether springs of any material tear.
    bool tears() const;
    /// Flags of cloth::kSpringActive / kSpringImplicit per spring, and strains, at the present state.
    void springStates(std::vector<std::uint8_t>& out) const;
    void springStrains(std::vector<float>& out) const;
    /// |S(b - A dv)| of each particle after the last solve, times sqrt(#P) / |b^|: the mean square is that of the true
    /// relative residual. Empty when the state shown has no solve (the start, a jump, an explicit method).
    void residuals(std::vector<float>& out) const;
    /// Degrees of freedom, 0..3, that pins, the pointer and contact leave to each particle.
    void ndofs(std::vector<std::uint8_t>& out) const;
    /// Components of the implicit graph of the last step, whether or not the solver made use of them; with an explicit
    /// method each particle that can move is one. False when the state shown has no step (the start, a jump).
    bool components(linalg::Components& out) const;
    /// What contact of the cloth with itself did in the last step. False when the state shown is not of a step that had
    /// it (the start, a jump, another setting), or when the last attempt failed.
    bool selfContact(contact::SelfContactPicture& out) const;
    /// Those that contact of the last step has made rigid.
    std::span<const contact::ImpactZone> impactZones() const;
    /// The step limit of the explicit part, s; of symplectic Euler where the integrator has none (sum test).
    double explicitLimit() const;

private:
    Simulation();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clothlab::simulation
