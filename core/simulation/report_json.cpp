#include "simulation/report_json.hpp"

#include <cmath>

#include "records/settings_json.hpp"
#include "simulation/report_columns.hpp"

namespace clothlab::simulation {

using records::hashText;
using records::Json;
using records::measured;

namespace {

/// The number under its key; "ndof_counts.2" is the element of an array.
void add(const ReportColumn& column, const StepReport& report, Json& out) {
    const double value = column.value(report);
    const Json number = column.whole && std::isfinite(value) ? Json(std::int64_t(value)) : Json(value);
    const std::size_t dot = column.key.find('.');
    Json& place = out[column.key.substr(0, dot)];
    if (dot == column.key.npos)
        place = number;
    else
        place.push(number);
}

}  // namespace

Json reportJson(const StepReport& r) {
    Json out;
    for (const ReportColumn& column : kReportColumns) add(column, r, out);
    out["status"] = enumKey(r.status);
    out["solve_status"] = enumKey(r.solveStatus);
    out["state_hash"] = hashText(r.stateHash);
    out["message"] = r.message;
    if (!r.warning.empty()) out["warning"] = r.warning;
    return out;
}

std::string toJsonLine(const StepReport& report) { return reportJson(report).text(); }

Json summaryJson(const RunSummary& s) {
    Json out;
    out["scene"] = s.scene;
    out["steps"] = s.steps;
    out["status"] = enumKey(s.status);
    out["unconverged"] = s.unconverged;
    out["time_s"] = s.timeSeconds;
    out["total_ms"] = s.totalMs;
    out["real_time_factor"] = s.realTimeFactor;
    for (const auto& [key, value] : s.numbers) {
        const double number = std::get<double>(value);
        const bool step = key.ends_with(kSpreadStep) && std::isfinite(number);
        out[key] = step ? Json(std::int64_t(number)) : Json(number);
    }
    if (s.ghostDistance >= 0 || !s.ghostProblem.empty()) {
        out["ghost_distance_m"] = measured(s.ghostDistance);
        out["ghost_rms_m"] = measured(s.ghostRms);
    }
    out["threads"] = s.threads;
    out["state_hash"] = hashText(s.stateHash);
    out["message"] = s.message;
    return out;
}

std::string toJson(const RunSummary& s, const scene::Settings& settings) {
    Json out = summaryJson(s);
    out["ended_by"] = s.endedBy.empty() ? Json() : Json(s.endedBy);
    out["settings"] = records::settingsJson(settings);
    return out.text();
}

}  // namespace clothlab::simulation
