#pragma once

#include <memory>

#include "model/ui_model.hpp"
#include "window/program_link.hpp"
#include "worker/simulation_thread.hpp"

namespace clothlab::app::window {

/// A window on the simulation of another program: states that come are shown, and what is done here is handed back when
/// it is asked for. Belongs to the window's thread.
class Following {
public:
    Following(std::shared_ptr<ProgramLink> link, std::uint64_t first);

    /// Once a frame, with a new snapshot.
    void update(model::UiModel& model, const worker::Snapshot& now);
    bool ended() const { return link_->ended(); }
    /// The window closes: what was done here goes over.
    void finish(worker::SimulationThread& simulation);

private:
    void show(model::UiModel& model, const ProgramLink::State& state) const;

    std::shared_ptr<ProgramLink> link_;
    std::uint64_t told_ = 0;  ///< the last serial of which the other side knows that it is on show
};

}  // namespace clothlab::app::window
