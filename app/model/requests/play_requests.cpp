#include "model/requests/play_requests.hpp"

#include "model/ui_model.hpp"

namespace clothlab::app::model {

void togglePlaying(UiModel& model) {
    model.playing = !model.playing;
    if (model.playing)
        model.editor.post(worker::Play{});
    else
        model.editor.outbox.push_back(worker::Pause{});
}

void stepOnce(UiModel& model) {
    model.playing = false;
    model.editor.post(worker::StepOnce{});
}

void stepBack(UiModel& model) {
    model.playing = false;
    model.editor.outbox.push_back(worker::StepBack{});
}

void restart(UiModel& model) { model.editor.post(worker::Apply{simulation::edits::Restart{}}); }

void seek(UiModel& model, std::int64_t step) {
    model.playing = false;
    model.editor.outbox.push_back(worker::Apply{simulation::edits::Seek{step}});
}

void setSpeed(UiModel& model, double factor) {
    model.speed = factor;
    model.editor.outbox.push_back(worker::SetSpeed{factor});
}

void toggleBranch(UiModel& model) {
    if (model.snapshot->ghost.present)
        model.editor.outbox.push_back(worker::Apply{simulation::edits::Ghost{}});
    else
        model.editor.outbox.push_back(worker::StartBranch{model.settings});
}

void addBranch(UiModel& model) { model.editor.outbox.push_back(worker::StartBranch{model.settings, true}); }

}  // namespace clothlab::app::model
