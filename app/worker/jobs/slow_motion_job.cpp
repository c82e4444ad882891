#include "worker/jobs/slow_motion_job.hpp"

#include <algorithm>

#include "worker/jobs/step_on_show.hpp"
#include "worker/snapshots/publish.hpp"

namespace clothlab::app::worker {
namespace {

/// The grid that the whole cloth is, with one spacing, or none.
std::optional<experiments::SlowMotionOf::Grid> toGrid(const scene::Scene& scene, const linalg::FrozenSystem& system) {
    if (scene.cloths.size() != 1) return {};
    const scene::ClothPatch& cloth = scene.cloths.front();
    if (cloth.rows < 2 || cloth.columns < 2 || cloth.grading != 1 ||
        Index(cloth.rows) * cloth.columns != system.A.rows())
        return {};
    if (cloth.mesh || cloth.solid) return {};
    return experiments::SlowMotionOf::Grid{cloth.rows, cloth.columns, cloth.side / (cloth.columns - 1)};
}

class SlowMotions final : public SlowMotionJob::Job {
public:
    void ask(SlowMotionJob::Request request, const JobContext& context) override {
        context.thread.replace(
            [this, what = std::get<StartSlowMotion>(std::move(request)),
             source = StepOnShow::of(context)](const std::stop_token& stop) { run(what, source, stop); });
    }

private:
    void run(const StartSlowMotion& what, const StepOnShow& source, const std::stop_token& stop);

    std::optional<RemadeStep> step_;  ///< of the last one: other methods are shown on the same step
};

void SlowMotions::run(const StartSlowMotion& what, const StepOnShow& source, const std::stop_token& stop) {
    constexpr std::size_t kMostBytes = 100'000'000;  // of each method
    SlowMotionResult result{.request = what.request,
                            .origin = source.origin,
                            .motion = {},
                            .pins = {},
                            .pinGuides = {},
                            .colliders = {},
                            .problem = {}};
    const bool same = what.sameStep && step_ && step_->shown.mesh == source.origin.mesh;
    if (!same) step_ = source.remake(stop, result.problem);
    if (step_) {
        const RemadeStep& step = *step_;
        result.origin = step.shown;
        const std::size_t bytes = std::size_t(step.system.A.rows()) * (3 * sizeof(double) + sizeof(float));
        const std::size_t most = std::clamp<std::size_t>(kMostBytes / std::max<std::size_t>(bytes, 1), 20, 400);
        WorkerPool pool(source.threads);
        result.motion = experiments::recordSlowMotion(
            {step.system, step.earlier ? &*step.earlier : nullptr, step.after.x, toGrid(source.scene, step.system)},
            what.methods, most, stop, pool);
        fillPins(step.after, step.after.pins, result.pins, result.pinGuides);
        result.colliders = step.colliders;
    }
    if (!stop.stop_requested()) publish(std::move(result));
}

}  // namespace

std::unique_ptr<SlowMotionJob::Job> SlowMotionJob::make() { return std::make_unique<SlowMotions>(); }

}  // namespace clothlab::app::worker
