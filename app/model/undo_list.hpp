#pragma once

#include <deque>
#include <memory>
#include <string>

#include "model/open_scene.hpp"

namespace clothlab::app::model {

/// An undoable change, with the states before and after it.
struct Change {
    /// The scope of undo: only settings, painting or pins, while the motion continues; or the motion itself, after a
    /// cut, another edit of it, a restart, or a step from an earlier state, which drops the later ones; or the whole
    /// scene with the window's data of it.
    enum class Of { Settings, Painting, Pins, Cut, Motion, Restart, Way, Scene };
    struct Side {
        scene::Settings settings = {};
        scene::Painting painting = {};
        std::shared_ptr<worker::MotionSlot> motion = {};  ///< from pins on
        std::shared_ptr<const OpenScene> scene = {};      ///< of a scene
    };

    Of of = Of::Settings;
    std::string subject = {};  ///< "stretch stiffness 600 → 6,000 N/m", "the ball"
    Side before = {}, after = {};
    bool fresh = true;  ///< the simulation may not have carried it out yet

    /// A clause that names the change.
    std::string words() const;
    /// A sentence on the lost part of the motion, or empty.
    std::string lost() const;
    /// Pending: the simulation has not carried it out, so it is not known whether it changes anything.
    bool open() const { return before.motion && !before.motion->content(); }
    std::size_t bytes() const;
};

/// All settings that differ, the first in full: "stretch stiffness 600 → 6,000 N/m and 2 more"; empty where none does.
std::string changedWords(scene::Settings before, scene::Settings after);
/// Their keys.
std::vector<std::string> changedKeys(scene::Settings before, scene::Settings after);

/// The changes that can be undone, and those that can be redone.
class UndoList {
public:
    /// Last posted values.
    scene::Settings settings;
    scene::Painting painting;

    /// Appends a change. Once it has had an effect, undone changes cannot be redone.
    Change* add(Change change);
    /// The last change while its drag is in progress: a drag and a stroke are one change each.
    Change* going(Change::Of of);
    /// Nothing can be taken back.
    void clear();
    /// The drag has ended.
    void letGo() { going_ = false; }
    /// Removes the last change, which had no effect.
    void dropLast();
    /// Moves the last change over to the other side; null when there is none.
    Change* back();
    Change* forth();
    /// Moves the last stroke of the brush to the end, past independent changes; false when there is none.
    bool bringStrokeForward();
    const Change* last() const { return done_.empty() ? nullptr : &done_.back(); }
    const Change* next() const { return undone_.empty() ? nullptr : &undone_.back(); }
    /// Call when all commands are carried out: removes changes without effect. Returns a sentence on the part of the
    /// motion lost since the last call, or an empty string.
    std::string settle();

private:
    void forgetOldest();

    std::deque<Change> done_, undone_;
    bool going_ = false;
};

}  // namespace clothlab::app::model
