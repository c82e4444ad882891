#include "worker/jobs/step_on_show.hpp"

#include "integrators/stages/holding_pins.hpp"

namespace clothlab::app::worker {

StepOnShow StepOnShow::of(const JobContext& context) {
    const simulation::Simulation& now = context.simulation;
    const simulation::History& history = now.history();
    StepOnShow source{
        .scene = now.scene(), .active = now.settings(), .starts = {}, .origin = {}, .threads = now.threads()};
    const std::int64_t shown = now.state().step;
    for (const std::int64_t step :
         {shown - 1, shown}) {  // the one before is wanted by methods that bring a factor along
        const auto *before = history.find(step - 1), *after = history.find(step);
        if (!before || !after) continue;
        source.starts.push_back(*before);
        // Set between two steps, they are first in the state that the step led to.
        integrators::copyPinsAndGrab(*after, source.starts.back());
    }
    const bool toCome = source.starts.empty();
    if (toCome)
        source.starts.push_back(now.state());
    else if (const auto madeWith = history.findSettings(shown))
        source.scene.settings = *madeWith;
    source.origin = {.mesh = context.mesh,
                     .step = source.starts.back().step + 1,
                     .toCome = toCome,
                     .shown = history.identity(shown),
                     .made = std::make_shared<const scene::Settings>(source.scene.settings)};
    return source;
}

std::optional<RemadeStep> StepOnShow::remake(const std::stop_token& stop, std::string& problem) const {
    auto made = simulation::Simulation::create(scene, threads);
    if (!made) {
        problem = made.error().text();
        return {};
    }
    simulation::Simulation& simulation = **made;
    const auto setStart = [&](int step) {
        simulation.setState(starts[step - 1]);
        return true;
    };
    auto frozen = experiments::freezeStep(simulation, int(starts.size()), {.stop = stop, .before = setStart});
    if (!frozen) {
        const bool sentence = frozen.error().why == experiments::NotFrozen::Why::StepFailed;
        problem = frozen.error().message + (sentence ? "" : ".");
        return {};
    }
    RemadeStep step{std::move(*frozen), {}, {}, origin};
    step.after = simulation.state();
    step.after.pins = integrators::holdingPins(step.after, simulation.model());
    for (const contact::Collider& collider : simulation.colliders())
        step.colliders.push_back(contact::poseAt(collider, step.after.time));
    return step;
}

}  // namespace clothlab::app::worker
