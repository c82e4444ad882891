#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "experiments/sweep/work_precision.hpp"
#include "worker/jobs/step_gate.hpp"
#include "worker/jobs/work_job.hpp"

namespace clothlab::app::worker {

/// The runs of a measurement, and their start.
struct WorkOrder {
    scene::Scene scene;                                         ///< with the active settings
    std::shared_ptr<const integrators::SimulationState> start;  ///< null: at the scene's own start
    experiments::WorkPrecisionRequest request;
    StepOrigin origin;
    int threads = 1;
    bool live = false;  ///< the motion is not held during a measurement
};

/// Runs the order, one run after the other, and keeps the lines for a file. Owned by the thread of the background jobs.
class WorkMeasurement {
public:
    using Publish = std::function<void(const WorkProgress&)>;

    /// Publishes after each run, and progress during a run. Finished runs stay when the token is set.
    void measure(const WorkOrder& order, StepGate& gate, const std::stop_token& stop, const Publish& publish);
    void open(const std::string& path, const Publish& publish);
    /// Writes the lines; `clothlab plot` draws them.
    void save(const std::string& path, const Publish& publish);

private:
    void begin(const WorkOrder& order);

    WorkProgress progress_;
    std::string lines_;
};

}  // namespace clothlab::app::worker
