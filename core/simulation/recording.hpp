#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "simulation/session.hpp"

/// The actions on a simulation, step by step, as a text that brings another one to the same bits: one line of JSON
/// each.
///
///     {"clothlab_recording": 1}
///     {"load": {"name": "hang", "scene": "steps = 300 ..."}}      "state": a saved state in base64 to start from
///     {"steps": 40}
///     {"set": {"solver.kind": "mpcg", "material.stretch_stiffness": "600"}}
///     {"hold": {"particle": 820, "target": [0.1, 0.2, 0.3]}}      {"hold": {"solid": 0, ...}}, {"hold": null}
///     {"pin": {"particle": 5, "ndof": 0, ...}}, {"unpin": 5}, {"cut": ...}, {"ball": ...}, {"paint": [...]}
///     {"restart": true}, {"seek": 12}
///     {"keep": 3}, {"return": 3, "anew": false}, {"pins_of": 3}   a stored motion, and its uses
///     {"adopt": true}                                             the next step adopts a pending factor
///     {"branch": {"solver.kind": "mpcg"}, "further": false}       a ghost with these settings; null ends them all
namespace clothlab::simulation {

inline constexpr int kRecordingVersion = 1;

/// A number of steps.
struct Steps {
    static constexpr EditTraits kTraits{.key = "steps", .effect = Effect::Changes, .refused = {}};
    std::int64_t count = 0;
};
/// The next step adopts a factor that was made in the background.
struct Adopt {
    static constexpr EditTraits kTraits{.key = "adopt", .effect = Effect::Changes, .refused = {}};
};
using RecordedEvent = std::variant<Steps, Adopt, Edit>;

/// A line, without its end.
std::string recordingHead();
std::string recordedLine(const RecordedEvent& event);
/// A partial last line, as left by a full disk or a signal, is skipped: `note` says so.
struct Recording {
    std::vector<RecordedEvent> events;
    std::string note;
};
/// An Error has file, line and column, and what would be valid.
Expected<Recording> readRecording(std::string_view text, const std::string& file);
Expected<Recording> loadRecording(const std::string& path);

/// A replay from the first load of a recording, which is removed from it.
struct BegunReplay {
    edits::Load load;
    Recording rest;
};
Expected<BegunReplay> beginReplay(const std::string& path);

/// Applies a recording to a session.
class Replay final : private Shelf {
public:
    explicit Replay(std::vector<RecordedEvent> events);

    /// Applies everything before the next step. False: there is none, all is done. An Error says what does not fit.
    Expected<bool> upToStep(Session& session);
    /// Likewise, and takes the step.
    Expected<bool> step(Session& session, Simulation::StepOptions options);
    /// Called after each edit between steps.
    std::function<void(const Edit&)> onEdit;
    /// Whether ghosts are started. The motion is the same without them.
    bool ghosts = false;
    /// The steps so far, including failed ones.
    std::int64_t steps() const { return steps_; }
    std::int64_t allSteps() const;
    std::size_t changes() const { return changes_; }

private:
    Expected<void> apply(const Edit& edit, Session& session);
    void put(std::int64_t id, const Session& session);
    const StoredMotion* find(std::int64_t id) const override;

    std::vector<RecordedEvent> events_;
    std::size_t at_ = 0, changes_ = 0;
    std::int64_t steps_ = 0, inRow_ = 0;
    bool adopts_ = false;
    /// Stored motions that are returned to later; the others are not kept, and none beyond its last return.
    std::map<std::int64_t, StoredMotion> kept_;
    std::map<std::int64_t, std::size_t> lastUse_;
};

}  // namespace clothlab::simulation
