#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "simulation/state_bytes.hpp"

namespace clothlab::simulation {
class Simulation;
}

namespace clothlab::app::worker {

/// Edits of a copy of another program's simulation that the program does not have yet. The copy adopts each state sent
/// by it. Pins, settings and cuts made here meanwhile are applied again, until they are handed back; steps taken here
/// are lost.
class Mirror {
public:
    /// Serial of the last state received; 0: this is not a copy.
    std::uint64_t serial() const { return serial_; }
    /// Adopts another state. Returns the edits to apply to it again.
    const std::vector<simulation::Edit>& follow(std::uint64_t serial);
    /// Notes an edit made here.
    void did(const simulation::Edit& edit);
    void stepped() { moved_ = true; }
    /// Hands back all noted edits and clears them.
    simulation::HandOver handBack(const simulation::Simulation& simulation, const simulation::edits::Hold& hold);

private:
    std::uint64_t serial_ = 0;
    bool moved_ = false;  ///< it has taken steps, or is another one
    bool held_ = false;   ///< the pointer held something when that was last handed back
    std::vector<simulation::Edit> since_;
};

}  // namespace clothlab::app::worker
