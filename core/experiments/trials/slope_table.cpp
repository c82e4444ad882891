#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/trials/slope_trials.hpp"
#include "integrators/methods/catalogue.hpp"

namespace clothlab::experiments {
namespace {

struct SlopeRow {
    int number = 0;
    SlopeCase which;
    SlopeLaw law;
    SlopeSeen seen;
    TrialVerdict verdict = TrialVerdict::Ok;

    bool hasRatio() const { return law.tolerance > 0; }
    double ratio() const { return seen.distance / law.distance; }
};

/// A line of the table; the worst are those of runs that do not say that something is wrong.
struct SlopeLine : TrialCount {
    double ratio = 1, creep = 0, strain = 0;

    void take(const SlopeRow& row) {
        add(row.verdict);
        if (row.verdict == TrialVerdict::SaysSo) return;
        if (row.hasRatio() && std::abs(row.ratio() - 1) > std::abs(ratio - 1)) ratio = row.ratio();
        if (row.law.motion != SlopeMotion::Slides) creep = std::max(creep, std::abs(row.seen.creep));
        strain = std::max(strain, row.seen.steps.maxStrain);
    }
};

std::string lineText(const SlopeLine& line) {
    return fmt::format("{:<26} {:>5} {:>5} {:>8} {:>6} {:>12.3f} {:>16.2f} {:>12.1f}\n", line.name, line.runs, line.ok,
                       line.saysSo, line.wrong, line.ratio, 1000 * line.creep, 100 * line.strain);
}

std::string wrongText(const SlopeRow& row) {
    std::string text = fmt::format("WRONG {}: {}: ", row.number, slopeText(row.which));
    text += fmt::format("{} {:.4g} m", row.law.motion == SlopeMotion::Slides ? "slides" : "goes", row.seen.distance);
    if (row.law.motion != SlopeMotion::Holds)
        text += fmt::format(" where {:.4g} m is exact (ratio {:.3f})", row.law.distance, row.ratio());
    else
        text += " where it must hold";
    if (row.law.motion != SlopeMotion::Slides) text += fmt::format(", creep {:.2f} mm in 10 s", 1000 * row.seen.creep);
    return text + fmt::format(", strain {:.1f} %\n", 100 * row.seen.steps.maxStrain);
}

records::Json makeJson(const SlopeRow& row) {
    records::Json out = records::Json::object();
    out["run"] = row.number;
    out["degrees"] = row.which.degrees;
    out["mu_s"] = row.which.muS;
    out["mu_k"] = row.which.muK;
    out["integrator"] = enumKey(row.which.integrator);
    out["stretch_stiffness"] = row.which.stiffness;
    out["dt"] = row.which.dt;
    out["placement"] = enumKey(row.which.placement);
    out["seconds"] = row.law.seconds;
    out["expected"] = enumKey(row.law.motion);
    out["exact_m"] = row.law.distance;
    out["distance_m"] = row.seen.distance;
    out["ratio"] = row.hasRatio() ? records::Json(row.ratio()) : records::Json();
    out["creep_m"] = row.law.motion != SlopeMotion::Slides ? records::Json(row.seen.creep) : records::Json();
    addSteps(row.seen.steps, row.verdict, out);
    return out;
}

}  // namespace

TrialReport slopeTrials(const TrialControl& control) {
    const TrialAxes axes = slopeAxes();
    const std::vector<int> numbers = control.only.empty() ? slopeSample(control.sample) : control.only;
    std::vector<std::optional<SlopeRow>> rows(numbers.size());
    TrialReport report;
    report.stopped = !runTrials(int(numbers.size()), control, [&](int k) {
        SlopeRow row{.number = numbers[k], .which = slopeCase(axes.cell(numbers[k]))};
        const auto law = slopeLaw(row.which);
        if (!law) return;
        row.law = *law;
        const auto seen = runSlope(row.which, row.law, control.stop);
        if (!seen) return;
        row.seen = *seen;
        row.verdict = judgeTrial(row.law, row.seen);
        rows[k] = std::move(row);
    });
    std::vector<SlopeLine> lines;
    for (const auto& entry : integrators::catalogue()) lines.emplace_back().name = entry.key;
    SlopeLine all;
    all.name = "all";
    std::string wrong;
    records::Json runs = records::Json::array();
    for (const auto& row : rows) {
        if (!row) continue;
        const auto line = std::ranges::find(lines, enumKey(row->which.integrator), &SlopeLine::name);
        line->take(*row);
        all.take(*row);
        if (row->verdict == TrialVerdict::Wrong) wrong += wrongText(*row);
        runs.push(makeJson(*row));
    }
    report.take("slopes", all, std::move(runs));
    report.text = fmt::format("{:<26} {:>5} {:>5} {:>8} {:>6} {:>12} {:>16} {:>12}\n", "integrator", "runs", "ok",
                              "says so", "wrong", "worst ratio", "creep mm in 10 s", "strain %");
    for (const SlopeLine& line : lines)
        if (line.runs > 0) report.text += lineText(line);
    report.text += lineText(all) + (wrong.empty() ? "" : "\n" + wrong);
    return report;
}

}  // namespace clothlab::experiments
