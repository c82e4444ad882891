#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "experiments/race/race_text.hpp"
#include "records/json.hpp"

namespace clothlab::experiments {
namespace {

using records::Json;
using records::measured;

Json rowJson(const RaceRow& row, const Contestant& who, int rank) {
    const auto positive = [](double v) { return v > 0 ? Json(v) : Json(); };
    Json out;
    out["solver"] = who.solverKey();
    out["method"] = who.methodText();
    out["active"] = who.active;
    out["tolerance"] = row.tolerance;
    out["status"] = row.cut ? "cut" : enumKey(row.status);
    out["iterations"] = row.iterations;
    out["runs"] = row.runs;
    out["true_relative_residual"] = measured(row.trueRelativeResidual);
    out["analyze_ms"] = row.analyzeMs;
    out["set_up_ms"] = row.setUpMs;
    out["multiply_ms"] = row.multiplyMs;
    out["apply_ms"] = row.applyMs;
    out["total_ms"] = row.totalMs;
    out["total_min_ms"] = row.totalMinMs;
    out["total_max_ms"] = row.totalMaxMs;
    out["rank"] = rank > 0 ? Json(rank) : Json();
    out["cold_ms"] = row.coldMs;
    out["bytes"] = row.bytes;
    out["factor_entries"] = positive(row.fill);
    out["factor_age"] = row.factorAge;
    out["smallest_ritz"] = positive(row.smallestRitz);
    out["largest_ritz"] = positive(row.largestRitz);
    out["condition"] = positive(row.condition());
    out["message"] = row.message;
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
    Json rows = Json::array();
    const std::vector<int> ranks = raceRanks(race);
    for (std::size_t k = 0; k < race.rows.size(); ++k)
        rows.push(rowJson(race.rows[k], race.field[race.rows[k].contestant], ranks[k]));
    out["rows"] = std::move(rows);
    return out.text(1) + "\n";
}

}  // namespace clothlab::experiments
