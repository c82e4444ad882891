#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/race/nonlinear_race.hpp"
#include "geometry/grid.hpp"
#include "worker/jobs/background_job.hpp"
#include "worker/jobs/step_origin.hpp"

namespace clothlab::app::worker {

/// Freezes the state from which the step shown was taken, and races on it what goes down the energy of an implicit
/// Euler step; the iterates of local/global that [L] figure 3 shows are kept.
struct StartDescent {};

/// How far a descent has come; the minimum and each row make a new one. All that is drawn of it is here: the window may
/// have gone on to another scene.
struct DescentProgress {
    std::uint64_t serial = 0;  ///< of the descent
    bool running = false, stopped = false;
    double share = 0;
    StepOrigin origin;
    scene::Settings made;  ///< what the motion took the step with
    scene::CameraHint camera;
    std::shared_ptr<const std::vector<geometry::Triangle>> triangles;
    int searched = 0;         ///< iterations in which the minimum has been looked for
    double gradientLeft = 1;  ///< what they have left of the gradient
    experiments::NonlinearRace race;
    std::string problem;  ///< why there is no race, or empty
};

struct DescentJob : JobKind<std::variant<StartDescent>, DescentProgress> {
    static std::unique_ptr<Job> make();
};

}  // namespace clothlab::app::worker
