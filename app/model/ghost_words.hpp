#pragma once

#include <string>
#include <vector>

#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::model {

/// A setting that differs between ghost and cloth: "time step", "5 ms", "10 ms".
struct GhostDifference {
    std::string label, here, there;
};
/// All differences, in the order of the settings.
std::vector<GhostDifference> ghostDifferences(const worker::Snapshot& now);
/// "integrator BDF2, time step 10 ms": the values of the cloth, and those of its ghost.
std::string valuesHere(const std::vector<GhostDifference>& differences);
std::string valuesThere(const std::vector<GhostDifference>& differences);
/// Name of one of several ghosts: "from 37: stretch stiffness 200 N/m", its first step and the settings that differ
/// from the ghost before it (of the first: after it).
std::string ghostName(const worker::Snapshot& now, std::size_t ghost);

}  // namespace clothlab::app::model
