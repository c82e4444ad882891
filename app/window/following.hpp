#pragma once

#include <memory>

#include "model/ui_model.hpp"
#include "window/program_link.hpp"
#include "worker/simulation_thread.hpp"

namespace clothlab::app::window {

/// A window on the simulation of another program: shows its states, and returns edits made here on request. Belongs to
/// the window's thread.
class Following {
public:
    Following(std::shared_ptr<ProgramLink> link, std::uint64_t first);

    /// Once per frame, with a new snapshot.
    void update(model::UiModel& model, const worker::Snapshot& now);
    bool ended() const { return link_->ended(); }
    /// When the window closes: hands over the edits made here.
    void finish(worker::SimulationThread& simulation);

private:
    void show(model::UiModel& model, const ProgramLink::State& state) const;

    std::shared_ptr<ProgramLink> link_;
    std::uint64_t told_ = 0;  ///< the last serial reported to the other side as shown
};

}  // namespace clothlab::app::window
