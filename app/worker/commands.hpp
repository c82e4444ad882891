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
#include "worker/kept_motion.hpp"
#include "worker/snapshots/snapshot.hpp"

/// What the window asks of the simulation. Everything is done between two steps, in the order of posting. Most of it
/// are edits (simulation/edits.hpp); the others need something that only the simulation's thread has.
namespace clothlab::app::worker {

/// Where the motion as it is before a command goes if that changes it beyond what the history can give back; null: it
/// is not wanted.
using KeepHere = std::shared_ptr<KeptMotion>;

/// The window's whole copy of the settings; the snapshot echoes the revision when they are active.
struct SetSettings {
    scene::Settings settings;
    std::uint64_t revision = 0;
};
/// The pointer takes a particle. `serial` (counted by the window) ties later pointer targets to this grab.
/// Dropped when the topology is not the one that was picked from.
struct GrabParticle {
    Index particle = -1;
    std::uint64_t topologyRevision = 0;
    std::uint64_t serial = 0;
    float target[3] = {0, 0, 0};  ///< m
};
/// The same of a solid, taken at a point: it follows so that this point of it comes to the pointer.
struct GrabCollider {
    Index collider = -1;
    std::uint64_t topologyRevision = 0;
    std::uint64_t serial = 0;
    float at[3] = {0, 0, 0};  ///< m
};
struct ReleaseGrab {};  ///< of either
/// An edit, as it is. Dropped when it names particles or solids of another topology; 0: it names none.
struct Apply {
    simulation::Edit edit;
    std::uint64_t topologyRevision = 0;
    KeepHere before = {};  ///< one for all cuts of a stroke
};
/// Pins a particle where it is, or changes how it is held and carried: a velocity counts from now on.
struct PinParticle {
    simulation::edits::Pin pin;
    std::uint64_t topologyRevision = 0;
    bool toggles = false;  ///< unpins one that is pinned
    KeepHere before = {};
};
struct Play {
    KeepHere before = {};    ///< filled by a step that drops later ones
    std::int64_t steps = 0;  ///< after which it pauses by itself; 0 = it plays on
};
struct Pause {};
struct StepOnce {  ///< pauses
    KeepHere before = {};
};
struct StepBack {};  ///< pauses
/// Builds the scene and takes it in place of the present one; what cannot be built leaves everything as it is, and the
/// snapshot's `problem` says why.
struct LoadScene {
    scene::Scene scene;
    std::uint64_t revision = 0;  ///< settings revision that scene.settings stand for
    KeepHere before = {};
    std::shared_ptr<const integrators::SimulationState> state = {};  ///< to go on from; null: the scene's start
};
/// Writes the whole simulation into a file (simulation/state_file.hpp); the snapshot's `saved` says what came of it.
struct SaveState {
    std::string path;
    InputFiles inputs;  ///< that it may not be
    std::uint64_t serial = 0;
};
/// Writes what leads to the motion on show into a file (simulation/recording.hpp); `saved` answers, too.
struct SaveRecording {
    std::string path;
    std::uint64_t serial = 0;
};
/// Puts the motion as it is aside.
struct KeepMotion {
    KeepHere into;
};
/// Goes back to a motion that was put aside, of this scene or of another one: state, settings, painting and what it
/// has of the history. Where nothing was put there, nothing changes.
struct ReturnToMotion {
    std::shared_ptr<const KeptMotion> to;
    std::uint64_t revision = 0;  ///< settings revision that its settings stand for
    KeepHere before = {};
};
/// The same of its pins alone.
struct ReturnPins {
    std::shared_ptr<const KeptMotion> to;
    KeepHere before = {};
};
struct SetOverlay {
    OverlayRequest request;
};
/// Simulated seconds a second of the wall clock, 0.1 .. 4; 0 = as fast as it goes.
struct SetSpeed {
    double factor = 1;
};

/// A second cloth goes on from the present state with these settings, as a ghost beside the first: in place of the
/// ghosts that there are, or as one more of at most kMostGhosts.
struct StartBranch {
    scene::Settings ghost;
    bool further = false;
};
/// The state of another program's simulation, which this one is a copy of (mirror.hpp). Of another scene it comes
/// behind a LoadScene.
struct FollowState {
    std::shared_ptr<const simulation::Shown> from;
    std::uint64_t serial = 0;  ///< ascending from 1 on
};
/// What was done here since then, for the other program: `answer` is called on the simulation's thread.
struct HandBack {
    std::function<void(const simulation::HandOver&)> answer;
};
/// Ends what runs in the background; what it has so far stays.
struct CancelJob {};

/// These, and whatever the background jobs may be asked for (jobs.hpp).
using Command =
    WithRequests<std::variant<Apply, SetSettings, GrabParticle, GrabCollider, ReleaseGrab, PinParticle, Play, Pause,
                              StepOnce, StepBack, LoadScene, SaveState, SaveRecording, KeepMotion, ReturnToMotion,
                              ReturnPins, SetOverlay, SetSpeed, StartBranch, FollowState, HandBack, CancelJob>,
                 AllJobs>::Type;

/// The edit of a command, if it is one of this type.
template <class Edit>
const Edit* editIn(const Command& command) {
    const auto* apply = std::get_if<Apply>(&command);
    return apply ? std::get_if<Edit>(&apply->edit) : nullptr;
}

/// Where the pointer wants what is grabbed; a latest-wins cell, not a queue entry.
struct PointerTarget {
    std::uint64_t serial = 0;       ///< of the grab that it belongs to
    float position[3] = {0, 0, 0};  ///< m
};

}  // namespace clothlab::app::worker
