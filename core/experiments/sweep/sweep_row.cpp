#include "experiments/sweep/sweep.hpp"
#include "records/json_line.hpp"
#include "records/settings_json.hpp"
#include "simulation/report_json.hpp"

namespace clothlab::experiments {

using records::Json;
using records::measured;

std::string toJsonLine(const SweepRow& row, const records::Entries& identity) {
    Json out;
    out["run"] = row.run;
    out["vary"] = records::entriesJson(row.vary);
    out.append(simulation::summaryJson(row.summary));
    if (!row.refusal.empty()) {
        out["status"] = "refused";
        out["message"] = row.refusal;
    }
    const double seconds = row.summary.timeSeconds;
    out["ms_per_simulated_s"] = seconds > 0 ? Json(row.summary.totalMs / seconds) : Json();
    out["repeats"] = row.repeats;
    out["slowest_total_ms"] = row.slowestMs;
    out["particles"] = row.particles;
    out["step_taken_s"] = row.stepTaken > 0 ? Json(row.stepTaken) : Json();
    if (!row.referenceStatus.empty()) {
        out["error_m"] = measured(row.largestError);
        out["error_rms_m"] = measured(row.rmsError);
        out["reference_status"] = row.referenceStatus;
        if (row.slackChanges >= 0) {
            out["slack_changes"] = row.slackChanges;
            out["contact_steps"] = row.contactSteps;
        }
    }
    out["settings"] = records::settingsJson(row.settings);
    out["sweep"] = records::entriesJson(identity);
    return out.text();
}

}  // namespace clothlab::experiments
