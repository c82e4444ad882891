#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "contact/collider.hpp"
#include "experiments/systems/freeze.hpp"
#include "simulation/simulation.hpp"
#include "worker/jobs/job_context.hpp"
#include "worker/jobs/step_origin.hpp"

namespace clothlab::app::worker {

/// The system of a step, with where the step ended.
struct RemadeStep : experiments::FrozenStep {
    integrators::SimulationState after;
    std::vector<contact::ColliderPose> colliders;
    StepOrigin shown;  ///< which step of the motion
};

/// The step that led to the state shown, or, where that is not remembered (at the start), the step to come: all that
/// makes it anew on another thread, by a second simulation, so that the one in the window is neither stopped nor
/// changed.
struct StepOnShow {
    scene::Scene scene;      ///< with the settings that the step was made with
    scene::Settings active;  ///< those of now
    /// What the step begins at, with the pins and the grab that it has; where it is remembered, the step before comes
    /// first.
    std::vector<integrators::SimulationState> starts;
    StepOrigin origin;
    int threads = 1;

    static StepOnShow of(const JobContext& context);

    /// Nothing where `problem` then says why.
    std::optional<RemadeStep> remake(const std::stop_token& stop, std::string& problem) const;
};

}  // namespace clothlab::app::worker
