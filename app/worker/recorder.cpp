#include "worker/recorder.hpp"

namespace clothlab::app::worker {

namespace edits = simulation::edits;
using simulation::Edit;
using simulation::Simulation;

namespace {

constexpr std::int64_t kMostInRow = 100;  // steps: so many a killed recording loses at most

edits::Load makeLoad(const Simulation& now, bool fromStart) {
    edits::Load load{fromStart ? now.unpaintedScene() : now.scene(), std::nullopt};
    if (!fromStart) load.state = now.state();
    return load;
}

bool same(const edits::Hold& a, const edits::Hold& b) {
    const auto alike = [](const auto& one, const auto& other, auto which) {
        return one.active == other.active &&
               (!one.active || (one.*which == other.*which && one.target == other.target));
    };
    return alike(a.cloth, b.cloth, &integrators::Grab::particle) &&
           alike(a.solid, b.solid, &integrators::ColliderGrab::collider);
}

}  // namespace

void Recorder::line(const simulation::RecordedEvent& event) {
    std::string text = simulation::recordedLine(event);
    if (!file_) return lines_.push_back(std::move(text));
    if (!problem_.empty()) return;
    Expected<void> done;
    if (!std::exchange(begun_, true)) done = file_->line(simulation::recordingHead());
    if (done) done = file_->line(text);
    if (!done) problem_ = done.error().text();
}

void Recorder::flushSteps() {
    if (inRow_ > 0) line(simulation::Steps{std::exchange(inRow_, 0)});
}

void Recorder::begin(const Simulation& now, bool fromStart) { note(makeLoad(now, fromStart)); }

void Recorder::forget() {
    lines_.clear();
    earlier_.clear();
    inLines_.clear();
    ids_.clear();
    steps_ = earlierSteps_ = inRow_ = 0;
}

/// In memory, what came before the scene may be needless.
void Recorder::beginScene(bool fromStart) {
    if (!file_) {
        earlier_.insert(earlier_.end(), std::make_move_iterator(lines_.begin()), std::make_move_iterator(lines_.end()));
        lines_.clear();
        inLines_.clear();
        earlierSteps_ += std::exchange(steps_, 0);
    }
    plain_ = fromStart;
}

/// For a motion from before the last scene change: the edits that led to it belong to the recording again.
void Recorder::needMotion(std::int64_t id) {
    if (file_ || inLines_.contains(id)) return;
    earlier_.insert(earlier_.end(), std::make_move_iterator(lines_.begin()), std::make_move_iterator(lines_.end()));
    lines_ = std::exchange(earlier_, {});
    steps_ += std::exchange(earlierSteps_, 0);
    inLines_ = ids_;
}

void Recorder::note(const Edit& edit) {
    if (const auto* hold = std::get_if<edits::Hold>(&edit)) {
        if (same(*hold, hold_)) return;
        hold_ = *hold;
    }
    if (const auto* set = std::get_if<edits::Set>(&edit); set && set->values.empty()) return;
    flushSteps();
    if (const auto* load = std::get_if<edits::Load>(&edit)) beginScene(!load->state);
    if (const auto* back = std::get_if<edits::Return>(&edit)) needMotion(back->id);
    if (const auto* pins = std::get_if<edits::PinsOf>(&edit)) needMotion(pins->id);
    if (const auto* keep = std::get_if<edits::Keep>(&edit)) {
        inLines_.insert(keep->id);
        ids_.insert(keep->id);
    }
    line(edit);
    account(edit);
}

void Recorder::account(const Edit& edit) {
    const simulation::Effect effect = simulation::traitsFor(edit).effect;
    if (effect == simulation::Effect::Jumps) hold_ = {};  // the hand lets go, and takes hold again after that
    const bool isStart = std::holds_alternative<edits::Load>(edit);
    const bool beforeSteps = std::holds_alternative<edits::Set>(edit) && steps_ == 0;
    if (effect != simulation::Effect::LooksOn && !isStart && !beforeSteps) plain_ = false;
}

void Recorder::stepped(bool adopted) {
    ++steps_;
    if (adopted) {
        flushSteps();
        line(simulation::Adopt{});
    }
    if (++inRow_ >= kMostInRow) flushSteps();
}

std::string Recorder::text() {
    flushSteps();
    std::string all = simulation::recordingHead() + "\n";
    for (const std::string& one : lines_) all += one + "\n";
    return all;
}

}  // namespace clothlab::app::worker
