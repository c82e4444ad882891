#include "simulation/cure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "contact/begins_inside.hpp"
#include "integrators/kind.hpp"
#include "integrators/stages/holding_pins.hpp"
#include "integrators/traits.hpp"
#include "simulation/branch.hpp"

namespace clothlab::simulation {
namespace {

/// Steps that a copy takes; a spring may be stretched so far in them, (l - L)/L, and the energy grow so many times.
constexpr int kTrialSteps = 5;
constexpr double kTrialStrain = 1, kTrialGrowth = 3;

struct Trial {
    std::string assignment, words;
};

/// What may cure a step under these settings, the least change first.
std::vector<Trial> trialsFor(const scene::Settings& s) {
    const integrators::IntegratorTraits traits = integrators::traitsFor(s.integrator.kind);
    std::vector<Trial> trials;
    const auto add = [&](std::string assignment, std::string words) {
        trials.push_back({std::move(assignment), std::move(words)});
    };
    if (s.material.compression == cloth::CompressionModel::Full)
        add("material.compression=clamped", "without the negative terms of compressed springs in the matrix");
    const bool linear = traits.implicit && !traits.minimizes && !traits.matrixFree && !traits.ownMatrix;
    if (linear && s.integrator.activeSet < 3)
        add("integrator.active_set=3", "the step solved again while springs turn taut or slack");
    if (s.contact.activeSet < 8) add("contact.active_set=8", "the step solved again while contacts turn");
    if (!traits.implicit) add("integrator.substeps=0", "as many substeps as its limit needs");
    if (s.integrator.kind != integrators::IntegratorKind::NewtonBackwardEuler)
        add("integrator.kind=newton-backward-euler", "the step as the minimum of its energy");
    for (const int parts : {4, 20})
        add(fmt::format("integrator.dt={:.6g}", s.integrator.dt / parts),
            fmt::format("a step {} times shorter", parts));
    if (s.contact.selfCollision != contact::SelfCollision::Off)
        add("contact.self_collision=off", "without contact of the cloth with itself");
    if (s.wind.dragCoefficient > 0) add("wind.drag_coefficient=0", "without wind");
    add(fmt::format("material.stretch_stiffness={:.6g}", s.material.stretchStiffness / 100), "softer springs");
    return trials;
}

bool succeeds(const Simulation& simulation, const scene::Settings& settings, const std::stop_token& stop) {
    auto made = Branch::makeCopy(simulation, settings, simulation.threads());
    if (!made) return false;
    Simulation& copy = **made;
    const double before = copy.lastReport().elasticJ() + copy.lastReport().kineticJ;
    for (int k = 0; k < kTrialSteps; ++k) {
        Simulation::StepOptions options;
        options.stop = stop;
        options.hash = false;
        const StepReport& report = copy.step(options);
        if (integrators::hasFailed(report.status) || report.maxStrain > kTrialStrain) return false;
        const double gained = report.elasticJ() + report.kineticJ;
        if (gained > kTrialGrowth * before + std::abs(report.gravityJ) + 1) return false;
    }
    return true;
}

/// The fastest pin or solid of the step, in mesh spacings a step; empty words where it is slow.
std::string fastHolds(const Simulation& simulation) {
    const integrators::SimulationState& state = simulation.state();
    const double dt = simulation.settings().integrator.dt;
    double spacing = simulation.model().patches.front().spacing, fastest = 0;
    for (const cloth::ClothModel::Patch& patch : simulation.model().patches) spacing = std::min(spacing, patch.spacing);
    for (const integrators::Pin& pin : integrators::holdingPins(state, simulation.model())) {
        const auto p = integrators::prescribedBy(pin, state.pinMotion(pin), state.x[pin.particle], state.time + dt, dt);
        fastest = std::max(fastest, (p.velocity - Vec3(state.v[pin.particle])).norm());
    }
    if (!(fastest * dt > spacing)) return {};
    return fmt::format("A pin changes its velocity by {:.3g} m/s in the step, {:.2g} mesh widths. ", fastest,
                       fastest * dt / spacing);
}

}  // namespace

std::vector<std::string> findWarnings(const cloth::ClothModel& model, std::span<const contact::Collider> colliders,
                                      const integrators::SimulationState& state) {
    std::vector<Index> held;
    for (const integrators::Pin& pin : state.pins) held.push_back(pin.particle);
    std::vector<std::string> found;
    std::ranges::sort(held);
    for (const contact::BeginsInside& inside : contact::particlesInside(colliders, state.time, state.x, held))
        found.push_back(contact::sentence(
            inside, model.outsideNumber.empty() ? inside.deepest : model.outsideNumber[inside.deepest]));
    for (const contact::Collider& collider : colliders) {
        const auto* mesh = std::get_if<geometry::MeshSolid>(&collider.shape);
        constexpr double kMuch = 0.2;
        const double share = mesh ? contact::shareTooThin(*mesh) : 0;
        if (share > kMuch)
            found.push_back(
                fmt::format("{:.0f} % of the surface of \"{}\" is of parts thinner than a cell of its distance field "
                            "({:.2g} m): cloth goes through them. Raise its cells.",
                            100 * share, collider.name, mesh->field->cell()));
    }
    return found;
}

Cure findCure(const Simulation& simulation, const std::stop_token& stop) {
    Cure cure;
    for (const std::string& warning : findWarnings(simulation.model(), simulation.colliders(), simulation.state()))
        cure.words += warning + " ";
    if (!cure.words.empty() && simulation.state().step == 0) cure.words += "Move the cloth or the solid apart. ";
    cure.words += fastHolds(simulation);
    std::string tried;
    for (const auto& [assignment, words] : trialsFor(simulation.settings())) {
        if (stop.stop_requested()) return cure;
        scene::Scene changed = simulation.scene();
        if (!scene::applyOverride(changed, assignment)) continue;
        if (!scene::findFault(changed.settings).message.empty()) continue;
        if (succeeds(simulation, changed.settings, stop)) {
            cure.words +=
                fmt::format("Tried on a copy: with {} ({}) the next {} steps succeed.", assignment, words, kTrialSteps);
            cure.assignment = assignment;
            cure.settings = changed.settings;
            return cure;
        }
        tried += (tried.empty() ? "" : ", ") + assignment;
    }
    cure.words += fmt::format("Tried on copies without success: {}.", tried);
    return cure;
}

std::string withCure(const StepReport& report, const Cure& cure) {
    std::string message = report.message;
    if (!report.advice.empty() && message.ends_with(report.advice))
        message.resize(message.size() - report.advice.size());
    return message + cure.words;
}

}  // namespace clothlab::simulation
