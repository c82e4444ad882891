#pragma once

#include <concepts>
#include <vector>

#include "model/undo_list.hpp"
#include "worker/commands.hpp"

namespace clothlab::app::model {

struct UiModel;

template <class T, class... Others>
concept isOneOf = (std::same_as<T, Others> || ...);

/// Posts commands to the simulation and undoes them. Every change of settings, scene, pins or motion is posted here, so
/// that none is missed.
class Editor {
public:
    explicit Editor(UiModel& model) : model_(model) {}

    std::vector<worker::Command> outbox;  ///< sent next by the main loop; panels push commands without changes here
    UndoList changes;

    /// Puts a command into the outbox and its changes into the undo list.
    void post(worker::Command command);
    /// Undo and redo of changes of settings, scene, painting or pins, and of cuts and restarts. False: there is none.
    bool undo();
    bool redo();
    /// A step has begun a tear, which can be undone like a cut.
    void noteTear(const worker::ReportEntry& entry);
    /// Call when every command is carried out: drops changes without effect, and reports lost parts of the motion.
    void settle();

private:
    void note(worker::Apply& command);
    void note(worker::SetSettings& command);
    void note(worker::PinParticle& command);
    void note(worker::Play& command);
    void note(worker::StepOnce& command);
    void note(worker::LoadScene& command);
    /// Records an edit for undo. An edit with neither words for it (EditTraits::undone) nor an overload here is a
    /// compile error.
    void noteEdit(const simulation::edits::Paint& edit, worker::SharedMotionSlot& before);
    void noteEdit(const simulation::edits::Pin& edit, worker::SharedMotionSlot& before);
    void noteEdit(const simulation::edits::Unpin& edit, worker::SharedMotionSlot& before);
    void noteEdit(const simulation::edits::Cut& edit, worker::SharedMotionSlot& before);
    void noteEdit(const simulation::edits::Restart& edit, worker::SharedMotionSlot& before);
    template <class Edit>
    requires isOneOf<Edit, simulation::edits::Load, simulation::edits::Set, simulation::edits::Hold,
                     simulation::edits::Seek, simulation::edits::Keep, simulation::edits::Return,
                     simulation::edits::PinsOf, simulation::edits::Ghost>
    void noteEdit(const Edit&, worker::SharedMotionSlot&) {}
    template <class Edit>
    requires(!Edit::kTraits.undone.empty()) void noteEdit(const Edit&, worker::SharedMotionSlot& before) {
        noteMotion(before, Change::Of::Motion, std::string(Edit::kTraits.undone));
    }
    template <class Other>
    void note(Other&) {}
    void notePin(worker::SharedMotionSlot& before, Index particle, bool pins);
    void noteMotion(worker::SharedMotionSlot& before, Change::Of of, std::string subject = {});
    void swapSides(Change::Of of, const Change::Side& to, Change::Side& present);

    UiModel& model_;
    bool returning_ = false;  ///< to another motion: until it is there, reported tears belong to the previous one
};

}  // namespace clothlab::app::model
