#pragma once

#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::worker {

/// What overlays show of contact of the cloth with itself: what it did, its zones, and what goes through what. Those
/// that were not asked for become empty.
void fillSelfContact(const simulation::Simulation& simulation, const OverlayRequest& request, Snapshot& snapshot);

}  // namespace clothlab::app::worker
