#include "window/state_file.hpp"

#include <cmath>

#include "records/json.hpp"
#include "simulation/report_json.hpp"
#include "window/effect_budget.hpp"

namespace clothlab::app::window {
namespace {

using records::Json;

/// Tenths: of rectangles, which scripts click into.
Json rounded(double value, double digits) { return std::round(value * digits) / digits; }

Json pointJson(ImVec2 at) { return Json::array(std::array{rounded(at.x, 100), rounded(at.y, 100)}); }

Json ghostJson(const worker::Snapshot& now) {
    if (!now.ghost.present) return {};
    Json out;
    out["since"] = now.ghost.startStep;
    out["largest_m"] = now.ghost.largest;
    out["rms_m"] = now.ghost.rms;
    return out;
}

/// The motion as the thread of the simulation has it.
void addSimulation(const model::UiModel& model, Json& out) {
    const worker::Snapshot& now = *model.snapshot;
    const scene::Settings& s = now.settings;
    out["scene"] = now.mesh ? now.mesh->sceneName : "";
    out["particles"] = now.positions.size() / 3;
    out["step"] = now.step;
    out["time_s"] = now.timeSeconds;
    out["playing"] = now.playing;
    out["settings_revision"] = model.revision;
    out["active_revision"] = now.settingsRevision;
    out["revision_in_force"] = now.settingsRevision;  // its old name, which scripts may read
    out["integrator"] = enumKey(s.integrator.kind);
    out["solver"] = enumKey(s.solver.kind);
    out["preconditioner"] = enumKey(s.preconditioner.kind);
    out["dt"] = s.integrator.dt;
    out["status"] = enumKey(now.report.status);
    out["problem"] = now.problem;
    out["refusal"] = now.refusal;
    out["report"] = simulation::reportJson(now.report);
    out["history"] = Json::array(std::array{now.historyFirst, now.historyLast});
    out["reports"] = model.history.size();
    std::vector<Index> pins;
    for (const Index pin : now.pins) pins.push_back(now.mesh ? now.mesh->particleNumber(pin) : pin);
    out["pins"] = Json::array(pins);
    out["ghost"] = ghostJson(now);
    out["speed"] = now.speed;
    out["threads"] = now.threads;
    out["real_time_factor"] = now.realTimeFactor;
}

void addPanels(const model::UiModel& model, Json& out) {
    out["overlay"] = enumKey(model.looks.overlay);
    out["painted"] = model.brushTool.particles();
    out["theme"] = enumKey(model.looks.theme);
    out["presenter"] = model.looks.presenter;
    out["type_size"] = model.looks.typeSize;
    out["undo"] = model.editor.changes.last() ? model.editor.changes.last()->words() : "";
    out["redo"] = model.editor.changes.next() ? model.editor.changes.next()->words() : "";
    out["said"] = model.said.text;
    out["panel"] = model.panelOpen() ? model::entryFor(model.panel).key : "";
    for (const model::PanelEntry& entry : model::panelTable())
        if (entry.state) entry.state(model, out);
}

void addPointer(const WindowState& state, Json& out) {
    out["pointer"] = pointJson(state.pointer);
    out["grab_active"] = state.model.snapshot->grabActive;
    out["grabbed"] = state.grabbed;
    out["grabbed_at"] = state.grabbedAt ? pointJson(*state.grabbedAt) : Json();
    out["grab_distance_px"] =
        state.grabbedAt ? std::hypot(state.grabbedAt->x - state.pointer.x, state.grabbedAt->y - state.pointer.y) : -1.0;
}

}  // namespace

std::string toJson(const WindowState& state) {
    Json out;
    out["frame"] = state.frame;
    out["settled"] = state.settled;
    addSimulation(state.model, out);
    addPanels(state.model, out);
    addPointer(state, out);
    out["frame_p95_ms"] = state.frameP95Ms;
    Json without = Json::array();
    for (std::size_t k = 0; k < state.without; ++k) without.push(EffectBudget::kOrder[k].name);
    out["without"] = std::move(without);
    out["longest_exchange_ms"] = state.longestExchangeMs;
    out["renderer"] = state.renderer;
    Json layout = Json::object();
    for (const auto& [id, rect] : state.layout.all())
        layout[id] = Json::array(std::array{rounded(rect.min.x, 10), rounded(rect.min.y, 10), rounded(rect.max.x, 10),
                                            rounded(rect.max.y, 10)});
    out["layout"] = std::move(layout);
    return out.text() + "\n";
}

}  // namespace clothlab::app::window
