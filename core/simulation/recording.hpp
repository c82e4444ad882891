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

/// So many steps.
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
    edits::Load load;
    Recording rest;
};
Expected<BegunReplay> beginReplay(const std::string& path);

/// Does to a session what was recorded.
class Replay final : private Shelf {
public:
    explicit Replay(std::vector<RecordedEvent> events);

    /// What comes before the next step. False: there is none, all has been done. An Error says what does not fit.
    Expected<bool> upToStep(Session& session);
    /// That, and the step.
    Expected<bool> step(Session& session, Simulation::StepOptions options);
    /// Is told of all that is done between steps, once it is done.
    std::function<void(const Edit&)> onEdit;
    /// Whether ghosts are started. The motion is the same without.
    bool ghosts = false;
    /// So far, those that failed too.
    std::int64_t steps() const { return steps_; }
    std::int64_t allSteps() const;
    std::size_t changes() const { return changes_; }

private:
    Expected<void> apply(const Edit& edit, Session& session);
    void put(std::int64_t id, const Session& session);
    const Kept* find(std::int64_t id) const override;

    std::vector<RecordedEvent> events_;
    std::size_t at_ = 0, changes_ = 0;
    std::int64_t steps_ = 0, inRow_ = 0;
    bool adopts_ = false;
    /// Motions put aside that come back later; the others are not kept, and none beyond its last return.
    std::map<std::int64_t, Kept> kept_;
    std::map<std::int64_t, std::size_t> lastUse_;
};

}  // namespace clothlab::simulation
