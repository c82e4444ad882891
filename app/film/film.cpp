#include "film/film.hpp"

#include <algorithm>
#include <cmath>

#include "film/studio.hpp"
#include "frames/film_writer.hpp"
#include "render/gl/capture.hpp"
#include "simulation/simulation.hpp"
#include "worker/pace_meter.hpp"
#include "worker/snapshots/publish.hpp"

namespace clothlab::app::film {
namespace {

/// How many frames are due when the simulation has come to `time`, `done` being written already.
class FrameClock {
public:
    FrameClock(const FilmOptions& options, double dt) : every_(std::max(options.every, 1)) {
        const frames::FilmKind kind = frames::filmKind(options.out);
        byTime_ = options.fps > 0 || kind == frames::FilmKind::Film || kind == frames::FilmKind::Gif;
        fps_ = options.fps > 0 ? options.fps : frames::filmRate(kind, dt * every_);
    }
    double fps() const { return fps_; }
    int due(double elapsed, int step, int done) const {
        if (!byTime_) return step % every_ == 0 ? 1 : 0;
        constexpr double kRounding = 1e-6;  // frames
        return std::max(0, int(std::floor(elapsed * fps_ + kRounding)) + 1 - done);
    }

private:
    bool byTime_;
    int every_;
    double fps_;
};

/// A frame, with panels or without.
render::Image drawn(Studio& studio, FilmPanels* panels, const worker::Snapshot& snapshot, render::ViewState& view,
                    const render::DrawTarget& target) {
    if (panels) panels->layOut(snapshot, view, target);
    studio.renderer->draw(snapshot, view, target);
    if (panels) panels->paint(target);
    return render::readFramebuffer(target.framebuffer, target.height, 0, 0, target.width, target.height);
}

}  // namespace

Expected<FilmSummary> makeFilm(simulation::Simulation& simulation, const FilmOptions& options) {
    auto studio = openStudio(options.width, options.height, options.shaderFolder);
    if (!studio) return fail(studio.error());
    auto made = options.panels ? options.panels() : nullptr;
    if (!made) return fail(made.error());
    const std::unique_ptr<FilmPanels> panels = std::move(*made);
    const FrameClock clock(options, simulation.settings().integrator.dt);
    auto writer = frames::FilmWriter::create(options.out, options.width, options.height, clock.fps(), options.inputs);
    if (!writer) return fail(writer.error());

    worker::Snapshot snapshot = firstSnapshot(simulation);
    render::ViewState view = initialView(snapshot, options.width, options.height);
    view.overlay = options.overlay;
    view.lightTheme = options.lightTheme;
    const render::DrawTarget target{studio->target->framebuffer(), options.width, options.height};
    const bool lastOnly = frames::filmKind(options.out) == frames::FilmKind::Picture;
    const double start = simulation.state().time;
    const std::int64_t firstStep = simulation.state().step;
    worker::PaceMeter pace;
    double stepping = 0;  // s, spent in steps

    FilmSummary summary;
    for (int step = 0;; ++step) {
        const bool last = step == options.steps || summary.diverged;
        int due = lastOnly ? (last ? 1 : 0) : clock.due(simulation.state().time - start, step, summary.frames);
        if (panels && summary.diverged) due = std::max(due, 1);  // the frame that says why it ends
        // Scenes are fitted to their first state, so that one is published even when only the last is drawn.
        if (due > 0 || step == 0) {
            worker::fillSnapshot(simulation, render::requestFor(options.overlay), snapshot);
            worker::refreshTopology(simulation, snapshot.mesh);
            // The timeline of a film is the film.
            snapshot.historyFirst = firstStep;
            snapshot.historyLast = firstStep + options.steps;
            snapshot.realTimeFactor = pace.factor();
            ++snapshot.revision;
        }
        if (step == 0) studio->renderer->fitTo(snapshot);
        if (due > 0) {
            if (auto added = (*writer)->add(drawn(*studio, panels.get(), snapshot, view, target), due); !added)
                return fail(added.error());
            summary.frames += due;
        }
        if (last) break;
        simulation.step({.stop = options.stop});
        if (options.stop.stop_requested()) {
            summary.stopped = true;
            if (auto left = (*writer)->leave(); !left) return fail(left.error());
            return summary;
        }
        summary.message = snapshot.problem = worker::lastProblem(simulation);
        summary.diverged = !summary.message.empty();
        snapshot.playing = !summary.diverged;
        if (!summary.diverged) ++summary.steps;
        stepping += simulation.lastReport().stepMs / 1e3;
        pace.add(stepping, simulation.state().time - start);
        if (panels) panels->take(worker::lastReportEntry(simulation));
    }
    if (auto finished = (*writer)->finish(); !finished) return fail(finished.error());
    return summary;
}

}  // namespace clothlab::app::film
