#pragma once

#include <string>
#include <vector>

#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::model {

/// A setting that the ghost and the cloth do not share: "time step", "5 ms", "10 ms".
struct GhostDifference {
    std::string label, here, there;
};
/// All of them, in the order of the settings; none where both are the same.
std::vector<GhostDifference> ghostDifferences(const worker::Snapshot& now);
/// "integrator BDF2, time step 10 ms": the values of the one cloth or of the other.
std::string valuesHere(const std::vector<GhostDifference>& differences);
std::string valuesThere(const std::vector<GhostDifference>& differences);
/// Of one of several, which began one after the other: "from 37: stretch stiffness 200 N/m", what it has and the ghost
/// before it, of the first the one after it, has not.
std::string ghostName(const worker::Snapshot& now, std::size_t ghost);

}  // namespace clothlab::app::model
