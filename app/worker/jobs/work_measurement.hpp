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

/// Where runs begin, and which.
struct WorkOrder {
    scene::Scene scene;                                         ///< with the active settings
    std::shared_ptr<const integrators::SimulationState> start;  ///< null: at the scene's own start
    experiments::WorkPrecisionRequest request;
    StepOrigin origin;
    int threads = 1;
    bool live = false;  ///< the motion is not held while a time is taken
};

/// Runs what is asked for, one after the other, and keeps the lines for a file. The thread of the background jobs owns
/// it.
class WorkMeasurement {
public:
    using Publish = std::function<void(const WorkProgress&)>;

    /// Publishes after each run, and how far a run is. What was measured when the token is set stays.
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
