#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cloth/tearing.hpp"
#include "integrators/state/state.hpp"
#include "scene/painting.hpp"
#include "scene/scene.hpp"

/// Actions of a user on a simulation between two steps, as values: a cut, a ball, a pin, another setting.
///
/// A type here defines everything about its edit. The window posts it, a recording has it as a line, a replay, a ghost
/// and a lesson apply it, undo uses its effect; all of them loop over the variant `Edit`, so that forgetting an edit is
/// a compile error. docs/extending.md has the recipe for another one.
///
///     kTraits      see EditTraits
///     apply        applies it; true: something changed. To a simulation, or to the session that holds it
///     takesOver    only if it depends on the values: whether it ends a replay
///     fields       its values, read and written by one list (recorded_lines.cpp)
namespace clothlab::simulation {

class Session;
class Shelf;
class Simulation;

/// The effect on the motion.
enum class Effect : int {
    LooksOn,  ///< it is unchanged by the edit
    Changes,  ///< it continues from the current state
    Jumps     ///< it continues from another state: ghosts end, and the pointer lets go
};

struct EditTraits {
    std::string_view key;      ///< in a recording
    Effect effect;             ///< on the motion
    std::string_view refused;  ///< the beginning of a refusal, before the reason
    bool ghosts = false;       ///< applies to ghosts, too; pins and the pointer's hold reach them anyway
    bool takesOver = true;     ///< it ends a replay
    bool lastCounts = false;   ///< only the last of several in a row needs to be applied
    /// What undo reverts, with the motion since: "the ball"; empty: undo treats it specially, or not at all.
    std::string_view undone = {};
};

namespace edits {

/// Another scene, from its start or from a saved state.
struct Load {
    static constexpr EditTraits kTraits{.key = "load", .effect = Effect::Jumps, .refused = "The scene cannot be built"};
    scene::Scene scene;
    std::optional<integrators::SimulationState> state;
    Expected<bool> apply(Session& session, Shelf& shelf) const;
};
/// Keys of settings and their values, as from valueText.
struct Set {
    static constexpr EditTraits kTraits{.key = "set", .effect = Effect::Changes, .refused = "Not set"};
    std::vector<std::pair<std::string, std::string>> values;
    Expected<bool> apply(Simulation& simulation) const;
};
/// The pointer's new hold, on a particle or a solid; neither: none.
struct Hold {
    static constexpr EditTraits kTraits{.key = "hold", .effect = Effect::Changes, .refused = "Not held"};
    integrators::Grab cloth;
    integrators::ColliderGrab solid;
    bool takesOver() const { return cloth.active || solid.active; }
    Expected<bool> apply(Simulation& simulation) const;
};
struct Pin {
    static constexpr EditTraits kTraits{.key = "pin", .effect = Effect::Changes, .refused = "Not pinned"};
    Index particle = -1;
    integrators::PinHold hold;
    mechanics::Motion motion;  ///< a velocity from a time on
    Expected<bool> apply(Simulation& simulation) const;
};
struct Unpin {
    static constexpr EditTraits kTraits{.key = "unpin", .effect = Effect::Changes, .refused = "Not unpinned"};
    Index particle = -1;
    Expected<bool> apply(Simulation& simulation) const;
};
/// Breaks the springs that the blade goes through.
struct Cut {
    static constexpr EditTraits kTraits{.key = "cut", .effect = Effect::Changes, .refused = "Not cut", .ghosts = true};
    cloth::Blade blade;
    Expected<bool> apply(Simulation& simulation) const;
};
/// Throws a ball, in place of the previous one.
struct Ball {
    static constexpr EditTraits kTraits{
        .key = "ball", .effect = Effect::Changes, .refused = "Not thrown", .ghosts = true, .undone = "the ball"};
    Vec3 from = Vec3::Zero();  ///< m
    integrators::ThrownBall ball;
    Expected<bool> apply(Simulation& simulation) const;
};
/// The whole painting, in place of the last one.
struct Paint {
    static constexpr EditTraits kTraits{
        .key = "paint", .effect = Effect::Changes, .refused = "Not painted", .ghosts = true, .lastCounts = true};
    scene::Painting painting;
    Expected<bool> apply(Simulation& simulation) const;
};
/// Back to the start state; settings and pins stay.
struct Restart {
    static constexpr EditTraits kTraits{.key = "restart", .effect = Effect::Jumps, .refused = "Not restarted"};
    Expected<bool> apply(Simulation& simulation) const;
};
/// Restores the state of a step that the history holds.
struct Seek {
    static constexpr EditTraits kTraits{
        .key = "seek", .effect = Effect::Jumps, .refused = "Not sought", .lastCounts = true};
    std::int64_t step = 0;
    Expected<bool> apply(Simulation& simulation) const;
};
/// Stores the motion under a number: done by the owner of the shelf, and nothing changes.
struct Keep {
    static constexpr EditTraits kTraits{
        .key = "keep", .effect = Effect::LooksOn, .refused = "Not kept", .takesOver = false};
    std::int64_t id = 0;
    Expected<bool> apply(Session&, Shelf&) const { return false; }
};
/// Back to a stored motion: state, settings, painting and its part of the history.
struct Return {
    static constexpr EditTraits kTraits{.key = "return", .effect = Effect::Jumps, .refused = "Not brought back"};
    std::int64_t id = 0;
    bool anew = false;  ///< into a rebuilt simulation
    Expected<bool> apply(Session& session, Shelf& shelf) const;
};
/// The same for its pins only.
struct PinsOf {
    static constexpr EditTraits kTraits{
        .key = "pins_of", .effect = Effect::Changes, .refused = "Pins not brought back"};
    std::int64_t id = 0;
    Expected<bool> apply(Session& session, Shelf& shelf) const;
};
/// A ghost with other settings, or the end of all ghosts.
struct Ghost {
    static constexpr EditTraits kTraits{.key = "branch", .effect = Effect::LooksOn, .refused = "No second cloth"};
    std::optional<Set> differs = {};  ///< from the current settings; none: all ghosts end
    bool further = false;             ///< in addition to existing ones
    bool takesOver() const { return differs.has_value(); }
    Expected<bool> apply(Session& session, Shelf& shelf) const;
};

}  // namespace edits

using Edit =
    std::variant<edits::Load, edits::Set, edits::Hold, edits::Pin, edits::Unpin, edits::Cut, edits::Ball, edits::Paint,
                 edits::Restart, edits::Seek, edits::Keep, edits::Return, edits::PinsOf, edits::Ghost>;

const EditTraits& traitsFor(const Edit& edit);
/// Whether it ends a replay.
bool takesOver(const Edit& edit);

/// The settings that differ, in the order of the description table.
edits::Set difference(const scene::Settings& from, const scene::Settings& to);
/// Assigns these values to settings.
Expected<void> assign(const edits::Set& set, scene::Settings& settings);

}  // namespace clothlab::simulation
