#include "worker/frame_job.hpp"

#include <algorithm>

#include "base/platform.hpp"
#include "experiments/race_text.hpp"
#include "worker/either_stop.hpp"

namespace clothlab::app::worker {

FrameJob::FrameJob(StepGate& gate) : gate_(gate), thread_([this](const std::stop_token& stop) { run(stop); }) {}

// --- the simulation's side -------------------------------------------------------------------------------------------

/// Ends what runs; the token of what comes.
std::stop_token FrameJob::restart() {
    cancel();
    cancel_ = std::stop_source();
    return cancel_.get_token();
}

void FrameJob::race(Source source, const experiments::RaceOptions& options, bool live) {
    requests_.push(RaceRequest{std::move(source), options, live, restart()});
}

void FrameJob::slowMotion(Source source, const StartSlowMotion& what) {
    requests_.push(SlowRequest{std::move(source), what, restart()});
}

void FrameJob::sparsity(Source source, const ShowSparsity& what) {
    requests_.push(SparsityRequest{std::move(source), what});
}

void FrameJob::save(const std::string& folder) { requests_.push(SaveRequest{folder}); }

void FrameJob::measureWork(WorkOrder order) { requests_.push(WorkRequest{std::move(order), restart()}); }

void FrameJob::openWork(const std::string& path) {
    cancel();  // or the file would be seen when what runs is over
    requests_.push(OpenWorkRequest{path});
}

void FrameJob::saveWork(const std::string& path) { requests_.push(SaveWorkRequest{path}); }

bool FrameJob::update() {
    const bool raced = races_.take(), moved = motions_.take(), seen = sparsities_.take(), measured = works_.take();
    return raced || moved || seen || measured;
}

// --- the job's side --------------------------------------------------------------------------------------------------

void FrameJob::run(const std::stop_token& stop) {
    platform::singleThreadedBlas();
    std::vector<Request> batch;
    while (!stop.stop_requested()) {
        requests_.wait(stop);
        requests_.drain(batch);
        for (Request& request : batch)
            if (!stop.stop_requested()) std::visit([&](auto& r) { carryOut(r, stop); }, request);
    }
}

void FrameJob::publish(RaceProgress progress) {
    last_ = std::move(progress);
    races_.back() = std::make_shared<const RaceProgress>(last_);
    races_.publish();
}

std::optional<FrameJob::Frame> FrameJob::freeze(const Source& source, const std::stop_token& stop,
                                                std::string& problem) {
    auto made = simulation::Simulation::create(source.scene, source.threads);
    if (!made) {
        problem = made.error().text();
        return {};
    }
    simulation::Simulation& simulation = **made;
    const auto setStart = [&](int step) {
        simulation.setState(source.starts[step - 1]);
        return true;
    };
    auto frozen = experiments::freezeStep(simulation, int(source.starts.size()), {.stop = stop, .before = setStart});
    if (!frozen) {
        const bool sentence = frozen.error().why == experiments::NotFrozen::Why::StepFailed;
        problem = frozen.error().message + (sentence ? "" : ".");
        return {};
    }
    Frame frame{std::move(*frozen), {}, {}, source.mesh};
    frame.after = simulation.state();
    for (const contact::Collider& collider : simulation.colliders())
        frame.colliders.push_back(contact::poseAt(collider, frame.after.time));
    return frame;
}

void FrameJob::carryOut(RaceRequest& request, const std::stop_token& stop) {
    const EitherStop either(request.cancelled, stop);
    RaceProgress progress{.serial = ++raceSerial_, .running = true, .result = {}, .problem = {}, .saved = {}};
    publish(progress);
    auto frame = freeze(request.source, either.token(), progress.problem);
    if (!frame) {
        progress.running = false;
        publish(std::move(progress));
        return;
    }
    racedSystem_ = std::move(frame->system);
    racedOrigin_ = std::move(frame->origin);
    racedScene_ = std::move(request.source.scene);
    scene::Settings active = racedScene_.settings;  // what a row is compared with, whatever made the step
    active.solver = request.source.active.solver;
    active.preconditioner = request.source.active.preconditioner;
    const auto label = [&](experiments::RaceResult result) {
        result.scene = racedScene_.name;
        result.live = request.live;
        return result;
    };
    experiments::RaceControl control{.stop = either.token()};
    if (!request.live) {
        control.hold = [this] { gate_.hold(); };
        control.release = [this] { gate_.release(); };
    }
    control.onRow = [&](const experiments::RaceResult& so, double share) {
        publish(
            {.serial = raceSerial_, .running = true, .share = share, .result = label(so), .problem = {}, .saved = {}});
    };
    WorkerPool pool(request.source.threads);
    progress.result = label(experiments::race(racedSystem_, frame->earlier ? &*frame->earlier : nullptr,
                                              experiments::raceField(active, request.options.choice), request.options,
                                              control, pool));
    progress.running = false;
    progress.share = 1;
    publish(std::move(progress));
}

void FrameJob::carryOut(SlowRequest& request, const std::stop_token& stop) {
    constexpr std::size_t kMostBytes = 100'000'000;  // of each method
    const EitherStop either(request.cancelled, stop);
    SlowMotionResult result{.request = request.what.request,
                            .mesh = request.source.mesh,
                            .motion = {},
                            .pins = {},
                            .colliders = {},
                            .problem = {}};
    const bool same = request.what.sameStep && slowFrame_ && slowFrame_->mesh == request.source.mesh;
    if (!same) slowFrame_ = freeze(request.source, either.token(), result.problem);
    if (slowFrame_) {
        const Frame& frame = *slowFrame_;
        const std::size_t bytes = std::size_t(frame.system.A.rows()) * (3 * sizeof(double) + sizeof(float));
        const std::size_t most = std::clamp<std::size_t>(kMostBytes / std::max<std::size_t>(bytes, 1), 20, 400);
        WorkerPool pool(request.source.threads);
        result.motion =
            experiments::recordSlowMotion({frame.system, frame.earlier ? &*frame.earlier : nullptr, frame.after.x},
                                          request.what.methods, most, either.token(), pool);
        for (const integrators::Pin& pin : frame.after.pins) result.pins.push_back(pin.particle);
        result.colliders = frame.colliders;
    }
    if (either.token().stop_requested()) return;
    motions_.back() = std::make_shared<const SlowMotionResult>(std::move(result));
    motions_.publish();
}

void FrameJob::carryOut(SparsityRequest& request, const std::stop_token& stop) {
    constexpr int kMostCells = 360;
    SparsityResult result{.blocks = {}, .raster = {}, .problem = {}};
    if (const auto frame = freeze(request.source, stop, result.problem)) {
        const auto& [of, ordering, byComponents] = request.what;
        const experiments::Sparsity& s = result.blocks =
            experiments::sparsity(frame->system, of, ordering, byComponents);
        result.cells = std::min<int>(kMostCells, s.places());
        result.raster.assign(result.cells * std::size_t(result.cells), 0);
        const auto cellOf = [&](Index place) { return std::size_t(std::int64_t(place) * result.cells / s.places()); };
        for (Index i = 0; i < s.places(); ++i)
            for (std::size_t k = s.rowStart[i]; k < s.rowStart[i + 1]; ++k) {
                std::uint8_t& cell = result.raster[cellOf(i) * std::size_t(result.cells) + cellOf(s.column[k])];
                cell = std::max(cell, std::uint8_t(int(s.kind[k]) + 1));
            }
    }
    if (stop.stop_requested()) return;
    sparsities_.back() = std::make_shared<const SparsityResult>(std::move(result));
    sparsities_.publish();
}

void FrameJob::publishWork(const WorkProgress& progress) {
    works_.back() = std::make_shared<const WorkProgress>(progress);
    works_.publish();
}

void FrameJob::carryOut(WorkRequest& request, const std::stop_token& stop) {
    const EitherStop either(request.cancelled, stop);
    work_.measure(request.order, gate_, either.token(),
                  [this](const WorkProgress& progress) { publishWork(progress); });
}

void FrameJob::carryOut(OpenWorkRequest& request, const std::stop_token&) {
    work_.open(request.path, [this](const WorkProgress& progress) { publishWork(progress); });
}

void FrameJob::carryOut(SaveWorkRequest& request, const std::stop_token&) {
    work_.save(request.path, [this](const WorkProgress& progress) { publishWork(progress); });
}

void FrameJob::carryOut(SaveRequest& request, const std::stop_token&) {
    if (last_.result.rows.empty()) return;
    RaceProgress progress = last_;
    InputFiles inputs;
    inputs.add(racedScene_.file);
    const auto names = experiments::raceBundleNames();
    auto done = OutputFolder::create(request.folder, names, inputs).and_then([&](const OutputFolder& folder) {
        return experiments::writeRaceBundle(folder, progress.result, racedSystem_, racedScene_, &racedOrigin_);
    });
    progress.problem = done ? "" : done.error().text();
    progress.saved = done ? request.folder : "";
    publish(std::move(progress));
}

}  // namespace clothlab::app::worker
