#include "window/film_taker.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.hpp"

namespace clothlab::app::window {

using model::FilmFormat;
using Phase = worker::Snapshot::Replayed::Phase;

void FilmTaker::update(model::UiModel& model, const worker::Snapshot& now, bool settled, const InputFiles& inputs,
                       const Camera& camera) {
    if (std::exchange(model.film.turned, false)) {
        if (!running()) return begin(model, now, inputs, camera);
        return end(model, "");
    }
    if (!running() || !settled) return;
    if (std::exchange(pausing_, false)) return step(model, now);
    // A recording goes back, restarts and loads scenes by itself.
    if (replays_ && now.replayed.phase == Phase::Ended) return end(model, "end of the recording");
    if (replays_ && now.replayed.phase == Phase::Left) return end(model, "the motion was moved by hand");
    if (!now.mesh || (!replays_ && now.mesh->revision != mesh_)) return end(model, "another scene has come");
    if (!replays_ && !now.problem.empty()) return end(model, "the simulation has stopped");
    if (playedStep(now) != awaited_) return end(model, "the motion was moved by hand");
    auto drawn = camera();
    if (!drawn) return end(model, drawn.error().message);
    render::Image& frame = *drawn;
    if (frame.width != width_ || frame.height != height_) return end(model, "the window has another size now");
    if (auto added = writer_->add(std::move(frame)); !added) {
        writer_.reset();
        model.film.running = false;
        return model.say(added.error().text(), true);
    }
    if (++model.film.frames == model.film.wanted) return end(model, "");
    step(model, now);
}

void FilmTaker::begin(model::UiModel& model, const worker::Snapshot& now, const InputFiles& inputs,
                      const Camera& camera) {
    if (!now.mesh) return;
    const bool gif = model.pictureSettings.format == FilmFormat::Gif;
    const std::string ending = gif ? ".gif" : ".mp4";
    if (model.isOpen(model::Panel::SlowMotion))
        return model.say("Slow motion would not move in a film: close it first.", true);
    const auto first = camera();
    if (!first) return model.say(first.error().text(), true);
    width_ = first->width;
    height_ = first->height;
    mesh_ = now.mesh->revision;
    replays_ = now.replayed.phase == Phase::On;
    path_ = model::freeName(model::pictureName(now), ending);
    auto writer = frames::FilmWriter::create(
        path_, width_, height_, frames::filmRate(frames::filmKind(path_), now.settings.integrator.dt), inputs);
    if (!writer) return model.say(writer.error().text(), true);
    writer_ = std::move(*writer);
    model.film = {.running = true, .wanted = model.pictureSettings.steps};
    model.say({}, false);  // a film of the window shows no messages from before
    if (model.playing) togglePlaying(model);
    pausing_ = true;  // a step may be on its way
}

void FilmTaker::step(model::UiModel& model, const worker::Snapshot& now) {
    awaited_ = playedStep(now) + 1;
    stepOnce(model);
}

void FilmTaker::end(model::UiModel& model, const std::string& why) {
    const int frames = model.film.frames;
    const auto written = frames > 0 ? writer_->finish() : Expected<void>();
    writer_.reset();
    model.film.running = false;
    if (frames == 0) return model.say(fmt::format("no film: {}", why.empty() ? "it has no frame yet" : why), true);
    if (!written) return model.say(written.error().text(), true);
    model.say(fmt::format("saved {}: {} frame{}{}", std::filesystem::absolute(path_).string(), frames, plural(frames),
                          why.empty() ? "" : "; " + why),
              false);
}

}  // namespace clothlab::app::window
