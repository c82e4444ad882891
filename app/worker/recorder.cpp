#include "worker/recorder.hpp"

#include <algorithm>

namespace clothlab::app::worker {

namespace recorded = simulation::recorded;
using simulation::RecordedEvent;
using simulation::Simulation;

namespace {

constexpr std::int64_t kMostInRow = 100;  // steps: so many a killed recording loses at most

recorded::Load presentOf(const Simulation& now, bool fromStart) {
    recorded::Load load{fromStart ? now.unpaintedScene() : now.scene(), std::nullopt};
    load.scene.settings = now.settings();
    if (!fromStart) load.state = now.state();
    return load;
}

}  // namespace

void Recorder::line(const RecordedEvent& event) {
    std::string text = simulation::recordedLine(event);
    if (!file_) return lines_.push_back(std::move(text));
    if (!problem_.empty()) return;
    Expected<void> done;
    if (!std::exchange(begun_, true)) done = file_->line(simulation::recordingHead());
    if (done) done = file_->line(text);
    if (!done) problem_ = done.error().text();
}

void Recorder::flushSteps() {
    if (inRow_ > 0) line(recorded::Steps{std::exchange(inRow_, 0)});
}

void Recorder::load(const Simulation& now, bool fromStart) {
    flushSteps();
    if (!file_) {
        earlier_.insert(earlier_.end(), std::make_move_iterator(lines_.begin()), std::make_move_iterator(lines_.end()));
        lines_.clear();
        inLines_.clear();
        earlierSteps_ += std::exchange(steps_, 0);
    }
    line(presentOf(now, fromStart));
    plain_ = fromStart;
    cloth_ = {};
    solid_ = {};
}

/// A motion of before the last scene: what led to it belongs to the recording again.
void Recorder::needMotion(std::int64_t id) {
    if (file_ || inLines_.contains(id)) return;
    earlier_.insert(earlier_.end(), std::make_move_iterator(lines_.begin()), std::make_move_iterator(lines_.end()));
    lines_ = std::exchange(earlier_, {});
    steps_ += std::exchange(earlierSteps_, 0);
    for (std::int64_t known = 1; known < nextId_; ++known) inLines_.insert(known);
}

void Recorder::note(const RecordedEvent& event) {
    flushSteps();
    if (const auto* back = std::get_if<recorded::Return>(&event)) needMotion(back->id);
    if (const auto* pins = std::get_if<recorded::PinsOf>(&event)) needMotion(pins->id);
    line(event);
    if (std::holds_alternative<recorded::Ghost>(event)) return;  // the motion is the same
    if (const auto* keep = std::get_if<recorded::Keep>(&event)) {
        inLines_.insert(keep->id);
        nextId_ = std::max(nextId_, keep->id + 1);
        return;  // and nothing is changed
    }
    plain_ = false;
    const bool jumps = std::holds_alternative<recorded::Restart>(event) ||
                       std::holds_alternative<recorded::Seek>(event) || std::holds_alternative<recorded::Return>(event);
    if (jumps) cloth_ = {}, solid_ = {};  // the hand lets go, and takes hold again after that
}

void Recorder::set(const Simulation& now, const scene::Settings& settings) {
    const recorded::Set set = simulation::difference(now.settings(), settings);
    if (set.values.empty()) return;
    const bool plain = plain_ && steps_ == 0;
    note(set);
    plain_ = plain;
}

void Recorder::hold(const integrators::Grab& cloth, const integrators::ColliderGrab& solid) {
    const auto same = [](const auto& a, const auto& b, auto which) {
        return a.active == b.active && (!a.active || (a.*which == b.*which && a.target == b.target));
    };
    if (same(cloth, cloth_, &integrators::Grab::particle) && same(solid, solid_, &integrators::ColliderGrab::collider))
        return;
    cloth_ = cloth;
    solid_ = solid;
    note(recorded::Hold{cloth, solid});
}

void Recorder::stepped(bool adopted) {
    ++steps_;
    if (adopted) {
        flushSteps();
        line(recorded::Adopt{});
    }
    if (++inRow_ >= kMostInRow) flushSteps();
}

void Recorder::keep(const void* place) {
    kept_[place] = nextId_;
    note(recorded::Keep{nextId_});
}

void Recorder::returnTo(const void* place, bool anew) {
    if (const auto found = kept_.find(place); found != kept_.end()) note(recorded::Return{found->second, anew});
}

void Recorder::pinsOf(const void* place) {
    if (const auto found = kept_.find(place); found != kept_.end()) note(recorded::PinsOf{found->second});
}

std::string Recorder::text() {
    flushSteps();
    std::string all = simulation::recordingHead() + "\n";
    for (const std::string& one : lines_) all += one + "\n";
    return all;
}

}  // namespace clothlab::app::worker
