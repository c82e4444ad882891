#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/trials/board_trials.hpp"

namespace clothlab::experiments {
namespace {

struct BoardRow {
    int number = 0;
    BoardCase which;
    BoardSeen seen;
    TrialVerdict verdict = TrialVerdict::Ok;

    std::string group() const {
        return fmt::format("{:<6} {:<7} {}", enumKey(which.kind), enumKey(which.contact), enumKey(which.integrator));
    }
    bool overlaps() const { return which.kind == BoardKind::Jaws && which.gap < 0; }
};

/// A line of the table; the worst are those of runs that do not say that something is wrong.
struct BoardLine : TrialCount {
    int through = 0, cut = 0;
    double energy = 0, strain = 0, creep = 0;

    void take(const BoardRow& row) {
        add(row.verdict);
        through += row.seen.through > 0;
        cut += row.seen.cut > 0;
        if (row.verdict == TrialVerdict::SaysSo) return;
        energy = std::max(energy, 3 * row.seen.mostEnergy / row.seen.energyLimit());
        strain = std::max(strain, row.seen.steps.maxStrain);
        if (row.overlaps()) creep = std::max(creep, row.seen.creep);
    }
};

std::string boardLineText(const BoardLine& line) {
    return fmt::format("{:<41} {:>5} {:>5} {:>8} {:>6} {:>8} {:>5} {:>12.3f} {:>16.2f} {:>9.1f}\n", line.name,
                       line.runs, line.ok, line.saysSo, line.wrong, line.through, line.cut, line.energy,
                       1000 * line.creep, 100 * line.strain);
}

std::string wrongBoardText(const BoardRow& row) {
    const BoardSeen& seen = row.seen;
    std::string text = fmt::format("WRONG {}: {}: ", row.number, boardText(row.which));
    if (row.which.kind == BoardKind::Jaws)
        text += fmt::format("creep {:.2f} mm in 10 s", 1000 * seen.creep);
    else
        text += fmt::format("{} particles through, {} edges cut", seen.through, seen.cut);
    return text +
           fmt::format(
               ", energy {:.3g} J at the start, {:.3g} at most (of {:.3g}), {:.3g} at the end, strain {:.1f} %\n",
               seen.startEnergy, seen.mostEnergy, seen.energyLimit(), seen.endEnergy, 100 * seen.steps.maxStrain);
}

records::Json makeJson(const BoardRow& row) {
    const bool jaws = row.which.kind == BoardKind::Jaws;
    records::Json out = records::Json::object();
    out["run"] = row.number;
    out["kind"] = enumKey(row.which.kind);
    out["sheet"] = enumKey(row.which.sheet);
    out["other_side"] = row.which.otherSide;
    out["edge_first"] = row.which.edgeFirst;
    out["thickness"] = jaws ? records::Json() : records::Json(row.which.thickness);
    out["speed"] = jaws ? records::Json() : records::Json(row.which.speed);
    out["gap"] = jaws ? records::Json(row.which.gap) : records::Json();
    out["self_collision"] = enumKey(row.which.contact);
    out["integrator"] = enumKey(row.which.integrator);
    out["through"] = row.seen.through;
    out["cut_edges"] = row.seen.cut;
    out["start_j"] = row.seen.startEnergy;
    out["most_j"] = row.seen.mostEnergy;
    out["end_j"] = row.seen.endEnergy;
    out["limit_j"] = row.seen.energyLimit();
    out["creep_m"] = jaws ? records::Json(row.seen.creep) : records::Json();
    addSteps(row.seen.steps, row.verdict, out);
    return out;
}

}  // namespace

TrialReport boardTrials(const TrialControl& control) {
    const std::vector<int> numbers = control.only.empty() ? boardSample(control.sample) : control.only;
    std::vector<std::optional<BoardRow>> rows(numbers.size());
    TrialReport report;
    report.stopped = !runTrials(int(numbers.size()), control, [&](int k) {
        BoardRow row{.number = numbers[k], .which = boardCase(numbers[k])};
        const auto seen = runBoard(makePlan(row.which), control.stop);
        if (!seen) return;
        row.seen = *seen;
        row.verdict = judgeTrial(row.which, row.seen);
        rows[k] = std::move(row);
    });
    std::vector<BoardLine> lines;
    BoardLine all;
    all.name = "all";
    std::string wrong;
    records::Json runs = records::Json::array();
    for (const auto& row : rows) {
        if (!row) continue;
        auto line = std::ranges::find(lines, row->group(), &BoardLine::name);
        if (line == lines.end()) {
            lines.emplace_back().name = row->group();
            line = lines.end() - 1;
        }
        line->take(*row);
        all.take(*row);
        if (row->verdict == TrialVerdict::Wrong) wrong += wrongBoardText(*row);
        runs.push(makeJson(*row));
    }
    std::ranges::sort(lines, {}, &BoardLine::name);
    report.take("boards", all, std::move(runs));
    report.text =
        fmt::format("{:<41} {:>5} {:>5} {:>8} {:>6} {:>8} {:>5} {:>12} {:>16} {:>9}\n", "what, contact, integrator",
                    "runs", "ok", "says so", "wrong", "through", "cut", "most energy", "creep mm in 10 s", "strain %");
    for (const BoardLine& line : lines) report.text += boardLineText(line);
    report.text += boardLineText(all) + (wrong.empty() ? "" : "\n" + wrong);
    return report;
}

}  // namespace clothlab::experiments
