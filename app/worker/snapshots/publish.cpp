#include "worker/snapshots/publish.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "integrators/stages/holding_pins.hpp"
#include "scene/builder.hpp"
#include "simulation/cure.hpp"
#include "worker/snapshots/component_tones.hpp"
#include "worker/snapshots/round_up.hpp"
#include "worker/snapshots/self_contact_view.hpp"

namespace clothlab::app::worker {
namespace {

void copyPositions(const linalg::BlockVector& x, std::vector<float>& out) {
    out.resize(3 * std::size_t(x.size()));
    const double* from = x.data();
    for (float& coordinate : out) coordinate = float(*from++);
}

void fillContacts(const simulation::Simulation& simulation, Snapshot& snapshot) {
    const integrators::SimulationState& state = simulation.state();
    simulation.ndofs(snapshot.ndof);
    snapshot.contacts.clear();
    for (const contact::ParticleContact& c : state.contacts.contacts)
        snapshot.contacts.push_back(
            {c.particle, c.ndof, {float(c.normal.x()), float(c.normal.y()), float(c.normal.z())}});
}

void fillComponents(const simulation::Simulation& simulation, ComponentView& view) {
    view = {};
    linalg::Components components;
    if (!simulation.components(components)) return;
    for (Index c = 1; c <= components.count(); ++c) view.size.push_back(components.size(c));
    view.tone = assignTones(components, simulation.model().springs);
    const auto& solved = simulation.lastSolve().components;
    if (simulation.settings().solver.decompose && solved.size() == view.size.size())
        for (const solvers::ComponentSolve& c : solved) {
            view.iterations.push_back(c.iterations);
            view.iterationsTo = std::max(view.iterationsTo, roundedUp(std::max(1, c.iterations)));
        }
    view.of = std::move(components.of);
}

void fillAggregates(const simulation::Simulation& simulation, ComponentView& view) {
    view = {};
    const auto& of = simulation.lastSolve().aggregateOf;
    if (!of) return;
    linalg::Components pieces;
    pieces.of = *of;
    pieces.of.resize(std::size_t(simulation.model().particles()), 0);
    pieces.start.assign(std::size_t(*std::ranges::max_element(pieces.of)) + 1, 0);
    for (const Index piece : pieces.of)
        if (piece > 0) ++pieces.start[piece];
    std::partial_sum(pieces.start.begin(), pieces.start.end(), pieces.start.begin());
    pieces.rows.resize(std::size_t(pieces.start.back()));
    std::vector<Index> next(pieces.start.begin(), pieces.start.end());
    for (Index i = 0; i < Index(pieces.of.size()); ++i)
        if (pieces.of[i] > 0) pieces.rows[next[pieces.of[i] - 1]++] = i;
    for (Index c = 1; c <= pieces.count(); ++c) view.size.push_back(pieces.size(c));
    view.tone = assignTones(pieces, simulation.model().springs);
    view.of = std::move(pieces.of);
}

/// Keeps the entries of springs that are not broken.
template <class T>
void leaveOutBroken(std::span<const std::uint8_t> broken, std::vector<T>& perSpring) {
    if (broken.empty()) return;
    std::size_t kept = 0;
    for (std::size_t e = 0; e < perSpring.size(); ++e)
        if (broken[e] == 0) perSpring[kept++] = perSpring[e];
    perSpring.resize(kept);
}

void fillOverlays(const simulation::Simulation& simulation, const OverlayRequest& request, Snapshot& snapshot) {
    if (request.springStrain)
        simulation.springStrains(snapshot.springStrain);
    else
        snapshot.springStrain.clear();
    snapshot.strainEnd = request.springStrain && request.fitStrain
                             ? fittedStrainEnd(simulation.model().springs, snapshot.springStrain)
                             : kUsualStrainEnd;
    leaveOutBroken(simulation.state().brokenSprings, snapshot.springStrain);
    if (request.springState)
        simulation.springStates(snapshot.springState);
    else
        snapshot.springState.clear();
    leaveOutBroken(simulation.state().brokenSprings, snapshot.springState);
    if (request.contacts) {
        fillContacts(simulation, snapshot);
    } else {
        snapshot.ndof.clear();
        snapshot.contacts.clear();
    }
    if (request.components)
        fillComponents(simulation, snapshot.components);
    else
        snapshot.components = {};
    if (request.aggregates)
        fillAggregates(simulation, snapshot.aggregates);
    else
        snapshot.aggregates = {};
    fillSelfContact(simulation, request, snapshot);
    fillField(request.field, simulation, snapshot.field);
}

}  // namespace

Index MeshTopology::findParticle(Index number) const {
    if (outsideNumber.empty()) return number;
    const auto found = std::find(outsideNumber.begin(), outsideNumber.end(), number);
    return found == outsideNumber.end() ? -1 : Index(found - outsideNumber.begin());
}

std::shared_ptr<const MeshTopology> makeTopology(const simulation::Simulation& simulation, std::uint64_t revision) {
    const cloth::ClothModel& model = simulation.model();
    const scene::Scene& scene = simulation.scene();
    auto mesh = std::make_shared<MeshTopology>();
    mesh->revision = revision != 0 ? revision : model.revision;
    mesh->particles = model.particles();
    mesh->broken = simulation.state().brokenSprings;
    mesh->triangles = cloth::wholeTriangles(model, mesh->broken);
    mesh->springs = model.springs;
    leaveOutBroken(mesh->broken, mesh->springs);
    for (const cloth::SewingThread& thread : model.threads) mesh->threads.push_back({thread.i, thread.j});
    mesh->patches = model.patches;
    mesh->outsideNumber = model.outsideNumber;
    mesh->uv.reserve(2 * std::size_t(model.particles()));
    for (const auto& [u, v] : model.textures) mesh->uv.insert(mesh->uv.end(), {float(u), float(v)});
    mesh->uv.resize(2 * std::size_t(model.particles()));
    mesh->sceneName = scene.name;
    mesh->title = scene.title;
    mesh->watch = scene.watch;
    mesh->camera = scene.camera;
    mesh->fabric = scene.fabric;
    const auto colliders = simulation.colliders();
    mesh->colliders.assign(colliders.begin(), colliders.end());
    return mesh;
}

void refreshTopology(const simulation::Simulation& simulation, std::shared_ptr<const MeshTopology>& mesh) {
    const bool sameSolids = mesh->colliders.size() == simulation.colliders().size();  // a thrown ball is one more
    if (mesh->broken != simulation.state().brokenSprings || !sameSolids)
        mesh = makeTopology(simulation, mesh->revision);
}

void fillPins(const integrators::SimulationState& state, std::span<const integrators::Pin> held,
              std::vector<Index>& pins, std::vector<Snapshot::PinGuide>& guides) {
    pins.clear();
    guides.clear();
    for (const integrators::Pin& pin : held) {
        pins.push_back(pin.particle);
        if (pin.hold.ndof == 0) continue;
        const mechanics::Motion* motion = state.pinMotion(pin);
        const Vec3 d = motion ? Vec3(motion->turn(state.time) * pin.hold.direction) : pin.hold.direction;
        guides.push_back({pin.particle, pin.hold.ndof, {float(d.x()), float(d.y()), float(d.z())}});
    }
}

void fillSnapshot(const simulation::Simulation& simulation, const OverlayRequest& request, Snapshot& snapshot) {
    const integrators::SimulationState& state = simulation.state();
    snapshot.settings = simulation.settings();
    snapshot.refusal = simulation.refusal();

    copyPositions(state.x, snapshot.positions);

    snapshot.colliderPoses.clear();
    for (const contact::Collider& collider : simulation.colliders())
        snapshot.colliderPoses.push_back(contact::poseAt(collider, state.time));
    const std::vector<integrators::Pin> held = integrators::holdingPins(state, simulation.model());
    fillPins(state, held, snapshot.pins, snapshot.pinGuides);
    snapshot.pinsCarried = Index(std::ranges::count_if(held, [](const auto& pin) { return pin.motion >= 0; }));
    snapshot.grabActive = state.grab.active;
    snapshot.grabParticle = state.grab.active ? state.grab.particle : -1;
    for (int axis = 0; axis < 3; ++axis) snapshot.grabTarget[axis] = float(state.grab.target[axis]);

    snapshot.step = state.step;
    snapshot.timeSeconds = state.time;
    const simulation::History& history = simulation.history();
    snapshot.historyFirst = history.empty() ? state.step : history.firstStep();
    snapshot.historyLast = history.empty() ? state.step : history.lastStep();
    snapshot.madeWith = history.findSettings(state.step);
    snapshot.identity = history.identity(state.step);
    snapshot.report = simulation.lastReport();
    // A failed attempt has led to no state: its curve is in the last solve alone, and so is its report.
    const std::span<const float> residuals = integrators::hasFailed(snapshot.report.status)
                                                 ? std::span<const float>(simulation.lastSolve().history)
                                                 : history.findResiduals(state.step);
    snapshot.residualHistory.assign(residuals.begin(), residuals.end());
    snapshot.explicitLimit = simulation.explicitLimit();
    snapshot.threads = simulation.threads();
    fillOverlays(simulation, request, snapshot);
}

static_assert(kMostGhosts == simulation::Session::kMostGhosts);

static void fillGhost(const simulation::Branch* branch, Ghost& ghost) {
    ghost.present = branch != nullptr;
    if (!branch) return ghost.positions.clear();
    ghost.startStep = branch->startStep();
    ghost.settings = branch->ghost().settings();
    copyPositions(branch->positions(), ghost.positions);
    ghost.largest = branch->largestDistance();
    ghost.rms = branch->rmsDistance();
    ghost.problem = branch->problem();
}

void fillGhosts(std::span<const std::unique_ptr<simulation::Branch>> branches, Snapshot& snapshot) {
    fillGhost(branches.empty() ? nullptr : branches.front().get(), snapshot.ghost);
    snapshot.furtherGhosts.resize(branches.empty() ? 0 : branches.size() - 1);
    for (std::size_t k = 1; k < branches.size(); ++k) fillGhost(branches[k].get(), snapshot.furtherGhosts[k - 1]);
}

void ghostAlone(const Snapshot& now, Snapshot& alone) {
    alone.mesh = now.mesh;
    alone.positions = now.ghost.positions;
    alone.colliderPoses = now.colliderPoses;
    alone.pins = now.pins;
    alone.pinGuides = now.pinGuides;
}

ReportEntry lastReportEntry(const simulation::Simulation& simulation) {
    return {.cleared = false, .report = simulation.lastReport()};
}

std::string lastProblem(const simulation::Simulation& simulation) {
    const simulation::StepReport& report = simulation.lastReport();
    if (!integrators::hasFailed(report.status)) return {};
    if (!report.message.empty()) return report.message;
    return simulation.refusal().empty() ? std::string(enumLabel(report.status)) : simulation.refusal();
}

std::string startWarning(const simulation::Simulation& simulation) {
    std::vector<std::string> found =
        simulation::findWarnings(simulation.model(), simulation.colliders(), simulation.state());
    for (const std::string& note : scene::readingNotes(simulation.scene())) found.push_back(note + ".");
    return fmt::format("{}", fmt::join(found, " "));
}

bool dropsLaterSteps(const simulation::Simulation& simulation) {
    return simulation.history().lastStep() > simulation.state().step;
}

}  // namespace clothlab::app::worker
