#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "simulation/simulation.hpp"

/// What was done to a simulation, step by step, as a text that brings another one to the same bits: a line of JSON
/// each.
///
///     {"clothlab_recording": 1}
///     {"load": {"name": "hang", "scene": "steps = 300 ..."}}      "state": a saved state in base64, to go on from
///     {"steps": 40}
///     {"set": {"solver.kind": "mpcg", "material.stretch_stiffness": "600"}}
///     {"hold": {"particle": 820, "target": [0.1, 0.2, 0.3]}}      {"hold": {"solid": 0, ...}}, {"hold": null}
///     {"pin": {"particle": 5, "ndof": 0, ...}}, {"unpin": 5}, {"cut": ...}, {"ball": ...}, {"paint": [...]}
///     {"restart": true}, {"seek": 12}
///     {"keep": 3}, {"return": 3, "anew": false}, {"pins_of": 3}   a motion that is put aside, and what comes of it
///     {"adopt": true}                                             the next step adopts a factor that was on its way
///     {"branch": {"solver.kind": "mpcg"}, "further": false}       a ghost with these settings; null ends them all
namespace clothlab::simulation {

inline constexpr int kRecordingVersion = 1;

namespace recorded {

struct Load {
    scene::Scene scene;
    std::optional<integrators::SimulationState> state;
};
struct Steps {
    std::int64_t count = 0;
};
/// Keys of settings and their values, as valueText has them.
struct Set {
    std::vector<std::pair<std::string, std::string>> values;
};
struct Hold {
    integrators::Grab cloth;
    integrators::ColliderGrab solid;
};
struct PinAt {
    Index particle = -1;
    std::optional<integrators::PinHold> hold;
    mechanics::Motion motion;  ///< a velocity from a time on
};
struct Cut {
    cloth::Blade blade;
};
struct Ball {
    Vec3 from = Vec3::Zero();
    integrators::ThrownBall ball;
};
struct Paint {
    scene::Painting painting;
};
struct Restart {};
struct Seek {
    std::int64_t step = 0;
};
struct Keep {
    std::int64_t id = 0;
};
struct Return {
    std::int64_t id = 0;
    bool anew = false;  ///< into a simulation that is built again
};
struct PinsOf {
    std::int64_t id = 0;
};
struct Adopt {};
/// Looks on: the motion is as it would be without it.
struct Ghost {
    std::optional<Set> differs = {};  ///< from the settings of now; none: all ghosts end
    bool further = false;             ///< beside those that there are
};

}  // namespace recorded

using RecordedEvent =
    std::variant<recorded::Load, recorded::Steps, recorded::Set, recorded::Hold, recorded::PinAt, recorded::Cut,
                 recorded::Ball, recorded::Paint, recorded::Restart, recorded::Seek, recorded::Keep, recorded::Return,
                 recorded::PinsOf, recorded::Adopt, recorded::Ghost>;

/// A line, without its end.
std::string recordingHead();
std::string recordedLine(const RecordedEvent& event);
/// A last line that was cut off, as the disk or a signal leaves it, is left out: `note` says so.
struct Recording {
    std::vector<RecordedEvent> events;
    std::string note;
};
/// An Error has file, line and column, and what would be valid.
Expected<Recording> readRecording(std::string_view text, const std::string& file);
Expected<Recording> loadRecording(const std::string& path);

/// A recording that is played from its first load, which is taken out.
struct BegunReplay {
    recorded::Load load;
    Recording rest;
};
Expected<BegunReplay> beginReplay(const std::string& path);

/// The settings that differ, in the order of the description table.
recorded::Set difference(const scene::Settings& from, const scene::Settings& to);
/// Gives settings these values.
Expected<void> assign(const recorded::Set& set, scene::Settings& settings);

/// Does to a simulation what was recorded.
class Replay {
public:
    explicit Replay(std::vector<RecordedEvent> events);

    /// What comes before the next step. False: there is none, all has been done. `simulation` may be null at first, and
    /// is another one after a load. An Error says what does not fit.
    Expected<bool> upToStep(std::unique_ptr<Simulation>& simulation, int threads);
    /// That, and the step.
    Expected<bool> step(std::unique_ptr<Simulation>& simulation, int threads, Simulation::StepOptions options);
    /// Is told of all that is done between steps, once it is done.
    std::function<void(const RecordedEvent&)> onEvent;
    /// So far, those that failed too.
    std::int64_t steps() const { return steps_; }
    std::int64_t allSteps() const;
    std::size_t changes() const { return changes_; }

private:
    Expected<void> apply(const RecordedEvent& event, std::unique_ptr<Simulation>& simulation, int threads);
    Expected<void> comeBack(const recorded::Return& back, std::unique_ptr<Simulation>& simulation, int threads);

    std::vector<RecordedEvent> events_;
    std::size_t at_ = 0, changes_ = 0;
    std::int64_t steps_ = 0, inRow_ = 0;
    bool adopts_ = false;
    /// Motions put aside that come back later; the others are not kept, and none beyond its last return.
    std::map<std::int64_t, Kept> kept_;
    std::map<std::int64_t, std::size_t> lastUse_;
};

}  // namespace clothlab::simulation
