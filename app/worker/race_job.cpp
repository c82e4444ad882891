#include "worker/race_job.hpp"

#include "base/platform.hpp"
#include "simulation/race_text.hpp"

namespace clothlab::app {

void RaceJob::publish(RaceProgress progress) {
    last_ = std::move(progress);
    progress_.back() = std::make_shared<const RaceProgress>(last_);
    progress_.publish();
}

RaceJob::RaceJob(StepGate& gate) : gate_(gate), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void RaceJob::start(Input input) {
    cancel();
    cancel_ = std::stop_source();
    requests_.push({.race = std::move(input), .folder = {}, .cancelled = cancel_.get_token()});
}

void RaceJob::save(const std::string& folder) { requests_.push({.race = {}, .folder = folder, .cancelled = {}}); }

void RaceJob::run(const std::stop_token& stop) {
    platform::singleThreadedBlas();
    std::vector<Request> batch;
    while (!stop.stop_requested()) {
        requests_.wait(stop);
        requests_.drain(batch);
        for (Request& request : batch) {
            if (stop.stop_requested()) return;
            if (!request.race) {
                writeBundle(request.folder);
                continue;
            }
            input_ = std::move(*request.race);
            std::stop_source either;
            const std::stop_callback onCancel(request.cancelled, [&] { either.request_stop(); });
            const std::stop_callback onEnd(stop, [&] { either.request_stop(); });
            race(either.get_token());
        }
    }
}

void RaceJob::writeBundle(const std::string& folder) {
    if (last_.result.rows.empty()) return;
    RaceProgress progress = last_;
    const auto done = simulation::writeRaceBundle(folder, progress.result, system_, input_.scene);
    progress.problem = done ? "" : done.error().text();
    progress.saved = done ? folder : "";
    publish(std::move(progress));
}

/// The systems of the step asked for and of the one before, by a simulation of our own.
bool RaceJob::freeze(const std::stop_token& stop, std::string& problem) {
    auto made = simulation::Simulation::create(input_.scene, input_.threads);
    if (!made) {
        problem = made.error().text();
        return false;
    }
    simulation::Simulation& simulation = **made;
    simulation.setState(input_.state);
    hasEarlier_ = false;
    while (simulation.state().step < input_.step) {
        const auto& report = simulation.step({.stop = stop, .keepSystem = true, .hash = false});
        const linalg::FrozenSystem* system = simulation.systemOfLastStep();
        if (report.status >= integrators::StepStatus::Diverged || !system) {
            problem = report.status >= integrators::StepStatus::Diverged
                          ? report.message
                          : std::string(enumLabel(input_.scene.settings.integrator.kind)) + " solves no linear system.";
            return false;
        }
        if (simulation.state().step < input_.step) {
            earlier_ = *system;
            hasEarlier_ = true;
        } else {
            system_ = *system;
        }
    }
    return true;
}

void RaceJob::race(const std::stop_token& stop) {
    ++serial_;
    RaceProgress progress{.serial = serial_, .running = true, .result = {}, .problem = {}, .saved = {}};
    publish(progress);
    if (!freeze(stop, progress.problem)) {
        progress.running = false;
        publish(std::move(progress));
        return;
    }
    WorkerPool pool(input_.threads);
    const auto label = [&](simulation::RaceResult result) {
        result.scene = input_.scene.name;
        result.live = input_.live;
        return result;
    };
    simulation::RaceControl control{.stop = stop};
    if (!input_.live) {
        control.hold = [this] { gate_.hold(); };
        control.release = [this] { gate_.release(); };
    }
    control.onRow = [&](const simulation::RaceResult& so, double share) {
        publish({.serial = serial_, .running = true, .share = share, .result = label(so), .problem = {}, .saved = {}});
    };
    progress.result = label(simulation::race(system_, hasEarlier_ ? &earlier_ : nullptr,
                                             simulation::raceField(input_.scene.settings), input_.options, control, pool));
    progress.running = false;
    progress.share = 1;
    publish(std::move(progress));
}

}  // namespace clothlab::app
