#pragma once

#include <memory>
#include <span>

#include "simulation/session.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::worker {

/// The constant data of a mesh while nothing breaks: connectivity, texture coordinates (m along columns and rows of a
/// grid), colliders' shapes, texts of the scene. `revision` distinguishes two loads; 0 uses the model's own.
std::shared_ptr<const MeshTopology> makeTopology(const simulation::Simulation& simulation, std::uint64_t revision = 0);
/// Keeps the mesh unless springs broke or mended; then rebuilds it under the same revision.
void refreshTopology(const simulation::Simulation& simulation, std::shared_ptr<const MeshTopology>& mesh);

/// Copies the data of a picture of the present state into preallocated arrays: positions, collider poses, pins, grab,
/// report, residual history, active settings, and the requested overlays (the others become empty). The caller sets
/// mesh, revision, settingsRevision, commands, playing, speed, pace and problem.
void fillSnapshot(const simulation::Simulation& simulation, const OverlayRequest& request, Snapshot& snapshot);

/// The particles of `held`, pins of this state, and their lines and planes.
void fillPins(const integrators::SimulationState& state, std::span<const integrators::Pin> held,
              std::vector<Index>& pins, std::vector<Snapshot::PinGuide>& guides);

/// The ghosts of a branch; none leaves none.
void fillGhosts(std::span<const std::unique_ptr<simulation::Branch>> branches, Snapshot& snapshot);

/// The first ghost of a snapshot as a cloth, to be drawn beside it; replaces the content of `alone`.
void ghostAlone(const Snapshot& now, Snapshot& alone);

/// The report of the last step.
ReportEntry lastReportEntry(const simulation::Simulation& simulation);

/// Warnings about the scene before its first step, in sentences, or empty.
std::string startWarning(const simulation::Simulation& simulation);

/// Whether a step would drop later ones: the motion is at a past step.
bool dropsLaterSteps(const simulation::Simulation& simulation);

/// Why the last step failed, or empty.
std::string lastProblem(const simulation::Simulation& simulation);

}  // namespace clothlab::app::worker
