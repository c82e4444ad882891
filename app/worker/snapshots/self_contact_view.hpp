#pragma once

#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::worker {

/// Overlay data of self-contact: its effects, its zones, and intersections. Those that were not requested become empty.
void fillSelfContact(const simulation::Simulation& simulation, const OverlayRequest& request, Snapshot& snapshot);

}  // namespace clothlab::app::worker
