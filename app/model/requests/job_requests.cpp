#include "model/requests/job_requests.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrators/kind.hpp"
#include "model/step_note.hpp"
#include "model/ui_model.hpp"

namespace clothlab::app::model {

worker::StartRace raceWanted(const UiModel& model) {
    worker::StartRace start;
    start.live = model.racing.live && !model.lessons.isOn();
    start.options.choice = model.racing.choice;
    start.options.names = model.racing.names;
    if (!model.racing.tolerances.empty()) start.options.tolerances = model.racing.tolerances;
    if (model.lessons.isOn()) return start;
    auto& names = start.options.names;
    const bool ofSome = !names.empty();  // ticks say which programs, whatever curves are shown
    for (const auto& [program, ticked] : model.racing.programs) {
        std::erase(names, program.name);
        if (ticked) start.options.programs.push_back(program);
        if (ticked && ofSome) names.push_back(program.name);
    }
    return start;
}

bool startRace(UiModel& model) {
    if (model.race() && model.race()->running && !stepNote(model.race()->origin, model).stale()) return false;
    model.editor.outbox.push_back(raceWanted(model));
    return true;
}

bool startDescent(UiModel& model) {
    if (model.descent() && model.descent()->running) return false;
    model.editor.outbox.push_back(worker::StartDescent{});
    return true;
}

void startSlowMotion(UiModel& model) {
    model.slow.playing = false;
    model.slow.frame = 0;
    model.slow.follow(*model.snapshot);
    model.editor.outbox.push_back(
        worker::StartSlowMotion{{model.slow.methods[0], model.slow.methods[1]}, ++model.slow.request, false});
}

void solveSlowMotion(UiModel& model) {
    model.slow.playing = false;
    model.editor.outbox.push_back(
        worker::StartSlowMotion{{model.slow.methods[0], model.slow.methods[1]}, ++model.slow.request, true});
}

void proposeWork(UiModel& model) {
    model.work.proposed = true;
    auto& wanted = model.work.request.integrators;
    if (!wanted.empty()) return;
    using enum integrators::IntegratorKind;
    wanted = {SymplecticEuler, LinearizedBackwardEuler, Bdf2, ImexEuler};
    const auto active = model.settings.integrator.kind;
    if (std::ranges::find(wanted, active) == wanted.end()) wanted.push_back(active);
}

bool startWork(UiModel& model) {
    if (model.work.progress() && model.work.progress()->running) return false;
    model.editor.outbox.push_back(worker::StartWork{model.work.request, model.work.fromStart, model.work.live});
    return true;
}

void openWork(UiModel& model, const std::string& path) {
    model.work.path = path;
    model.editor.outbox.push_back(worker::OpenWork{path});
}

bool saveWork(UiModel& model) {
    if (!model.work.progress() || model.work.progress()->running || model.work.progress()->records.records.empty())
        return false;
    model.editor.outbox.push_back(worker::SaveWork{freeName("clothlab-work-" + model.scene.name, ".ndjson")});
    return true;
}

bool cancelJob(UiModel& model) {
    model.editor.outbox.push_back(worker::CancelJob{});
    return true;
}

void askSparsity(UiModel& model) {
    model.editor.outbox.push_back(
        worker::ShowSparsity{model.sparsity.of, model.sparsity.ordering, model.sparsity.byComponents});
}

bool saveRace(UiModel& model) {
    if (!model.race() || model.race()->running || model.race()->result.rows.empty()) return false;
    model.racing.folder =
        freeName(fmt::format("clothlab-race-{}-{}", model.race()->result.scene, model.race()->result.step), "");
    model.editor.outbox.push_back(worker::SaveRace{model.racing.folder, model.race()->serial});
    return true;
}

bool bundleWantsPictures(const UiModel& model) {
    return !model.racing.folder.empty() && model.race() && model.race()->saved == model.racing.folder;
}

}  // namespace clothlab::app::model
