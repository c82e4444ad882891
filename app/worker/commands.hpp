#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/output.hpp"
#include "simulation/edits.hpp"
#include "simulation/state_bytes.hpp"
#include "worker/jobs/jobs.hpp"
#include "worker/motion_slot.hpp"
#include "worker/snapshots/snapshot.hpp"

/// Commands of the window to the simulation. They are carried out between two steps, in the order of posting. Most are
/// edits (simulation/edits.hpp); the others need data that only the simulation's thread has.
namespace clothlab::app::worker {

/// Receives the motion before a command, if the command changes it beyond what the history can restore; null: not
/// wanted.
using SharedMotionSlot = std::shared_ptr<MotionSlot>;

/// The window's whole copy of the settings; the snapshot echoes the revision when they are active.
struct SetSettings {
    scene::Settings settings;
    std::uint64_t revision = 0;
};
/// Grabs a particle. `serial` (counted by the window) ties later pointer targets to this grab. Dropped when the
/// topology is not the one that was picked from.
struct GrabParticle {
    Index particle = -1;
    std::uint64_t topologyRevision = 0;
    std::uint64_t serial = 0;
    float target[3] = {0, 0, 0};  ///< m
};
/// Grabs a solid at a point, which then follows the pointer.
struct GrabCollider {
    Index collider = -1;
    std::uint64_t topologyRevision = 0;
    std::uint64_t serial = 0;
    float at[3] = {0, 0, 0};  ///< m
};
struct ReleaseGrab {};  ///< of either
/// An edit. Dropped when it names particles or solids of another topology; 0: it names none.
struct Apply {
    simulation::Edit edit;
    std::uint64_t topologyRevision = 0;
    SharedMotionSlot before = {};  ///< one for all cuts of a stroke
};
/// Pins a particle where it is, or changes its constraint and velocity, which applies from this moment on.
struct PinParticle {
    simulation::edits::Pin pin;
    std::uint64_t topologyRevision = 0;
    bool toggles = false;  ///< unpins one that is pinned
    SharedMotionSlot before = {};
};
struct Play {
    SharedMotionSlot before = {};  ///< filled by a step that drops later ones
    std::int64_t steps = 0;        ///< pauses after so many; 0 = never
};
struct Pause {};
struct StepOnce {  ///< pauses
    SharedMotionSlot before = {};
};
struct StepBack {};  ///< pauses
/// Builds the scene and replaces the present one; if that fails, nothing changes and the snapshot's `problem` says why.
struct LoadScene {
    scene::Scene scene;
    std::uint64_t revision = 0;  ///< settings revision of scene.settings
    SharedMotionSlot before = {};
    std::shared_ptr<const integrators::SimulationState> state = {};  ///< to start from; null: the scene's start
};
/// Writes the whole simulation into a file (simulation/state_file.hpp); the snapshot's `saved` has the outcome.
struct SaveState {
    std::string path;
    InputFiles inputs;  ///< files that it must not overwrite
    std::uint64_t serial = 0;
};
/// Writes the edits that lead to the current motion to a file (simulation/recording.hpp); `saved` has the outcome.
struct SaveRecording {
    std::string path;
    std::uint64_t serial = 0;
};
/// Keeps the current motion for later.
struct StoreMotion {
    SharedMotionSlot into;
};
/// Restores a kept motion, of this scene or of another one: state, settings, painting and its history. Does nothing if
/// none was kept there.
struct ReturnToMotion {
    std::shared_ptr<const MotionSlot> to;
    std::uint64_t revision = 0;  ///< settings revision of its settings
    SharedMotionSlot before = {};
};
/// Restores only its pins.
struct ReturnPins {
    std::shared_ptr<const MotionSlot> to;
    SharedMotionSlot before = {};
};
struct SetOverlay {
    OverlayRequest request;
};
/// Simulated seconds per second of the wall clock, 0.1 .. 4; 0 = unlimited.
struct SetSpeed {
    double factor = 1;
};

/// A second cloth continues from the present state with these settings, as a ghost beside the first: it replaces the
/// present ghosts, or is one more of at most kMostGhosts.
struct StartBranch {
    scene::Settings ghost;
    bool further = false;
};
/// The state of another program's simulation, which this one mirrors (mirror.hpp). For another scene it follows a
/// LoadScene.
struct FollowState {
    std::shared_ptr<const simulation::Shown> from;
    std::uint64_t serial = 0;  ///< ascending from 1 on
};
/// Returns the edits made here since then to the other program: `answer` is called on the simulation's thread.
struct HandBack {
    std::function<void(const simulation::HandOver&)> answer;
};
/// Ends the running background job; its results so far stay.
struct CancelJob {};

/// These, and all requests to background jobs (jobs.hpp).
using Command =
    WithRequests<std::variant<Apply, SetSettings, GrabParticle, GrabCollider, ReleaseGrab, PinParticle, Play, Pause,
                              StepOnce, StepBack, LoadScene, SaveState, SaveRecording, StoreMotion, ReturnToMotion,
                              ReturnPins, SetOverlay, SetSpeed, StartBranch, FollowState, HandBack, CancelJob>,
                 AllJobs>::Type;

/// The edit of a command, if it is one of this type.
template <class Edit>
const Edit* editIn(const Command& command) {
    const auto* apply = std::get_if<Apply>(&command);
    return apply ? std::get_if<Edit>(&apply->edit) : nullptr;
}

/// Target of the grabbed particle or solid; a latest-wins cell, not a queue entry.
struct PointerTarget {
    std::uint64_t serial = 0;       ///< of the grab that it belongs to
    float position[3] = {0, 0, 0};  ///< m
};

}  // namespace clothlab::app::worker
