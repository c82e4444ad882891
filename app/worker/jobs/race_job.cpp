#include "worker/jobs/race_job.hpp"

#include "experiments/race/race_bundle.hpp"
#include "worker/jobs/step_on_show.hpp"

namespace clothlab::app::worker {
namespace {

/// Those that are named, if they can take part, or else those of the choice.
std::vector<experiments::Contestant> fieldFor(const scene::Settings& active, const experiments::RaceOptions& options) {
    if (!options.names.empty())
        if (auto named = experiments::contestantsNamed(active, options.names, options.programs))
            return std::move(*named);
    std::vector<experiments::Contestant> field = experiments::raceField(active, options.choice);
    for (experiments::Contestant& one : experiments::toContestants(options.programs)) field.push_back(std::move(one));
    return field;
}

class Races final : public RaceJob::Job {
public:
    void ask(RaceJob::Request request, const JobContext& context) override {
        if (const auto* start = std::get_if<StartRace>(&request))
            context.thread.replace([this, start = *start, step = StepOnShow::of(context), gate = &context.gate](
                                       const std::stop_token& stop) { run(start, step, *gate, stop); });
        else
            context.thread.add([this, what = std::get<SaveRace>(request)](const std::stop_token&) { save(what); });
    }

private:
    // --- the background thread's
    void run(const StartRace& start, const StepOnShow& source, StepGate& gate, const std::stop_token& stop);
    void save(const SaveRace& what);
    void show(RaceProgress progress) {
        last_ = progress;
        publish(std::move(progress));
    }

    std::uint64_t serial_ = 0;
    RaceProgress last_;
    scene::Scene scene_;  ///< of the last race, for its bundle: with the settings that the step was made with
    linalg::FrozenSystem system_;
    experiments::SystemOrigin origin_;
};

void Races::run(const StartRace& start, const StepOnShow& source, StepGate& gate, const std::stop_token& stop) {
    RaceProgress progress{
        .serial = ++serial_, .running = true, .origin = source.origin, .result = {}, .problem = {}, .saved = {}};
    show(progress);
    auto step = source.remake(stop, progress.problem);
    if (!step) {
        progress.running = false;
        show(std::move(progress));
        return;
    }
    system_ = std::move(step->system);
    origin_ = std::move(step->origin);
    scene_ = source.scene;
    scene::Settings active = scene_.settings;  // what a row is compared with, whatever made the step
    active.solver = source.active.solver;
    active.preconditioner = source.active.preconditioner;
    const auto label = [&](experiments::RaceResult result) {
        result.scene = scene_.name;
        result.live = start.live;
        return result;
    };
    experiments::RaceControl control{.stop = stop};
    control.positions = &origin_.x;
    if (!start.live) {
        control.hold = [&gate] { gate.hold(); };
        control.release = [&gate] { gate.release(); };
    }
    control.onRow = [&](const experiments::RaceResult& so, double share) {
        show({.serial = serial_,
              .running = true,
              .share = share,
              .origin = source.origin,
              .result = label(so),
              .problem = {},
              .saved = {}});
    };
    WorkerPool pool(source.threads);
    progress.result = label(experiments::race(system_, step->earlier ? &*step->earlier : nullptr,
                                              fieldFor(active, start.options), start.options, control, pool));
    progress.running = false;
    progress.share = 1;
    show(std::move(progress));
}

void Races::save(const SaveRace& what) {
    if (last_.result.rows.empty()) return;
    const std::string& path = what.folder;
    RaceProgress progress = last_;
    if (last_.serial != what.serial) {
        progress.problem = "The race before was not saved: this one had begun.";
        return show(std::move(progress));
    }
    InputFiles inputs;
    inputs.add(scene_.file);
    const auto names = experiments::raceBundleNames();
    auto done = OutputFolder::create(path, names, inputs).and_then([&](const OutputFolder& folder) {
        return experiments::writeRaceBundle(folder, progress.result, system_, scene_, &origin_);
    });
    progress.problem = done ? "" : done.error().text();
    progress.saved = done ? path : "";
    show(std::move(progress));
}

}  // namespace

std::unique_ptr<RaceJob::Job> RaceJob::make() { return std::make_unique<Races>(); }

}  // namespace clothlab::app::worker
