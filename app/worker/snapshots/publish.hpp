#pragma once

#include <memory>
#include <span>

#include "simulation/session.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::worker {

/// What stays while the mesh lives and nothing breaks: connectivity, texture coordinates (m along columns and rows of a
/// grid), colliders' shapes, words of the scene. `revision` tells two loads apart; 0 takes the model's own.
std::shared_ptr<const MeshTopology> makeTopology(const simulation::Simulation& simulation, std::uint64_t revision = 0);
/// The same while nothing broke or is whole again since; else that of now, of the same revision.
void refreshTopology(const simulation::Simulation& simulation, std::shared_ptr<const MeshTopology>& mesh);

/// Copies what a picture needs of the present state into preallocated arrays: positions, collider poses, pins, grab,
/// report, residual history, active settings, and the overlays that were asked for (the others become empty).
/// Leaves alone what only the caller knows: mesh, revision, settingsRevision, commands, playing, speed, pace,
/// problem.
void fillSnapshot(const simulation::Simulation& simulation, const OverlayRequest& request, Snapshot& snapshot);

/// The particles of `held`, pins of this state, and what they hold where it is not a point.
void fillPins(const integrators::SimulationState& state, std::span<const integrators::Pin> held,
              std::vector<Index>& pins, std::vector<Snapshot::PinGuide>& guides);

/// The ghosts of a branch; none leaves none.
void fillGhosts(std::span<const std::unique_ptr<simulation::Branch>> branches, Snapshot& snapshot);

/// The first ghost of a snapshot as a cloth, to be drawn beside it; in place of what was in `alone`.
void ghostAlone(const Snapshot& now, Snapshot& alone);

/// The report of the last step.
ReportEntry lastReportEntry(const simulation::Simulation& simulation);

/// What is true of the scene before its first step, in sentences, or empty.
std::string startWarning(const simulation::Simulation& simulation);

/// Whether a step would drop later ones: the motion is at a past step.
bool dropsLaterSteps(const simulation::Simulation& simulation);

/// Why no state came of the last step, or empty.
std::string lastProblem(const simulation::Simulation& simulation);

}  // namespace clothlab::app::worker
