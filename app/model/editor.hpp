#pragma once

#include <concepts>
#include <vector>

#include "model/undo_list.hpp"
#include "worker/commands.hpp"

namespace clothlab::app::model {

struct UiModel;

template <class T, class... Others>
concept isOneOf = (std::same_as<T, Others> || ...);

/// What the window asks of the simulation, and how it is taken back. Whatever changes settings, scene, pins or motion
/// is a command that is posted here, so no change is missed.
class Editor {
public:
    explicit Editor(UiModel& model) : model_(model) {}

    std::vector<worker::Command> outbox;  ///< what the main loop sends next; panels that change nothing push here
    UndoList changes;

    /// Puts a command into the outbox. What it changes can be taken back.
    void post(worker::Command command);
    /// Takes back the last change of settings, scene, painting or pins, and the last cut or restart; does it again.
    /// False: there is none.
    bool undo();
    bool redo();
    /// A step has begun a tear, which is taken back as a cut is.
    void noteTear(const worker::ReportEntry& entry);
    /// Every command is carried out: what changed nothing is forgotten, and what was lost is said.
    void settle();

private:
    void note(worker::Apply& command);
    void note(worker::SetSettings& command);
    void note(worker::PinParticle& command);
    void note(worker::Play& command);
    void note(worker::StepOnce& command);
    void note(worker::LoadScene& command);
    /// What an edit changes, for undo. One that has neither words for it (EditTraits::undone) nor a line here does not
    /// compile.
    void noteEdit(const simulation::edits::Paint& edit, worker::KeepHere& before);
    void noteEdit(const simulation::edits::Pin& edit, worker::KeepHere& before);
    void noteEdit(const simulation::edits::Unpin& edit, worker::KeepHere& before);
    void noteEdit(const simulation::edits::Cut& edit, worker::KeepHere& before);
    void noteEdit(const simulation::edits::Restart& edit, worker::KeepHere& before);
    template <class Edit>
    requires isOneOf<Edit, simulation::edits::Load, simulation::edits::Set, simulation::edits::Hold,
                     simulation::edits::Seek, simulation::edits::Keep, simulation::edits::Return,
                     simulation::edits::PinsOf, simulation::edits::Ghost>
    void noteEdit(const Edit&, worker::KeepHere&) {}
    template <class Edit>
    requires(!Edit::kTraits.undone.empty()) void noteEdit(const Edit&, worker::KeepHere& before) {
        noteMotion(before, Change::Of::Motion, std::string(Edit::kTraits.undone));
    }
    template <class Other>
    void note(Other&) {}
    void notePin(worker::KeepHere& before, Index particle, bool pins);
    void noteMotion(worker::KeepHere& before, Change::Of of, std::string subject = {});
    void swapSides(Change::Of of, const Change::Side& to, Change::Side& present);

    UiModel& model_;
    bool returning_ = false;  ///< to another motion: a tear that is told until it is there was of the one before
};

}  // namespace clothlab::app::model
