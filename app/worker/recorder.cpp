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

void Recorder::begin() {
    if (std::exchange(begun_, true)) return;
    const std::string head = simulation::recordingHead();
    if (!file_)
        lines_.push_back(head);
    else if (auto done = file_->line(head); !done)
        problem_ = done.error().text();
}

void Recorder::line(const RecordedEvent& event) {
    begin();
    std::string text = simulation::recordedLine(event);
    if (!file_) return lines_.push_back(std::move(text));
    if (!problem_.empty()) return;
    if (auto done = file_->line(text); !done) problem_ = done.error().text();
}

void Recorder::flushSteps() {
    if (inRow_ > 0) line(recorded::Steps{std::exchange(inRow_, 0)});
}

void Recorder::load(const Simulation& now, bool fromStart) {
    if (!file_) {
        lines_.clear();
        kept_.clear();
        begun_ = false;
        inRow_ = steps_ = 0;
    }
    flushSteps();
    line(presentOf(now, fromStart));
    plain_ = fromStart;
    firstStep_ = now.state().step;
    cloth_ = {};
    solid_ = {};
}

void Recorder::note(const RecordedEvent& event) {
    flushSteps();
    line(event);
    if (const auto* keep = std::get_if<recorded::Keep>(&event)) nextId_ = std::max(nextId_, keep->id + 1);
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

void Recorder::seek(const Simulation& now) {
    if (now.state().step >= firstStep_) return note(recorded::Seek{now.state().step});
    flushSteps();
    line(presentOf(now, false));
    firstStep_ = now.state().step;
    plain_ = false;
    cloth_ = {}, solid_ = {};
}

void Recorder::keep(const void* place) {
    kept_[place] = nextId_;
    flushSteps();
    line(recorded::Keep{nextId_++});
}

void Recorder::returnTo(const void* place, bool anew, const Simulation& now) {
    const auto found = kept_.find(place);
    if (found != kept_.end()) return note(recorded::Return{found->second, anew});
    // It was put aside before the scene that this recording begins with.
    load(now, false);
}

void Recorder::pinsOf(const void* place) {
    if (const auto found = kept_.find(place); found != kept_.end()) note(recorded::PinsOf{found->second});
}

std::string Recorder::text() {
    flushSteps();
    std::string all;
    for (const std::string& one : lines_) all += one + "\n";
    return all;
}

}  // namespace clothlab::app::worker
