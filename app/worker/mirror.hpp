#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "simulation/state_bytes.hpp"

namespace clothlab::simulation {
class Simulation;
}

namespace clothlab::app::worker {

/// What was done to a copy of another program's simulation since that program saw it. The copy takes each state that
/// comes from there. Pins, settings and cuts that were made here meanwhile are made again in it, until they are handed
/// back; steps that were taken here are gone with it.
class Mirror {
public:
    /// The number of the last state that came; 0: this is no copy.
    std::uint64_t serial() const { return serial_; }
    /// Another state comes. Returns what is to be done to it again.
    const std::vector<simulation::Edit>& follow(std::uint64_t serial);
    /// Something was done here.
    void did(const simulation::Edit& edit);
    void stepped() { moved_ = true; }
    /// What there is to hand back; nothing is left then.
    simulation::HandOver handBack(const simulation::Simulation& simulation, const simulation::edits::Hold& hold);

private:
    std::uint64_t serial_ = 0;
    bool moved_ = false;  ///< it has taken steps, or is another one
    bool held_ = false;   ///< the pointer held something when that was last handed back
    std::vector<simulation::Edit> since_;
};

}  // namespace clothlab::app::worker
