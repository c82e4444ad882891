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

/// Freezes the state from which the step shown was taken, and races on it the methods that minimise the energy of an
/// implicit Euler step; the iterates of local/global of [L] figure 3 are kept.
struct StartDescent {};

/// Progress of a descent; the minimum and each row publish a new one. It has all data for drawing, since the window may
/// show another scene by then.
struct DescentProgress {
    std::uint64_t serial = 0;  ///< of the descent
    bool running = false, stopped = false;
    double share = 0;
    StepOrigin origin;
    scene::Settings made;  ///< settings of the step
    scene::CameraHint camera;
    std::shared_ptr<const std::vector<geometry::Triangle>> triangles;
    int searched = 0;         ///< iterations of the search for the minimum so far
    double gradientLeft = 1;  ///< norm of the gradient, relative to the start
    experiments::NonlinearRace race;
    std::string problem;  ///< why there is no race, or empty
};

struct DescentJob : JobKind<std::variant<StartDescent>, DescentProgress> {
    static std::unique_ptr<Job> make();
};

}  // namespace clothlab::app::worker
