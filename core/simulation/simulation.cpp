#include <fmt/format.h>

#include <algorithm>

#include "base/platform.hpp"
#include "base/stage_timer.hpp"
#include "cloth/sewing.hpp"
#include "integrators/methods/explicit_springs.hpp"
#include "integrators/schedule.hpp"
#include "integrators/stages/energy_budget.hpp"
#include "integrators/stages/holding_pins.hpp"
#include "integrators/stages/self_collision_stage.hpp"
#include "integrators/stages/solid_projection.hpp"
#include "integrators/stages/welding.hpp"
#include "integrators/traits.hpp"
#include "simulation/simulation_impl.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::simulation {

using integrators::StepStatus;

void Simulation::Impl::configurePool() {
    const int threads = scene.settings.threads > 0 ? scene.settings.threads : defaultThreads;
    if (!pool || pool->threads() != threads) pool = std::make_unique<WorkerPool>(threads, inlineRows);
}

void Simulation::Impl::configureForces() {
    std::vector<cloth::MaterialSettings> materials = scene::makeMaterials(world.materials, scene);
    // Slack springs in the matrix are a stay of a linear step; a Hessian has none.
    if (integrators::traitsFor(scene.settings.integrator.kind).minimizes)
        for (cloth::MaterialSettings& m : materials) m.jacSlack = false;
    cloth::applyMaterials(*world.model, materials);
    forces.configure(*world.model, materials, integrators::chooseSplit(scene.settings.integrator));
    forces.setBroken(state.brokenSprings);
    tearStrains.resize(materials.size());
    std::ranges::transform(materials, tearStrains.begin(), &cloth::MaterialSettings::tearStrain);
}

void Simulation::Impl::adoptState(const integrators::SimulationState& to) {
    state = to;
    overstretched = 0;
    forces.setBroken(state.brokenSprings);
    integrators::fitBalls(state, scene.colliders.size(), world.colliders);
    integrators::placeColliders(state, world.colliders);
}

/// Tears the candidate, which has been accepted.
void Simulation::Impl::tearOverstretched(cloth::ForceModel::Energies& energies) {
    torn = cloth::breakOverstretched(*world.model, tearStrains, candidate.x, candidate.brokenSprings);
    if (torn == 0) return;
    forces.setBroken(candidate.brokenSprings);
    energies = computeEnergies(candidate);
}

void Simulation::Impl::configureMethods(bool integratorChanged, bool solverChanged) {
    if (integratorChanged && !(integrator && integrator->take(scene.settings.integrator)))
        integrator = integrators::makeIntegrator(scene.settings.integrator);
    if (solverChanged) solver = solvers::makeSolver({scene.settings.solver, scene.settings.preconditioner});
    refusal = scene::findFault(scene.settings).message;
}

cloth::Environment Simulation::Impl::environment() const {
    return {.gravity = scene.settings.gravity,
            .wind = scene.settings.wind,
            .pointForces = pointForces,
            .anchors = {},
            .time = state.time};
}

Simulation::Simulation() : impl_(std::make_unique<Impl>()) {}
Simulation::~Simulation() = default;

Expected<std::unique_ptr<Simulation>> Simulation::create(scene::Scene scene, int threads, Index inlineRows) {
    if (auto done = scene::makeSolids(scene); !done) return fail(done.error());
    auto world = scene::buildWorld(scene);
    if (!world) return fail(world.error());
    std::unique_ptr<Simulation> simulation(new Simulation());
    Impl& m = *simulation->impl_;
    m.scene = std::move(scene);
    m.ownSets = m.scene.sets.size();
    m.ownRegions = m.scene.regions.size();
    m.loaded = m.scene.settings;
    m.world = std::move(*world);
    m.pointForces = m.world.pointForces;
    m.state = m.world.start;
    m.defaultThreads = threads > 0 ? threads : platform::hardwareThreads();
    m.inlineRows = inlineRows;
    m.configurePool();
    m.configureForces();
    m.configureMethods(true, true);
    m.stages.push_back(std::make_unique<integrators::SolidProjectionStage>());
    m.stages.push_back(std::make_unique<integrators::StrainLimitStage>());
    m.stages.push_back(std::make_unique<integrators::WeldingStage>(integrators::Welds::Places));
    auto selfCollision = std::make_unique<integrators::SelfCollisionStage>();
    m.selfCollision = selfCollision.get();
    m.stages.push_back(std::move(selfCollision));
    m.stages.push_back(std::make_unique<integrators::EnergyBudgetStage>());
    m.stages.push_back(std::make_unique<integrators::RigidDragStage>());
    m.stages.push_back(std::make_unique<integrators::WeldingStage>(integrators::Welds::Velocities));
    m.describePresent();
    m.history.push(m.state, m.report);
    return simulation;
}

const scene::Scene& Simulation::scene() const { return impl_->scene; }
const scene::Painting& Simulation::painting() const { return impl_->painting; }
const scene::Settings& Simulation::settings() const { return impl_->scene.settings; }
const scene::Settings& Simulation::loadedSettings() const { return impl_->loaded; }
std::vector<cloth::MaterialSettings> Simulation::materials() const {
    return scene::makeMaterials(impl_->world.materials, impl_->scene);
}
std::span<const scene::MaterialLayers> Simulation::materialLayers() const { return impl_->world.materials; }
const cloth::ClothModel& Simulation::model() const { return *impl_->world.model; }
const integrators::SimulationState& Simulation::state() const { return impl_->state; }
std::span<const contact::Collider> Simulation::colliders() const { return impl_->world.colliders; }
const History& Simulation::history() const { return impl_->history; }
int Simulation::threads() const { return impl_->pool->threads(); }
const std::string& Simulation::refusal() const { return impl_->refusal; }
const StepReport& Simulation::lastReport() const { return impl_->report; }
const solvers::SolveSummary& Simulation::lastSolve() const { return impl_->outcome.solve; }
const linalg::FrozenSystem* Simulation::systemOfLastStep() const { return impl_->outcome.system.get(); }
std::shared_ptr<const linalg::FrozenSystem> Simulation::sharedSystem() const { return impl_->outcome.system; }

bool Simulation::tears() const {
    return std::ranges::any_of(impl_->tearStrains, [](double limit) { return limit > 0; });
}
Index Simulation::tornInLastStep() const { return impl_->torn; }

double Simulation::explicitLimit() const { return impl_->explicitLimit(); }

double Simulation::Impl::explicitLimit() const {
    using enum cloth::ForceModel::Terms;
    const bool partly =
        integrators::traitsFor(scene.settings.integrator.kind).explicitPart != integrators::ExplicitPart::None;
    return forces.explicitLimit(partly ? Explicit : All);
}

void Simulation::apply(const scene::Settings& settings) {
    Impl& m = *impl_;
    const scene::Settings old = std::exchange(m.scene.settings, settings);
    m.configurePool();
    if (!(old.material == settings.material && old.integrator == settings.integrator)) m.configureForces();
    m.configureMethods(!(old.integrator == settings.integrator),
                       !(old.solver == settings.solver && old.preconditioner == settings.preconditioner));
}

void Simulation::setPin(Index particle, const std::optional<integrators::PinHold>& hold,
                        const mechanics::Motion& motion) {
    if (particle >= 0 && particle < impl_->state.x.size()) integrators::setPin(impl_->state, particle, hold, motion);
}

void Simulation::copyPins(const integrators::SimulationState& from) { integrators::copyPins(from, impl_->state); }

void Simulation::changeState(const std::function<void(integrators::SimulationState&)>& change) {
    Impl& m = *impl_;
    change(m.state);
    m.forces.setBroken(m.state.brokenSprings);
    integrators::fitBalls(m.state, m.scene.colliders.size(), m.world.colliders);
    integrators::placeColliders(m.state, m.world.colliders);
}

Index Simulation::cut(const cloth::Blade& blade) {
    Index broken = 0;
    changeState([&](integrators::SimulationState& state) {
        broken = cloth::breakCut(model(), blade, state.x, state.brokenSprings);
    });
    return broken;
}

scene::Scene Simulation::unpaintedScene() const {
    scene::Scene own = impl_->scene;
    own.sets.resize(impl_->ownSets);
    own.regions.resize(impl_->ownRegions);
    return own;
}

Expected<void> Simulation::paint(const scene::Painting& painting) {
    Impl& m = *impl_;
    scene::Scene painted = scene::withPainting(unpaintedScene(), painting);
    auto layers = scene::layRegions(painted, *m.world.model);
    if (!layers) return fail(layers.error());
    m.scene = std::move(painted);
    m.painting = painting;
    m.world.materials = std::move(*layers);
    m.configureForces();
    return {};
}

void Simulation::addStage(std::unique_ptr<integrators::CandidateStage> stage) {
    impl_->stages.push_back(std::move(stage));
}

void Simulation::makeFactorsInBackground() {
    if (!impl_->factorMaker) impl_->factorMaker = std::make_unique<factors::FactorMaker>();
}

void Simulation::limitHistory(std::size_t bytes) {
    History limited(bytes);
    limited.take(impl_->history);
    impl_->history = std::move(limited);
}

void Simulation::setGrab(const integrators::Grab& grab) {
    const bool there = grab.particle >= 0 && grab.particle < impl_->state.x.size() && grab.target.allFinite();
    if (there || !grab.active) integrators::setGrab(impl_->state, grab);
}

void Simulation::setOutsideForces(std::span<const cloth::PointForce> forces) {
    Impl& m = *impl_;
    m.pointForces = m.world.pointForces;
    for (const cloth::PointForce& f : forces)
        if (f.particle >= 0 && f.particle < m.state.x.size() && f.force.allFinite()) m.pointForces.push_back(f);
}

std::span<const cloth::PointForce> Simulation::outsideForces() const {
    return std::span(impl_->pointForces).subspan(impl_->world.pointForces.size());
}

void Simulation::setColliderGrab(const integrators::ColliderGrab& grab) {
    const bool there = grab.collider >= 0 && std::size_t(grab.collider) < impl_->world.colliders.size();
    if ((there && grab.target.allFinite()) || !grab.active) impl_->state.colliderGrab = grab;
}

void Simulation::throwBall(const Vec3& from, const integrators::ThrownBall& ball) {
    if (!from.allFinite() || !ball.velocity.allFinite() || !(ball.radius > 0) || !(ball.mass > 0)) return;
    changeState([&](integrators::SimulationState& state) {
        const std::size_t own = scene().colliders.size();
        state.balls = {ball};
        state.colliderShifts.resize(own + 1, Vec3::Zero());
        state.colliderShifts[own] = from;
        // The one before is gone, and with it what it touched.
        std::erase_if(state.contacts.contacts, [&](const contact::ParticleContact& c) {
            return std::max({c.collider, c.secondCollider, c.thirdCollider}) >= Index(own);
        });
    });
}

void Simulation::restart() {
    Impl& m = *impl_;
    // Pins are the user's, as settings are: they stay, at the particles' first places.
    const integrators::SimulationState before = m.state;
    m.adoptState(m.world.start);
    integrators::copyPinsAndGrab(before, m.state);
    integrators::forget(m.state, integrators::StateRole::Hand);
    for (integrators::Pin& pin : m.state.pins) pin.place = m.state.x[pin.particle];
    m.solver->forget();
    m.history.clear();
    m.describePresent();
    m.history.push(m.state, m.report);
}

bool Simulation::seek(std::int64_t step) {
    Impl& m = *impl_;
    const integrators::SimulationState* held = m.history.find(step);
    if (!held) return false;
    m.report = *m.history.findReport(step);
    m.adoptState(*held);
    m.solver->forget();
    // What is held by the mouse is the present's business, not the past's.
    integrators::forget(m.state, integrators::StateRole::Hand);
    m.outcome = {};
    return true;
}

bool Simulation::stepBack() { return seek(impl_->state.step - 1); }

void Simulation::setState(const integrators::SimulationState& state) {
    Impl& m = *impl_;
    m.adoptState(state);
    m.solver->forget();
    m.history.clear();
    m.describePresent();
    m.history.push(m.state, m.report);
}

void Simulation::Impl::fillReport(const cloth::ForceModel::Energies& energies, double stepSeconds, bool hash) {
    report = makeReport(outcome, stepSeconds, state.x.size());
    report.methods = {scene.settings.integrator.kind, scene.settings.solver, scene.settings.preconditioner};
    report.step = state.step;
    report.timeSeconds = state.time;
    report.dt = dt;
    report.explicitLimit = explicitLimit();
    report.rejected = rejected;
    if (scene.settings.solver.decompose && outcome.solve.status != solvers::SolveStatus::NotRun)
        addComponents(outcome.solve, report);
    addEnergies(energies, report);
    report.contacts = int(state.contacts.contacts.size());
    report.brokenSprings = forces.brokenSprings();
    if (!world.model->threads.empty()) report.seams = cloth::countSeams(*world.model, state.x);
    report.threads = pool->threads();
    report.stateHash = hash ? integrators::stateHash(state) : 0;
}

/// Springs beyond one and a half times their length: a warning, once, with what helps. The step is unconverged where
/// explicit springs are beyond their stability limit as well, or where the largest strain rose by that much within the
/// step: impulses after the solve or springs that turned taut stretched the cloth, and the solve took neither into
/// account.
void Simulation::Impl::watchStrain(double before) {
    constexpr double kMuch = 0.5;
    constexpr int kFew = 4;  // steps: an impact is over by then
    const bool much = report.maxStrain > kMuch;
    const integrators::IntegratorTraits traits = integrators::traitsFor(scene.settings.integrator.kind);
    const bool hasExplicit = !traits.implicit || traits.explicitPart != integrators::ExplicitPart::None;
    const bool unstable = much && hasExplicit && dt > report.explicitLimit * report.substeps;
    const std::string bound =
        unstable ? fmt::format("Explicit springs are stable up to integrator.dt = {:.2g}.", report.explicitLimit) : "";
    if (unstable && report.status == StepStatus::Ok) {
        report.status = StepStatus::Unconverged;
        report.message = fmt::format("A spring is stretched by {:.0f} %. {}", 100 * report.maxStrain, bound);
    }
    if (report.maxStrain - before > kMuch && report.status == StepStatus::Ok) {
        report.status = StepStatus::Unconverged;
        report.message = fmt::format(
            "The largest strain rose from {:.0f} to {:.0f} % within the step. A shorter step resolves the motion.",
            100 * before, 100 * report.maxStrain);
    }
    if (overstretched >= kFew) return;  // said already
    overstretched = much ? overstretched + 1 : 0;
    if (overstretched < kFew) return;
    const bool repeats = traits.implicit && !traits.minimizes && !traits.matrixFree;
    const char* cure = repeats && scene.settings.integrator.activeSet == 0
                           ? "integrator.active_set = 3 solves again while springs turn taut."
                           : "A shorter step, stiffer springs or more iterations make it less.";
    report.warning = fmt::format("Steps {} to {} stretched springs by over 50 %, at last {:.0f} %. {}",
                                 report.step - kFew + 1, report.step, 100 * report.maxStrain, unstable ? bound : cure);
}

/// The report of a state that no step of ours has led to: the start, or one that was loaded.
void Simulation::Impl::describePresent() {
    outcome = {};
    dt = 0;
    rejected = 0;
    fillReport(computeEnergies(state), 0.0, true);
    report.ndofCounts[3] = state.x.size();
    for (const integrators::Pin& pin : integrators::holdingPins(state, *world.model))
        ++report.ndofCounts[pin.hold.ndof], --report.ndofCounts[3];
}

const StepReport& Simulation::step(const StepOptions& options) {
    Impl& m = *impl_;
    StageTimer timer;
    m.torn = 0;
    const integrators::IntegratorSettings& settings = m.scene.settings.integrator;
    m.dt = integrators::stepLength(settings, m.state);
    cloth::ForceModel::Energies energies;
    for (m.rejected = 0;; ++m.rejected) {
        energies = m.attempt(options, m.scene.settings.contact);
        if (m.stoppedByUser() || !integrators::takesAgain(settings, m.dt, m.failed(energies), energies.maxStrain))
            break;
        m.dt = integrators::shorter(settings, m.dt);
    }
    if (m.outcome.contactRepeats.repeats > 0 && !m.stoppedByUser() && m.failed(energies))
        energies = m.attemptWithoutRepeats(options);
    if (m.usesLayerForces() && !m.stoppedByUser() && m.failed(energies))
        energies = m.attemptWithoutLayerForces(options);
    const auto reject = [&](StepStatus status, std::string message) -> const StepReport& {
        m.outcome.status = status;
        m.outcome.message = std::move(message);
        m.fillReport(m.computeEnergies(m.state), timer.seconds(), options.hash);
        m.report.advice = m.cure();
        m.report.step = m.state.step + 1;
        return m.report;
    };
    if (m.outcome.status == StepStatus::SolveFailed) {
        return reject(StepStatus::SolveFailed,
                      m.stoppedByUser() ? m.outcome.message
                                        : fmt::format("Step {}: the solver stopped ({}). {}{} {}", m.state.step + 1,
                                                      enumLabel(m.outcome.solve.status), m.outcome.message,
                                                      m.outcome.message.ends_with('.') ? "" : ".", m.cure()));
    }
    if (m.outcome.status == StepStatus::Diverged)
        return reject(StepStatus::Diverged, m.outcome.message + " " + m.cure());
    if (const std::string problem = divergence(m.candidate, energies); !problem.empty())
        return reject(StepStatus::Diverged, problem + " " + m.cure());

    m.tearOverstretched(energies);
    integrators::remember(settings, m.dt, m.rejected, m.candidate);
    m.history.truncateAfter(m.state.step);
    std::swap(m.state, m.candidate);
    const double strainBefore = m.report.maxStrain;
    m.fillReport(energies, timer.seconds(), options.hash);
    m.watchStrain(strainBefore);
    if (!m.ofLastStep || !(*m.ofLastStep == m.scene.settings))
        m.ofLastStep = std::make_shared<const scene::Settings>(m.scene.settings);
    m.history.push(m.state, m.report, m.ofLastStep, m.outcome.solve.history);
    return m.report;
}

}  // namespace clothlab::simulation
