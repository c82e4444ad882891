#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "experiments/race/race_text.hpp"
#include "records/json.hpp"

namespace clothlab::experiments {
namespace {

using records::Json;

/// A row of the table, and its curves.
Json entryJson(const RaceEntry& entry) {
    const RaceRow& row = *entry.row;
    Json out = rowJson<RaceEntry>(kRaceColumns, entry);
    out["residuals"] = Json::array(row.residuals);
    out["residual_ms"] = Json::array(row.milliseconds);
    out["energy_errors"] = Json::array(row.errors);
    out["ritz"] = Json::array(row.ritz);
    return out;
}

}  // namespace

std::string toJson(const RaceResult& race) {
    Json out;
    out["scene"] = race.scene;
    out["step"] = race.step;
    out["particles"] = race.particles;
    out["constrained"] = race.constrained;
    out["threads"] = race.threads;
    out["runs"] = race.options.runs;
    out["max_iterations"] = race.options.maxIterations;
    out["live"] = race.live;
    out["version"] = buildFacts().version;
    out["machine"] = platform::cpuName();
    out["note"] = busyNote(race);
    Json programs = Json::array();
    for (const Contestant& who : race.field)
        if (who.isProgram()) {
            Json program;
            program["name"] = who.program.name;
            program["command"] = who.program.command;
            programs.push(std::move(program));
        }
    out["programs"] = std::move(programs);
    Json rows = Json::array();
    for (const RaceEntry& entry : toEntries(race)) rows.push(entryJson(entry));
    out["rows"] = std::move(rows);
    return out.text(1) + "\n";
}

}  // namespace clothlab::experiments
