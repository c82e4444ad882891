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
    bool sameStep = false;  ///< of the step that was frozen last, if there is one of this mesh; else of the step shown
};

/// The iterates of a step with what stood around the cloth at its end, or why there are none.
struct SlowMotionResult {
    std::uint64_t request = 0;  ///< what it answers
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
