#include "film/lesson_film.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "film/lesson_page.hpp"
#include "film/studio.hpp"
#include "frames/film_writer.hpp"
#include "lessons/lesson_run.hpp"
#include "model/ghost_words.hpp"
#include "render/gl/capture.hpp"
#include "render/scene_fit.hpp"
#include "simulation/session.hpp"
#include "worker/snapshots/publish.hpp"

namespace clothlab::app::film {

using lessons::Facts;
using lessons::Lesson;
using lessons::LessonStep;

namespace {

/// Draws the states that a run of the lesson comes to, each for as long as its part gives it.
class LessonFilming {
public:
    LessonFilming(const Lesson& lesson, const LessonFilmOptions& options, std::vector<PartTimes> times, Studio& studio,
                  LessonPage& page, frames::FilmWriter& writer)
        : lesson_(lesson), options_(options), times_(std::move(times)), studio_(studio), page_(page), writer_(writer) {}

    /// The motion has come to one more state of a part; the first is that before its first step.
    void state(std::size_t part, const simulation::Session& session, const Facts& facts);
    /// The part is over, its facts are the last.
    void over(std::size_t part, std::span<const Facts> facts);
    const Expected<void>& written() const { return written_; }
    int frames() const { return frames_; }

private:
    int frameCount(double seconds) const { return std::max(0, int(std::floor(seconds * options_.fps + 1e-6))); }
    void begin(std::size_t part, const simulation::Session& session);
    void picture(std::size_t part, std::span<const Facts> facts, bool done, int times);
    void drawCloth(const LessonStep& step, render::Viewport place);
    std::string moment(std::size_t part, std::size_t taken, bool failed) const;

    const Lesson& lesson_;
    const LessonFilmOptions& options_;
    const std::vector<PartTimes> times_;
    Studio& studio_;
    LessonPage& page_;
    frames::FilmWriter& writer_;

    worker::Snapshot snapshot_, ghost_;
    render::Camera camera_;
    std::uint64_t meshes_ = 0;
    scene::OverlayKind overlay_ = scene::OverlayKind::None;
    std::vector<Facts> before_;       ///< of the parts that are over
    std::vector<double> distances_;   ///< of the ghost in this part
    std::optional<std::size_t> now_;  ///< part
    int shown_ = 0;                   ///< frames of its motion
    int frames_ = 0;
    Expected<void> written_;
};

void LessonFilming::begin(std::size_t part, const simulation::Session& session) {
    const bool anew = lessons::beginsAnew(lesson_, part);
    now_ = part;
    shown_ = 0;
    distances_.clear();
    const auto own = part == 0 ? lesson_.overlay.value_or(session.simulation().scene().overlay) : overlay_;
    overlay_ = lesson_.steps[part].overlay.value_or(own);
    if (!anew) return;
    snapshot_.mesh = worker::makeTopology(session.simulation(), ++meshes_);
    camera_ = render::Camera::fromHint(snapshot_.mesh->camera);
}

void LessonFilming::state(std::size_t part, const simulation::Session& session, const Facts& facts) {
    if (!written_) return;
    const bool first = now_ != part;
    if (first) begin(part, session);
    const auto& ghosts = session.ghosts();
    if (!first && !ghosts.empty()) distances_.push_back(ghosts.front()->largestDistance());
    // Frames of the motion that are due with this state; the first has those of the text.
    const int motion = frameCount(times_[part].motion), taken = int(facts.reports.size()),
              of = std::max(1, lesson_.steps[part].steps);
    const int due =
        first ? frameCount(times_[part].before) : int(std::int64_t(motion) * std::min(taken, of) / of) - shown_;
    if (due <= 0 && !first) return;
    worker::fillSnapshot(session.simulation(), render::requestFor(overlay_), snapshot_);
    worker::refreshTopology(session.simulation(), snapshot_.mesh);
    worker::fillGhosts(ghosts, snapshot_);
    ++snapshot_.revision;
    if (first && lessons::beginsAnew(lesson_, part)) studio_.renderer->fitTo(snapshot_);
    std::vector<Facts> all = before_;
    all.push_back(facts);
    picture(part, all, false, due);
    if (!first) shown_ += due;
}

void LessonFilming::over(std::size_t part, std::span<const Facts> facts) {
    if (!written_) return;
    // A motion that ended early leaves its time to what it came to.
    const int rest = lesson_.steps[part].steps > 0 ? frameCount(times_[part].motion) - shown_ : 0;
    picture(part, facts, true, frameCount(times_[part].after) + rest);
    before_.assign(facts.begin(), facts.end());
}

/// How far the motion is, and how much slower or faster than a clock.
std::string LessonFilming::moment(std::size_t part, std::size_t taken, bool failed) const {
    const LessonStep& step = lesson_.steps[part];
    if (step.steps == 0 || taken == 0) return {};
    if (failed) return fmt::format("step {} of {} was refused", taken, step.steps);
    std::string words = fmt::format("step {} of {}", taken, step.steps);
    const integrators::IntegratorSettings& integrator = snapshot_.settings.integrator;
    if (integrator.dtSchedule != integrators::DtSchedule::Fixed) return words;
    const double ratio = times_[part].motion / (integrator.dt * step.steps);
    constexpr double kAlike = 1.1;
    if (ratio > kAlike) return words + fmt::format(" · {:.2g} times slower than real time", ratio);
    if (ratio < 1 / kAlike) return words + fmt::format(" · {:.2g} times faster than real time", 1 / ratio);
    return words + " · real time";
}

void LessonFilming::picture(std::size_t part, std::span<const Facts> facts, bool done, int times) {
    if (times <= 0) return;
    const render::DrawTarget target{studio_.target->framebuffer(), options_.width, options_.height};
    LessonPage::State now{.part = part,
                          .facts = facts,
                          .distances = distances_,
                          .done = done,
                          .moment = moment(part, facts.back().reports.size(), facts.back().failed()),
                          .cloth = {},
                          .ghost = {}};
    const auto legend = render::legend(overlay_, snapshot_, options_.lightTheme);
    now.legend = legend;
    if (snapshot_.ghost.present) {
        const bool blind = lesson_.steps[part].blind;
        const auto differ = blind ? std::vector<model::GhostDifference>() : model::ghostDifferences(snapshot_);
        now.beside = lesson_.steps[part].beside;
        now.cloth = "this cloth" + (differ.empty() ? "" : ": " + model::valuesHere(differ));
        now.ghost = "ghost" + (differ.empty() ? "" : ": " + model::valuesThere(differ));
    }
    const render::Viewport place = page_.layOut(now, target);
    drawCloth(lesson_.steps[part], place);
    page_.paint(target);
    written_ = writer_.add(
        render::readFramebuffer(target.framebuffer, target.height, 0, 0, target.width, target.height), times);
    frames_ += times;
}

void LessonFilming::drawCloth(const LessonStep& step, render::Viewport place) {
    const render::DrawTarget target{studio_.target->framebuffer(), options_.width, options_.height};
    render::ViewState view = initialView(snapshot_, options_.width, options_.height);
    view.overlay = overlay_;
    view.lightTheme = options_.lightTheme;
    const bool beside = step.beside && snapshot_.ghost.present;
    if (beside) place.width /= 2;
    view.viewport = place;
    view.camera = camera_ = render::seeing(
        camera_, render::shownPositions(snapshot_, studio_.renderer->world(snapshot_)), place, page_.covered());
    view.showGhost = !beside;
    studio_.renderer->draw(snapshot_, view, target);
    if (!beside) return;
    worker::ghostAlone(snapshot_, ghost_);
    view.overlay = scene::OverlayKind::None;  // its numbers are of the cloth
    view.viewport.x += place.width;
    studio_.renderer->draw(ghost_, view, target);
}

constexpr double kWordsPerSecond = 3.2;

/// Long enough to read it, counted in words.
double toRead(const LessonStep& step) { return double(std::ranges::count(step.text, ' ') + 1) / kWordsPerSecond; }

}  // namespace

Expected<std::vector<PartTimes>> partTimes(const Lesson& lesson, const std::string& assets, double seconds) {
    std::vector<PartTimes> times;
    double all = 0;
    for (std::size_t k = 0; k < lesson.steps.size(); ++k) {
        const LessonStep& step = lesson.steps[k];
        const auto scene = lessons::sceneAt(lesson, k, assets);
        if (!scene) return fail(scene.error());
        constexpr double kLeast = 2, kMost = 6, kAfter = 3.5, kAClaim = 0.7, kBefore = 1.5;
        PartTimes part;
        if (step.steps > 0)
            part.motion =
                std::clamp(step.steps * scene->settings.integrator.dt, std::min(kLeast, 0.25 * step.steps), kMost);
        part.after = kAfter + kAClaim * double(step.claims.size());
        part.before = std::max(kBefore, toRead(step) - part.motion);
        all += part.all();
        times.push_back(part);
    }
    if (all > seconds)
        for (PartTimes& part : times)
            for (double* each : {&part.before, &part.motion, &part.after}) *each *= seconds / all;
    return times;
}

Expected<LessonFilmSummary> makeLessonFilm(const Lesson& lesson, const LessonFilmOptions& options) {
    auto times = partTimes(lesson, options.assets, options.seconds);
    if (!times) return fail(times.error());
    auto studio = openStudio(options.width, options.height, options.shaderFolder);
    if (!studio) return fail(studio.error());
    auto canvas = canvas::ImGuiCanvas::create();
    if (!canvas) return fail(canvas.error());
    LessonPage page(std::move(*canvas), lesson, options.width, options.height, options.lightTheme);
    auto writer = frames::FilmWriter::create(options.out, options.width, options.height, options.fps, options.inputs);
    if (!writer) return fail(writer.error());

    LessonFilmSummary summary;
    LessonFilming filming(lesson, options, std::move(*times), *studio, page, **writer);
    std::stop_source stop;
    const std::stop_callback forward(options.stop, [&] { stop.request_stop(); });
    lessons::RunControl control{.threads = options.threads, .stop = stop.get_token()};
    control.onState = [&](std::size_t part, const simulation::Session& session, const Facts& facts) {
        filming.state(part, session, facts);
        if (!filming.written()) stop.request_stop();
    };
    control.onStep = [&](std::size_t part, std::span<const Facts> facts) {
        if (options.stop.stop_requested()) return;
        const lessons::Lookup lookup = lessons::lookupAt(facts, part);
        for (const lessons::Claim& claim : lesson.steps[part].claims)
            ++summary.claims, summary.holding += claim.holds(lookup);
        filming.over(part, facts);
    };
    const auto facts = lessons::runLesson(lesson, options.assets, control);
    if (!facts) return fail(facts.error());
    if (!filming.written()) return fail(filming.written().error());
    summary.frames = filming.frames();
    summary.stopped = options.stop.stop_requested();
    if (auto done = summary.stopped ? (*writer)->leave() : (*writer)->finish(); !done) return fail(done.error());
    return summary;
}

}  // namespace clothlab::app::film
