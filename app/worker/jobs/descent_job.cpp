#include "worker/jobs/descent_job.hpp"

#include "base/stage_timer.hpp"
#include "simulation/simulation.hpp"
#include "worker/jobs/held_slices.hpp"
#include "worker/jobs/step_on_show.hpp"

namespace clothlab::app::worker {
namespace {

constexpr double kPublishEvery = 0.2;  // s

class Descents final : public DescentJob::Job {
public:
    void ask(DescentJob::Request, const JobContext& context) override {
        context.thread.replace([this, step = StepOnShow::of(context),
                                gate = &context.gate](const std::stop_token& stop) { run(step, *gate, stop); });
    }

private:
    void run(const StepOnShow& source, StepGate& gate, const std::stop_token& stop);

    std::uint64_t serial_ = 0;
};

void Descents::run(const StepOnShow& source, StepGate& gate, const std::stop_token& stop) {
    DescentProgress progress{.serial = ++serial_,
                             .running = true,
                             .origin = source.origin,
                             .made = source.scene.settings,
                             .camera = source.scene.camera,
                             .triangles = {},
                             .race = {.scene = source.scene.name, .step = int(source.starts.back().step) + 1},
                             .problem = {}};
    publish(progress);
    const auto finish = [&](std::string problem) {
        progress.running = false;
        progress.stopped = stop.stop_requested();
        if (!progress.stopped) progress.problem = std::move(problem);
        publish(progress);
    };
    auto made = simulation::Simulation::create(source.scene, source.threads);
    if (!made) return finish(made.error().text());
    (*made)->setState(source.starts.back());
    progress.triangles = std::make_shared<const std::vector<geometry::Triangle>>(
        cloth::wholeTriangles((*made)->model(), (*made)->state().brokenSprings));
    HeldSlices slices(gate);
    StageTimer sincePublished;
    const experiments::NonlinearControl control{.frames = {1, 10, 100, 1000},
                                                .stop = stop,
                                                .hold = [&] { slices.hold(); },
                                                .release = [&] { slices.pause(); },
                                                .onSearch =
                                                    [&](int iterations, double gradientLeft) {
                                                        if (sincePublished.seconds() < kPublishEvery) return;
                                                        sincePublished = {};
                                                        progress.searched = iterations;
                                                        progress.gradientLeft = gradientLeft;
                                                        publish(progress);
                                                    },
                                                .onRow =
                                                    [&](const experiments::NonlinearRace& so, double share) {
                                                        slices.release();
                                                        progress.race = so;
                                                        progress.share = share;
                                                        publish(progress);
                                                    }};
    auto race = experiments::raceNonlinear(**made, experiments::nonlinearField(source.scene.settings), control);
    slices.release();
    if (race) progress.race = std::move(*race);
    finish(race ? "" : race.error().text());
}

}  // namespace

std::unique_ptr<DescentJob::Job> DescentJob::make() { return std::make_unique<Descents>(); }

}  // namespace clothlab::app::worker
