#include "worker/mirror.hpp"

#include "simulation/state_file.hpp"

namespace clothlab::app::worker {

namespace edits = simulation::edits;

const std::vector<simulation::Edit>& Mirror::follow(std::uint64_t serial) {
    serial_ = serial;
    if (std::exchange(moved_, false)) since_.clear();
    return since_;
}

void Mirror::did(const simulation::Edit& edit) {
    if (serial_ == 0 || std::holds_alternative<edits::Hold>(edit)) return;
    if (const auto* set = std::get_if<edits::Set>(&edit); set && set->values.empty()) return;
    const simulation::EditTraits& traits = simulation::traitsFor(edit);
    if (traits.effect == simulation::Effect::LooksOn) return;
    if (traits.effect == simulation::Effect::Jumps) moved_ = true;
    if (traits.lastCounts && !since_.empty() && since_.back().index() == edit.index()) since_.pop_back();
    since_.push_back(edit);
}

simulation::HandOver Mirror::handBack(const simulation::Simulation& simulation, const edits::Hold& hold) {
    simulation::HandOver hand;
    if (moved_ || !since_.empty()) hand.state = simulation::stateBytes(simulation);
    const bool holds = hold.takesOver();
    if (holds || held_) hand.hold = hold;
    held_ = holds;
    moved_ = false;
    since_.clear();
    return hand;
}

}  // namespace clothlab::app::worker
