#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/platform.hpp"
#include "base/stage_timer.hpp"
#include "factors/factor_maker.hpp"
#include "integrators/constraint_stage.hpp"
#include "integrators/explicit_springs.hpp"
#include "integrators/particle_pairs.hpp"
#include "integrators/schedule.hpp"
#include "integrators/self_collision_stage.hpp"
#include "integrators/traits.hpp"
#include "simulation/guard.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::simulation {

using integrators::StepStatus;

struct Simulation::Impl {
    scene::Scene scene;
    scene::Settings settings;
    SettingsOfStep ofLastStep;  // as the history has them
    scene::World world;
    cloth::ForceModel forces;
    integrators::ParticlePairs pairs;  // of a state whose energy is asked for
    integrators::SimulationState state, candidate;
    std::unique_ptr<factors::FactorMaker> factorMaker;  // null: factors are made in the step that needs them
    std::unique_ptr<integrators::Integrator> integrator;
    std::vector<std::unique_ptr<integrators::CandidateStage>> stages;  // in the order in which they act
    integrators::SelfCollisionStage* selfCollision = nullptr;          // one of them
    std::unique_ptr<solvers::Solver> solver;
    std::unique_ptr<WorkerPool> pool;
    std::vector<double> tearStrains;  // of each material
    History history;
    StepReport report;
    integrators::StepOutcome outcome;
    std::string refusal;
    int defaultThreads = 1;
    Index inlineRows = WorkerPool::kDefaultInlineRows;

    double dt = 0;     // s, of the last step
    int rejected = 0;  // attempts before it, longer ones

    void configureForces();
    void configureMethods(bool integratorChanged, bool solverChanged);
    void configurePool();
    cloth::Environment environment() const;
    void runIntegrator(const StepOptions& options);
    cloth::ForceModel::Energies energiesOf(const integrators::SimulationState& at);
    void takeState(const integrators::SimulationState& to);
    void tearOverstretched(cloth::ForceModel::Energies& energies);
    bool stoppedByUser() const;
    bool failed(const cloth::ForceModel::Energies& energies) const;
    std::string cure() const { return cureOf(settings.integrator, forces); }
    double explicitLimit() const;
    void fillReport(const cloth::ForceModel::Energies& energies, double stepSeconds, bool hash);
    void describePresent();
};

void Simulation::Impl::configurePool() {
    const int threads = settings.threads > 0 ? settings.threads : defaultThreads;
    if (!pool || pool->threads() != threads) pool = std::make_unique<WorkerPool>(threads, inlineRows);
}

void Simulation::Impl::configureForces() {
    std::vector<cloth::MaterialSettings> materials = scene::materialsOf(world.materials, scene, settings);
    // Slack springs in the matrix are a stay of a linear step; a Hessian has none.
    if (integrators::traitsOf(settings.integrator.kind).minimizes)
        for (cloth::MaterialSettings& m : materials) m.jacSlack = false;
    cloth::takeMaterials(*world.model, materials);
    forces.configure(*world.model, materials, integrators::splitOf(settings.integrator));
    forces.setBroken(state.brokenSprings);
    tearStrains.resize(materials.size());
    std::ranges::transform(materials, tearStrains.begin(), &cloth::MaterialSettings::tearStrain);
}

void Simulation::Impl::takeState(const integrators::SimulationState& to) {
    state = to;
    forces.setBroken(state.brokenSprings);
}

/// Of the candidate, which has been accepted.
void Simulation::Impl::tearOverstretched(cloth::ForceModel::Energies& energies) {
    if (cloth::breakOverstretched(*world.model, tearStrains, candidate.x, candidate.brokenSprings) == 0) return;
    forces.setBroken(candidate.brokenSprings);
    energies = energiesOf(candidate);
}

void Simulation::Impl::configureMethods(bool integratorChanged, bool solverChanged) {
    if (integratorChanged && !(integrator && integrator->take(settings.integrator)))
        integrator = integrators::makeIntegrator(settings.integrator);
    if (solverChanged) solver = solvers::makeSolver({settings.solver, settings.preconditioner});
    refusal = scene::findFault(settings).message;
}

cloth::Environment Simulation::Impl::environment() const {
    return {.gravity = settings.gravity,
            .wind = settings.wind,
            .pointForces = world.pointForces,
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
    m.settings = m.scene.settings;
    m.world = std::move(*world);
    m.state = m.world.start;
    m.defaultThreads = threads > 0 ? threads : platform::hardwareThreads();
    m.inlineRows = inlineRows;
    m.configurePool();
    m.configureForces();
    m.configureMethods(true, true);
    auto selfCollision = std::make_unique<integrators::SelfCollisionStage>();
    m.selfCollision = selfCollision.get();
    m.stages.push_back(std::move(selfCollision));
    m.describePresent();
    m.history.push(m.state, m.report);
    return simulation;
}

const scene::Scene& Simulation::scene() const { return impl_->scene; }
const scene::Settings& Simulation::settings() const { return impl_->settings; }
std::vector<cloth::MaterialSettings> Simulation::materials() const {
    return scene::materialsOf(impl_->world.materials, impl_->scene, impl_->settings);
}
const cloth::ClothModel& Simulation::model() const { return *impl_->world.model; }
const integrators::SimulationState& Simulation::state() const { return impl_->state; }
std::span<const contact::Collider> Simulation::colliders() const { return impl_->world.colliders; }
const History& Simulation::history() const { return impl_->history; }
int Simulation::threads() const { return impl_->pool->threads(); }
const std::string& Simulation::refusal() const { return impl_->refusal; }
const StepReport& Simulation::lastReport() const { return impl_->report; }
const solvers::SolveSummary& Simulation::lastSolve() const { return impl_->outcome.solve; }
const linalg::FrozenSystem* Simulation::systemOfLastStep() const { return impl_->outcome.system.get(); }

void Simulation::springStates(std::vector<std::uint8_t>& out) const {
    impl_->forces.springStates(impl_->state.x, impl_->state.v, out);
    if (!integrators::traitsOf(impl_->settings.integrator.kind).implicit)
        for (std::uint8_t& flags : out) flags &= std::uint8_t(~cloth::kSpringImplicit);
}

void Simulation::springStrains(std::vector<float>& out) const { impl_->forces.springStrains(impl_->state.x, out); }

void Simulation::residuals(std::vector<float>& out) const {
    const Impl& m = *impl_;
    out.clear();
    const auto system = m.integrator->lastSystem();
    if (!system || !solvers::acceptable(m.outcome.solve.status) || m.state.deltaV.size() != system->A.rows()) return;
    linalg::BlockVector r;
    const linalg::BlockVector* solution = m.integrator->lastSolution();
    const double rhs = solvers::residual(*system, solution ? *solution : m.state.deltaV, r);
    const double scale = rhs > 0 ? std::sqrt(double(r.size())) / rhs : 0.0;
    for (Index i = 0; i < r.size(); ++i) out.push_back(float(scale * r[i].norm()));
}

void Simulation::ndofs(std::vector<std::uint8_t>& out) const {
    const Impl& m = *impl_;
    out.assign(m.state.x.size(), 3);
    for (const contact::ParticleContact& c : m.state.contacts.contacts) out[c.particle] = std::uint8_t(c.ndof);
    std::vector<mechanics::Prescribed> held;
    integrators::prescribePinsAndGrab(m.state, m.settings.grab, m.state.time, m.settings.integrator.dt, held);
    // The first of a particle counts.
    for (auto p = held.rbegin(); p != held.rend(); ++p) out[p->particle] = std::uint8_t(p->ndof);
}

bool Simulation::components(linalg::Components& out) const {
    const Impl& m = *impl_;
    if (m.report.methods.integrator != m.settings.integrator.kind) return false;  // of another method's step
    if (!integrators::traitsOf(m.settings.integrator.kind).implicit) {
        std::vector<std::uint8_t> ndof;
        ndofs(ndof);
        linalg::separateParticles(ndof, out);
        return true;
    }
    const auto system = m.integrator->lastSystem();
    if (!system || !solvers::acceptable(m.outcome.solve.status) || system->A.rows() != m.state.x.size()) return false;
    linalg::findComponents(system->A, system->constraints, out);
    return true;
}

bool Simulation::selfContact(contact::SelfContactPicture& out) const {
    const integrators::StepOutcome& outcome = impl_->outcome;  // a jump forgets it
    if (integrators::hasFailed(outcome.status) || outcome.selfContact.passes == 0) return false;
    impl_->selfCollision->describe(impl_->state.x, out);
    return true;
}

double Simulation::explicitLimit() const { return impl_->explicitLimit(); }

double Simulation::Impl::explicitLimit() const {
    using enum cloth::ForceModel::Terms;
    const bool partly = integrators::traitsOf(settings.integrator.kind).explicitPart != integrators::ExplicitPart::None;
    return forces.explicitLimit(partly ? Explicit : All);
}

void Simulation::apply(const scene::Settings& settings) {
    Impl& m = *impl_;
    const scene::Settings old = std::exchange(m.settings, settings);
    m.configurePool();
    if (!(old.material == settings.material && old.integrator == settings.integrator)) m.configureForces();
    m.configureMethods(!(old.integrator == settings.integrator),
                       !(old.solver == settings.solver && old.preconditioner == settings.preconditioner));
}

void Simulation::setPin(Index particle, const std::optional<integrators::PinHold>& hold,
                        const mechanics::Motion& motion) {
    if (particle >= 0 && particle < impl_->state.x.size()) integrators::setPin(impl_->state, particle, hold, motion);
}

Index Simulation::cut(const cloth::Blade& blade) {
    integrators::SimulationState& state = impl_->state;
    const Index broken = cloth::breakCut(model(), blade, state.x, state.brokenSprings);
    impl_->forces.setBroken(state.brokenSprings);
    return broken;
}

void Simulation::addStage(std::unique_ptr<integrators::CandidateStage> stage) {
    impl_->stages.push_back(std::move(stage));
}

void Simulation::makeFactorsInBackground() {
    if (!impl_->factorMaker) impl_->factorMaker = std::make_unique<factors::FactorMaker>();
}

void Simulation::setGrab(const integrators::Grab& grab) {
    const bool there = grab.particle >= 0 && grab.particle < impl_->state.x.size() && grab.target.allFinite();
    if (there || !grab.active) impl_->state.grab = grab;
}

void Simulation::restart() {
    Impl& m = *impl_;
    // Pins are the user's, as settings are: they stay, at the particles' first places.
    const integrators::SimulationState before = m.state;
    m.takeState(m.world.start);
    integrators::copyPinsAndGrab(before, m.state);
    integrators::forget(m.state, integrators::Memory::Hand);
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
    m.takeState(*held);
    m.solver->forget();
    // What is held by the mouse is the present's business, not the past's.
    integrators::forget(m.state, integrators::Memory::Hand);
    m.outcome = {};
    return true;
}

bool Simulation::stepBack() { return seek(impl_->state.step - 1); }

void Simulation::setState(const integrators::SimulationState& state) {
    Impl& m = *impl_;
    m.takeState(state);
    m.solver->forget();
    m.history.clear();
    m.describePresent();
    m.history.push(m.state, m.report);
}

void Simulation::Impl::runIntegrator(const StepOptions& options) {
    integrators::StepContext context{
        .dt = dt,
        .model = *world.model,
        .forces = forces,
        .environment = environment(),
        .colliders = world.colliders,
        .contact = settings.contact,
        .grab = settings.grab,
        .substeps = settings.integrator.substeps,
        .solver = solver.get(),
        .control = {.stop = options.stop, .observer = options.observer},
        .pool = *pool,
        .keepSystem = options.keepSystem,
        .observeIterate = options.observeIterate,
        .factorMaker = factorMaker.get(),
        .adoption = options.adoption,
    };
    outcome = {};
    if (!refusal.empty()) {
        outcome.status = StepStatus::SolveFailed;
        outcome.solve.status = solvers::SolveStatus::Refused;
        outcome.message = refusal;
        return;
    }
    integrator->step(state, context, candidate, outcome);
    for (const auto& stage : stages)
        if (!integrators::hasFailed(outcome.status)) stage->resolve(state, context, candidate, outcome);
}

cloth::ForceModel::Energies Simulation::Impl::energiesOf(const integrators::SimulationState& at) {
    cloth::Environment then = environment();
    then.time = at.time;
    auto energies = forces.energies(then, at.x, at.v, *pool);
    pairs.find(*world.model, forces, settings.contact, at.x, *pool);
    energies.repulsion = pairs.energy(at.x, *pool);
    return energies;
}

bool Simulation::Impl::stoppedByUser() const {
    const solvers::SolveStatus how = outcome.solve.status;
    return how == solvers::SolveStatus::Cancelled || how == solvers::SolveStatus::Refused;
}

bool Simulation::Impl::failed(const cloth::ForceModel::Energies& energies) const {
    return integrators::hasFailed(outcome.status) || !divergence(candidate, energies).empty();
}

void Simulation::Impl::fillReport(const cloth::ForceModel::Energies& energies, double stepSeconds, bool hash) {
    report = reportOf(outcome, stepSeconds, state.x.size());
    report.methods = {settings.integrator.kind, settings.solver, settings.preconditioner};
    report.step = state.step;
    report.timeSeconds = state.time;
    report.dt = dt;
    report.explicitLimit = explicitLimit();
    report.rejected = rejected;
    if (settings.solver.decompose && outcome.solve.status != solvers::SolveStatus::NotRun)
        addComponents(outcome.solve, report);
    addEnergies(energies, report);
    report.contacts = int(state.contacts.contacts.size());
    report.brokenSprings = forces.brokenSprings();
    report.threads = pool->threads();
    report.stateHash = hash ? integrators::stateHash(state) : 0;
}

/// The report of a state that no step of ours has led to: the start, or one that was loaded.
void Simulation::Impl::describePresent() {
    outcome = {};
    dt = 0;
    rejected = 0;
    fillReport(energiesOf(state), 0.0, true);
    for (const integrators::Pin& pin : state.pins) ++report.ndofCounts[pin.hold.ndof];
    report.ndofCounts[3] = state.x.size() - Index(state.pins.size());
}

const StepReport& Simulation::step(const StepOptions& options) {
    Impl& m = *impl_;
    StageTimer timer;
    const integrators::IntegratorSettings& settings = m.settings.integrator;
    m.dt = integrators::stepLength(settings, m.state);
    cloth::ForceModel::Energies energies;
    for (m.rejected = 0;; ++m.rejected) {
        m.runIntegrator(options);
        energies = integrators::hasFailed(m.outcome.status) ? cloth::ForceModel::Energies{} : m.energiesOf(m.candidate);
        if (m.stoppedByUser() || !integrators::takesAgain(settings, m.dt, m.failed(energies), energies.maxStrain))
            break;
        m.dt = integrators::shorter(settings, m.dt);
    }
    const auto reject = [&](StepStatus status, std::string message) -> const StepReport& {
        m.outcome.status = status;
        m.outcome.message = std::move(message);
        m.fillReport(m.energiesOf(m.state), timer.seconds(), options.hash);
        m.report.step = m.state.step + 1;
        return m.report;
    };
    if (m.outcome.status == StepStatus::SolveFailed) {
        return reject(StepStatus::SolveFailed,
                      m.stoppedByUser() ? m.outcome.message
                                        : fmt::format("Step {}: the solver stopped ({}). {} {}", m.state.step + 1,
                                                      enumLabel(m.outcome.solve.status), m.outcome.message, m.cure()));
    }
    if (m.outcome.status == StepStatus::Diverged)
        return reject(StepStatus::Diverged, m.outcome.message + " " + m.cure());
    if (const std::string problem = divergence(m.candidate, energies); !problem.empty())
        return reject(StepStatus::Diverged, problem + " " + m.cure());

    m.tearOverstretched(energies);
    integrators::remember(settings, m.dt, m.rejected, m.candidate);
    m.history.truncateAfter(m.state.step);
    std::swap(m.state, m.candidate);
    m.fillReport(energies, timer.seconds(), options.hash);
    if (!m.ofLastStep || !(*m.ofLastStep == m.settings))
        m.ofLastStep = std::make_shared<const scene::Settings>(m.settings);
    m.history.push(m.state, m.report, m.ofLastStep, m.outcome.solve.history);
    return m.report;
}

}  // namespace clothlab::simulation
