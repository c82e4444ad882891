#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "model/editor.hpp"
#include "model/ui_model.hpp"

// What of the window's commands can be taken back, and how. Whatever changes settings, scene or pins is a command, so
// nothing is missed.
namespace clothlab::app::model {

namespace edits = simulation::edits;

namespace {

const std::string& displayTitle(const scene::Scene& scene) { return scene.title.empty() ? scene.name : scene.title; }

}  // namespace

void Editor::post(worker::Command command) {
    returning_ = false;
    std::visit([this](auto& each) { note(each); }, command);
    outbox.push_back(std::move(command));
}

void Editor::note(worker::SetSettings& command) {
    if (command.settings == changes.settings) return;
    Change* change = changes.going(Change::Of::Settings);
    if (!change) change = changes.add({.of = Change::Of::Settings, .before = {.settings = changes.settings}});
    change->after.settings = changes.settings = command.settings;
    change->subject = changedWords(change->before.settings, command.settings);
    if (change->before.settings == command.settings) changes.dropLast();
}

void Editor::note(worker::Apply& command) {
    std::visit([&](const auto& edit) { noteEdit(edit, command.before); }, command.edit);
}

void Editor::noteEdit(const edits::Paint& edit, worker::SharedMotionSlot&) {
    if (edit.painting == changes.painting) return;
    Change* change = changes.going(Change::Of::Painting);
    if (!change) change = changes.add({.of = Change::Of::Painting, .before = {.painting = changes.painting}});
    change->after.painting = changes.painting = edit.painting;
    change->subject = edit.painting.empty() ? "the painting is cleared" : "a stroke of the brush";
}

void Editor::notePin(worker::SharedMotionSlot& before, Index particle, bool pins) {
    before = std::make_shared<worker::MotionSlot>();
    const Index number = model_.snapshot->mesh ? model_.snapshot->mesh->particleNumber(particle) : particle;
    changes.add({.of = Change::Of::Pins,
                 .subject = fmt::format("particle {} {}", number, pins ? "pinned" : "unpinned"),
                 .before = {.motion = before}});
}

void Editor::note(worker::PinParticle& command) {
    const bool pinned = std::ranges::find(model_.snapshot->pins, command.pin.particle) != model_.snapshot->pins.end();
    notePin(command.before, command.pin.particle, !(command.toggles && pinned));
}

void Editor::noteEdit(const edits::Pin& edit, worker::SharedMotionSlot& before) {
    notePin(before, edit.particle, true);
}
void Editor::noteEdit(const edits::Unpin& edit, worker::SharedMotionSlot& before) {
    notePin(before, edit.particle, false);
}

void Editor::noteEdit(const edits::Cut&, worker::SharedMotionSlot& before) {
    const Change* stroke = changes.going(Change::Of::Cut);
    before = stroke ? stroke->before.motion : std::make_shared<worker::MotionSlot>();
    if (!stroke) changes.add({.of = Change::Of::Cut, .before = {.motion = before}});
}

void Editor::noteEdit(const edits::Restart&, worker::SharedMotionSlot& before) {
    noteMotion(before, Change::Of::Restart);
}

void Editor::noteMotion(worker::SharedMotionSlot& before, Change::Of of, std::string subject) {
    before = std::make_shared<worker::MotionSlot>();
    changes.add({.of = of, .subject = std::move(subject), .before = {.motion = before}});
}

void Editor::note(worker::Play& command) { noteMotion(command.before, Change::Of::Way); }
void Editor::note(worker::StepOnce& command) { noteMotion(command.before, Change::Of::Way); }

/// The window has the next scene already.
void Editor::note(worker::LoadScene& command) {
    const std::string from = displayTitle(model_.sceneBefore.scene), to = displayTitle(command.scene);
    const bool grid =
        from == to && !command.scene.cloths.empty() && command.scene.cloths.front() != model_.sceneBefore.activePatch;
    command.before = std::make_shared<worker::MotionSlot>();
    changes.add({.of = Change::Of::Scene,
                 .subject = grid ? fmt::format("cloth {} → {}", sizeText(model_.sceneBefore.activePatch),
                                               sizeText(command.scene.cloths.front()))
                                 : fmt::format("scene {} → {}", from, to),
                 .before = {.motion = command.before, .scene = std::make_shared<const OpenScene>(model_.sceneBefore)}});
    changes.settings = command.scene.settings;
    changes.painting = {};
}

bool Editor::undo() {
    if (!(model_.settings == changes.settings)) model_.postSettings();
    Change* change = changes.back();
    if (!change) return false;
    const std::string words = change->words();  // afterwards the motion that they speak of is another one
    swapSides(change->of, change->before, change->after);
    const auto* then = change->before.motion ? change->before.motion->content() : nullptr;
    const bool pauses = then && change->of != Change::Of::Pins && model_.playing && !then->playing;
    model_.say(fmt::format("Taken back: {}{}", words, pauses ? ". It is paused now." : ""), false);
    return true;
}

bool Editor::redo() {
    if (!(model_.settings == changes.settings)) model_.postSettings();
    Change* change = changes.forth();
    if (!change) return false;
    const std::string words = change->words();
    swapSides(change->of, change->after, change->before);
    model_.say("Done again: " + words, false);
    return true;
}

/// Goes to one side of a change and keeps what is there now for the other one.
void Editor::swapSides(Change::Of of, const Change::Side& to, Change::Side& present) {
    using enum Change::Of;
    if (of == Settings) {
        model_.settings = changes.settings = to.settings;
        return model_.postSettings();
    }
    if (of == Painting) {
        model_.brushTool.painting = changes.painting = to.painting;
        return postPainting(model_);
    }
    present.motion = std::make_shared<worker::MotionSlot>();
    if (of == Pins) {
        outbox.push_back(worker::ReturnPins{to.motion, present.motion});
    } else if (of == Scene) {
        present.scene = std::make_shared<const OpenScene>(model_.openScene());
        model_.goTo(*to.scene, to.motion, present.motion);
    } else {
        model_.goToMotion(to.motion, present.motion, ++model_.revision);
    }
    returning_ = of != Pins;
}

void Editor::noteTear(const worker::ReportEntry& entry) {
    if (entry.cleared) returning_ = false;
    if (!entry.tear || returning_) return;
    changes.add({.of = Change::Of::Motion,
                 .subject = entry.tear->pulled ? "the pull that tore the cloth" : "the tear",
                 .before = {.motion = entry.tear->before}});
    changes.letGo();
}

void Editor::settle() {
    const std::string lost = changes.settle();
    if (lost.empty()) return;
    const std::string opened =
        model_.said.text.starts_with("Opened ") && model_.said.seconds > 0 ? model_.said.text + " " : "";
    model_.say(fmt::format("{}{} {} brings that back.", opened, lost, model_.actions.actionKey("undo")), false);
}

}  // namespace clothlab::app::model
