#pragma once

#include <deque>
#include <memory>
#include <string>

#include "model/open_scene.hpp"

namespace clothlab::app::model {

/// Something that was changed, as it was before and as it is after.
struct Change {
    /// What undo takes back: only settings, painting or pins, while the motion continues; or the motion itself, after a
    /// cut, another edit of it, a restart, or a step from an earlier state, which drops the later ones; or the whole
    /// scene with what the window has of it.
    enum class Of { Settings, Painting, Pins, Cut, Motion, Restart, Way, Scene };
    struct Side {
        scene::Settings settings = {};
        scene::Painting painting = {};
        std::shared_ptr<worker::KeptMotion> motion = {};  ///< from pins on
        std::shared_ptr<const OpenScene> scene = {};      ///< of a scene
    };

    Of of = Of::Settings;
    std::string subject = {};  ///< "stretch stiffness 600 → 6,000 N/m", "the ball"
    Side before = {}, after = {};
    bool fresh = true;  ///< the simulation may not have come to it yet

    /// What it was, in a clause.
    std::string words() const;
    /// What of the motion went with it, in a sentence, or empty.
    std::string lost() const;
    /// Nobody knows yet whether it changes anything: the simulation has not come to it.
    bool open() const { return before.motion && !before.motion->content(); }
    std::size_t bytes() const;
};

/// All settings that differ, the first in full: "stretch stiffness 600 → 6,000 N/m and 2 more"; empty where none does.
std::string changedWords(scene::Settings before, scene::Settings after);
/// Their keys.
std::vector<std::string> changedKeys(scene::Settings before, scene::Settings after);

/// The changes that can be taken back, and those that were and can be done again.
class UndoList {
public:
    /// What the simulation was told last.
    scene::Settings settings;
    scene::Painting painting;

    /// Behind the others. What was taken back before cannot be done again, once this has changed anything.
    Change* add(Change change);
    /// The last change, while one and the same hand is still at it: a drag and a stroke are one change each.
    Change* going(Change::Of of);
    /// Nothing can be taken back.
    void clear();
    /// The hand has let go.
    void letGo() { going_ = false; }
    /// Takes the last change out: it came to nothing.
    void dropLast();
    /// Moves the last change over to the other side; null when there is none.
    Change* back();
    Change* forth();
    /// Brings the last stroke of the brush to the end, past what does not touch it; false when there is none.
    bool bringStrokeForward();
    const Change* last() const { return done_.empty() ? nullptr : &done_.back(); }
    const Change* next() const { return undone_.empty() ? nullptr : &undone_.back(); }
    /// All commands are carried out: what changed nothing goes. Returns what of the motion was lost since the last
    /// call, in a sentence, or nothing.
    std::string settle();

private:
    void forgetOldest();

    std::deque<Change> done_, undone_;
    bool going_ = false;
};

}  // namespace clothlab::app::model
