#include "worker/simulation_thread.hpp"

// The simulation's side of ghosts: second cloths that go on beside the first.
namespace clothlab::app::worker {

void SimulationThread::execute(StartBranch& command) {
    auto branch = simulation::Branch::start(*simulation_, command.ghost, simulation_->threads());
    if (!branch) {
        problem_ = "No second cloth: " + branch.error().text();
        setPlaying(false);  // as the banner says
        return;
    }
    if (!command.further) branches_.clear();
    if (branches_.size() < kMostGhosts) branches_.push_back(std::move(*branch));
    const simulation::recorded::Set differs = simulation::difference(simulation_->settings(), command.ghost);
    record([&](Recorder& r) { r.note(simulation::recorded::Ghost{differs, command.further}); });
}

void SimulationThread::execute(EndBranch&) {
    branches_.clear();
    record([](Recorder& r) { r.note(simulation::recorded::Ghost{}); });
}

void SimulationThread::followWithGhost(ReportEntry& entry) {
    if (branches_.empty()) return;
    const simulation::Branch& first = *branches_.front();
    const std::int64_t before = first.ghost().state().step;
    for (const auto& branch : branches_) branch->follow(*simulation_, stop_);
    if (first.ghost().state().step != before || !first.problem().empty()) entry.ghost = first.ghost().lastReport();
    entry.report.ghostDistance = first.largestDistance();
    entry.report.ghostRms = first.rmsDistance();
    for (std::size_t k = 1; k < branches_.size(); ++k)
        entry.furtherDistances.push_back(branches_[k]->largestDistance());
}

}  // namespace clothlab::app::worker
