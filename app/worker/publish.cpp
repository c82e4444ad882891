#include "worker/publish.hpp"

#include <algorithm>
#include <cmath>

#include "worker/component_tones.hpp"

namespace clothlab::app::worker {
namespace {

/// The largest value, rounded up to 1, 2 or 5 times a power of ten.
double roundedUp(double largest) {
    const double decade = std::pow(10.0, std::floor(std::log10(largest)));
    for (const double step : {1.0, 2.0, 5.0})
        if (largest <= step * decade * 1.0001) return step * decade;
    return 10 * decade;
}

void fillSpeeds(const linalg::BlockVector& v, ParticleField& field) {
    float largest = 0.01f;
    for (Index i = 0; i < v.size(); ++i) {
        field.values.push_back(float(v[i].norm()));
        if (std::isfinite(field.values.back())) largest = std::max(largest, field.values.back());
    }
    field.from = 0;
    field.to = roundedUp(largest);
    field.logarithmic = false;
    field.label = "speed";
    field.unit = "m/s";
}

/// |S(b - A dv)| of each particle, scaled so that the mean square over all of them is the square of the true relative
/// residual: a particle at the tolerance has its share of what is left.
void fillResidual(const simulation::Simulation& simulation, ParticleField& field) {
    constexpr double kDecades = 4;
    simulation.residuals(field.values);
    float largest = 1e-30f;
    for (const float value : field.values)
        if (std::isfinite(value)) largest = std::max(largest, value);
    field.to = roundedUp(largest);
    field.from = field.to * std::pow(10.0, -kDecades);
    field.logarithmic = true;
    field.label = "residual, relative";
    field.unit = "";
}

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
    view.tone = tonesOf(components, simulation.model().springs);
    const auto& solved = simulation.lastSolve().components;
    if (simulation.settings().solver.decompose && solved.size() == view.size.size())
        for (const solvers::ComponentSolve& c : solved) {
            view.iterations.push_back(c.iterations);
            view.iterationsTo = std::max(view.iterationsTo, roundedUp(std::max(1, c.iterations)));
        }
    view.of = std::move(components.of);
}

void fillOverlays(const simulation::Simulation& simulation, const OverlayRequest& request, Snapshot& snapshot) {
    const integrators::SimulationState& state = simulation.state();
    if (request.springStrain)
        simulation.springStrains(snapshot.springStrain);
    else
        snapshot.springStrain.clear();
    if (request.springState)
        simulation.springStates(snapshot.springState);
    else
        snapshot.springState.clear();
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
    snapshot.field.values.clear();
    if (request.velocity) fillSpeeds(state.v, snapshot.field);
    if (request.residual) fillResidual(simulation, snapshot.field);
}

}  // namespace

Index MeshTopology::particleOf(Index number) const {
    if (outsideNumber.empty()) return number;
    const auto found = std::find(outsideNumber.begin(), outsideNumber.end(), number);
    return found == outsideNumber.end() ? -1 : Index(found - outsideNumber.begin());
}

float ParticleField::position(float value) const {
    if (!logarithmic) return float((value - from) / (to - from));
    return float(std::log10(std::max<double>(value, 1e-300) / from) / std::log10(to / from));
}

std::shared_ptr<const MeshTopology> makeTopology(const simulation::Simulation& simulation, std::uint64_t revision) {
    const cloth::ClothModel& model = simulation.model();
    const scene::Scene& scene = simulation.scene();
    auto mesh = std::make_shared<MeshTopology>();
    mesh->revision = revision != 0 ? revision : model.revision;
    mesh->particles = model.particles();
    mesh->triangles = model.triangles;
    mesh->springs = model.springs;
    mesh->patches = model.patches;
    mesh->outsideNumber = model.outsideNumber;
    mesh->uv.reserve(2 * std::size_t(model.particles()));
    for (const auto& [u, v] : model.textures) mesh->uv.insert(mesh->uv.end(), {float(u), float(v)});
    mesh->uv.resize(2 * std::size_t(model.particles()));
    mesh->sceneName = scene.name;
    mesh->title = scene.title;
    mesh->watch = scene.watch;
    mesh->camera = scene.camera;
    const auto colliders = simulation.colliders();
    mesh->colliders.assign(colliders.begin(), colliders.end());
    return mesh;
}

void fillPins(const integrators::SimulationState& state, std::vector<Index>& pins,
              std::vector<Snapshot::PinGuide>& guides) {
    pins.clear();
    guides.clear();
    for (const integrators::Pin& pin : state.pins) {
        pins.push_back(pin.particle);
        if (pin.hold.ndof == 0) continue;
        const mechanics::Motion* motion = state.motionOf(pin);
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
    fillPins(state, snapshot.pins, snapshot.pinGuides);
    snapshot.pinsCarried = Index(std::ranges::count_if(state.pins, [](const auto& pin) { return pin.motion >= 0; }));
    snapshot.grabActive = state.grab.active;
    snapshot.grabParticle = state.grab.active ? state.grab.particle : -1;
    for (int axis = 0; axis < 3; ++axis) snapshot.grabTarget[axis] = float(state.grab.target[axis]);

    snapshot.step = state.step;
    snapshot.timeSeconds = state.time;
    const simulation::History& history = simulation.history();
    snapshot.historyFirst = history.empty() ? state.step : history.firstStep();
    snapshot.historyLast = history.empty() ? state.step : history.lastStep();
    snapshot.madeWith = history.findSettings(state.step);
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

void fillGhost(const simulation::Branch* branch, Ghost& ghost) {
    ghost.present = branch != nullptr;
    if (!branch) return ghost.positions.clear();
    ghost.startStep = branch->startStep();
    ghost.settings = branch->ghost().settings();
    copyPositions(branch->positions(), ghost.positions);
    ghost.largest = branch->largestDistance();
    ghost.rms = branch->rmsDistance();
    ghost.problem = branch->problem();
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

}  // namespace clothlab::app::worker
