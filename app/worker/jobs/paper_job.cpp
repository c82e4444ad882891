#include "worker/jobs/paper_job.hpp"

#include "base/stage_timer.hpp"
#include "worker/jobs/job_context.hpp"

namespace clothlab::app::worker {
namespace {

class Tables final : public PaperJob::Job {
public:
    void ask(PaperJob::Request request, const JobContext&) override {
        if (std::holds_alternative<StopTable>(request)) return thread_.cancel();
        thread_.replace(
            [this, what = std::get<StartTable>(std::move(request))](const std::stop_token& stop) { run(what, stop); });
    }

private:
    void run(const StartTable& what, const std::stop_token& stop) {
        TableProgress progress{.serial = ++serial_, .name = what.name, .running = true, .quick = what.options.quick};
        publish(progress);
        const StageTimer timer;
        papers::ReproduceControl control{.stop = stop};
        control.progress = [&](std::string_view now, double share) {
            progress.now = std::string(now);
            progress.share = share;
            progress.seconds = timer.seconds();
            publish(progress);
        };
        auto table = papers::reproduce(what.name, what.options, control);
        progress.running = false;
        progress.seconds = timer.seconds();
        progress.stopped = stop.stop_requested();
        // A table of random sets that was stopped has those that are finished.
        if (table)
            progress.table = std::make_shared<const papers::Reproduction>(std::move(*table));
        else if (!progress.stopped)
            progress.problem = table.error().text();
        publish(std::move(progress));
    }

    std::uint64_t serial_ = 0;
    BackgroundThread thread_;  ///< last, and its own: a race that is begun meanwhile ends no table of hours
};

}  // namespace

std::unique_ptr<PaperJob::Job> PaperJob::make() { return std::make_unique<Tables>(); }

}  // namespace clothlab::app::worker
