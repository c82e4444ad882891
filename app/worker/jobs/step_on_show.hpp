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

/// The system of a step, with its end state.
struct RemadeStep : experiments::FrozenStep {
    integrators::SimulationState after;
    std::vector<contact::ColliderPose> colliders;
    StepOrigin shown;  ///< which step of the motion
};

/// The step that led to the state shown, or, where that is not known (at the start), the next step: all data to repeat
/// it on another thread with a second simulation, so that the one in the window is neither stopped nor changed.
struct StepOnShow {
    scene::Scene scene;      ///< with the settings that the step was made with
    scene::Settings active;  ///< current ones
    /// The start of the step, with its pins and grab; preceded by the step before, where that is known.
    std::vector<integrators::SimulationState> starts;
    StepOrigin origin;
    int threads = 1;

    static StepOnShow of(const JobContext& context);

    /// None on failure; `problem` then says why.
    std::optional<RemadeStep> remake(const std::stop_token& stop, std::string& problem) const;
};

}  // namespace clothlab::app::worker
