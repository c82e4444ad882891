#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contact/collider.hpp"
#include "experiments/race/slow_motion.hpp"
#include "worker/jobs/background_job.hpp"
#include "worker/jobs/step_origin.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::worker {

/// Freezes the step shown, and keeps the iterates of one or two methods.
struct StartSlowMotion {
    std::vector<experiments::Contestant> methods;
    std::uint64_t request = 0;  ///< comes back with the answer
    bool sameStep = false;      ///< uses the last frozen step, if it is of this mesh; else the step shown
};

/// The iterates of a step, with its pins and the solids at its end, or why there are none.
struct SlowMotionResult {
    std::uint64_t request = 0;  ///< the request answered
    StepOrigin origin;
    experiments::SlowMotion motion;
    std::vector<Index> pins;
    std::vector<Snapshot::PinGuide> pinGuides;
    std::vector<contact::ColliderPose> colliders;
    std::string problem;
};

struct SlowMotionJob : JobKind<std::variant<StartSlowMotion>, SlowMotionResult> {
    static std::unique_ptr<Job> make();
};

}  // namespace clothlab::app::worker
