#include "window/state_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdio>

namespace clothlab::app::window {
namespace {

std::string jsonText(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 0x20)
            out += ' ';
        else
            out += c;
    }
    return out + "\"";
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

std::string pair(ImVec2 at) { return fmt::format("[{:.2f}, {:.2f}]", at.x, at.y); }

/// The two unknowns: where each method shown stands.
std::string quadratic(const panels::QuadraticState& q) {
    std::string methods;
    for (std::size_t m = 0; m < panels::QuadraticState::kMethods; ++m)
        if (q.shown[m])
            methods += fmt::format("{}\"{}\": [{}, {}]", methods.empty() ? "" : ", ", experiments::kPlaneMethods[m].key,
                                   number(q.now(m).x[0]), number(q.now(m).x[1]));
    return fmt::format("{{\"open\": {}, \"start\": [{}, {}], \"step\": {}, \"at\": {{{}}}}}", q.open,
                       number(q.start[0]), number(q.start[1]), q.step, methods);
}

}  // namespace

std::string toJson(const WindowState& state) {
    const panels::UiModel& model = state.model;
    const worker::Snapshot& now = *model.snapshot;
    const scene::Settings& s = now.settings;
    std::string out = "{\n";
    const auto add = [&](std::string_view key, const std::string& value) {
        out += fmt::format("  \"{}\": {},\n", key, value);
    };
    add("frame", fmt::format("{}", state.frame));
    add("scene", jsonText(now.mesh ? now.mesh->sceneName : ""));
    add("particles", fmt::format("{}", now.positions.size() / 3));
    add("step", fmt::format("{}", now.step));
    add("time_s", number(now.timeSeconds));
    add("playing", now.playing ? "true" : "false");
    add("settled", state.settled ? "true" : "false");
    add("settings_revision", fmt::format("{}", model.revision));
    add("revision_in_force", fmt::format("{}", now.settingsRevision));
    add("integrator", jsonText(enumKey(s.integrator.kind)));
    add("solver", jsonText(enumKey(s.solver.kind)));
    add("preconditioner", jsonText(enumKey(s.preconditioner.kind)));
    add("dt", number(s.integrator.dt));
    add("status", jsonText(enumKey(now.report.status)));
    add("problem", jsonText(now.problem));
    add("refusal", jsonText(now.refusal));
    add("max_strain", number(now.report.maxStrain));
    add("iterations", fmt::format("{}", now.report.iterations));
    add("total_j", number(now.report.totalJ()));
    add("step_ms", number(now.report.stepMs));
    add("state_hash", fmt::format("\"{:016x}\"", now.report.stateHash));
    add("history", fmt::format("[{}, {}]", now.historyFirst, now.historyLast));
    add("reports", fmt::format("{}", model.history.size()));
    add("pins", fmt::format("[{}]", fmt::join(now.pins, ", ")));
    add("pointer", pair(state.pointer));
    add("grab_active", now.grabActive ? "true" : "false");
    add("grabbed", fmt::format("{}", state.grabbed));
    add("grabbed_at", state.grabbedAt ? pair(*state.grabbedAt) : "null");
    const double distance =
        state.grabbedAt ? std::hypot(state.grabbedAt->x - state.pointer.x, state.grabbedAt->y - state.pointer.y) : -1;
    add("grab_distance_px", number(distance));
    add("ghost", now.ghost.present ? fmt::format("{{\"since\": {}, \"largest_m\": {}, \"rms_m\": {}}}",
                                                 now.ghost.startStep, number(now.ghost.largest), number(now.ghost.rms))
                                   : "null");
    add("overlay", jsonText(enumKey(model.overlay)));
    add("race_rows", fmt::format("{}", model.race ? model.race->result.rows.size() : 0));
    add("race_running", model.race && model.race->running ? "true" : "false");
    add("race_saved", jsonText(model.race ? model.race->saved : ""));
    const worker::WorkProgress* work = model.work.progress;
    add("work",
        fmt::format(
            "{{\"open\": {}, \"running\": {}, \"points\": {}, \"share\": {:.3f}, \"saved\": {}, \"problem\": {}}}",
            model.work.open, work && work->running, work ? work->records.records.size() : 0, work ? work->share : 0.0,
            jsonText(work ? work->saved : ""), jsonText(work ? work->problem : "")));
    add("quadratic", quadratic(model.quadratic));
    add("speed", number(now.speed));
    add("threads", fmt::format("{}", now.threads));
    add("real_time_factor", number(now.realTimeFactor));
    add("frame_p95_ms", number(state.frameP95Ms));
    add("longest_exchange_ms", number(state.longestExchangeMs));
    add("samples", fmt::format("{}", state.samples));
    add("renderer", jsonText(state.renderer));
    out += "  \"layout\": {";
    bool first = true;
    for (const auto& [id, rect] : state.layout.all()) {
        out += fmt::format("{}\n    {}: [{:.1f}, {:.1f}, {:.1f}, {:.1f}]", first ? "" : ",", jsonText(id), rect.min.x,
                           rect.min.y, rect.max.x, rect.max.y);
        first = false;
    }
    return out + "\n  }\n}\n";
}

}  // namespace clothlab::app::window
