#include "worker/jobs/work_job.hpp"

#include "worker/jobs/job_context.hpp"
#include "worker/jobs/work_measurement.hpp"

namespace clothlab::app::worker {
namespace {

class Measurements final : public WorkJob::Job {
public:
    void ask(WorkJob::Request request, const JobContext& context) override {
        std::visit([&](auto& what) { carryOut(what, context); }, request);
    }

private:
    /// The motion continues meanwhile, held in slices of a frame or two.
    void carryOut(StartWork& what, const JobContext& context) {
        WorkOrder order{.scene = context.simulation.scene(),
                        .start = {},
                        .request = std::move(what.request),
                        .origin = {.mesh = context.mesh, .toCome = true},
                        .threads = context.simulation.threads(),
                        .live = what.live};
        order.origin.made = std::make_shared<const scene::Settings>(order.scene.settings);
        if (!what.fromStart) {
            order.start = std::make_shared<const integrators::SimulationState>(context.simulation.state());
            order.origin.step = order.start->step;
            order.origin.shown = context.simulation.history().identity(order.start->step);
        }
        context.thread.replace([this, order = std::move(order), gate = &context.gate](const std::stop_token& stop) {
            work_.measure(order, *gate, stop, show_);
        });
    }
    void carryOut(OpenWork& what, const JobContext& context) {
        context.thread.cancel();  // or the file would be seen when what runs is over
        context.thread.add([this, path = what.path](const std::stop_token&) { work_.open(path, show_); });
    }
    void carryOut(SaveWork& what, const JobContext& context) {
        context.thread.add([this, path = what.path](const std::stop_token&) { work_.save(path, show_); });
    }

    // --- the background thread's
    WorkMeasurement work_;
    const WorkMeasurement::Publish show_ = [this](const WorkProgress& progress) { publish(progress); };
};

}  // namespace

std::unique_ptr<WorkJob::Job> WorkJob::make() { return std::make_unique<Measurements>(); }

}  // namespace clothlab::app::worker
