#include "experiments/race/race_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/text.hpp"

namespace clothlab::experiments {
namespace {

/// What its columns do not say of programs.
std::string programNotes(const RaceResult& race) {
    std::string text;
    for (const RaceRow& row : race.rows) {
        const Contestant& who = race.field[row.contestant];
        if (!who.isProgram()) continue;
        const std::string times = row.claimed ? fmt::format("its process took {:.0f} ms", row.processMs) : "";
        text += fmt::format("{}, {:.0e}: {}{}{}\n", who.program.name, row.tolerance, times,
                            times.empty() || row.message.empty() ? "" : "; ", row.message);
    }
    if (text.empty()) return text;
    return "\nprograms: set-up, total and iterations are their own claims, unranked; the residual is measured. "
           "They have no curves, since only their last iterate is known.\n" +
           text;
}

/// How far a row came; what was not measured is last.
double reached(const RaceRow& row) {
    return row.trueRelativeResidual >= 0 ? row.trueRelativeResidual : std::numeric_limits<double>::infinity();
}

/// Those that arrived by their measured time, then the others by how far they came.
bool before(const RaceEntry& a, const RaceEntry& b) {
    const bool timed = race_columns::measuredTime(a);
    if (timed != race_columns::measuredTime(b)) return timed;
    return timed ? a.row->totalMs < b.row->totalMs : reached(*a.row) < reached(*b.row);
}

}  // namespace

std::string raceTable(const RaceResult& race) {
    std::string text =
        fmt::format("{}, step {}: {} particles, {} constrained, {} thread{}{}\n",
                    race.scene.empty() ? "foreign system" : race.scene, race.step, race.particles, race.constrained,
                    race.threads, plural(race.threads), race.live ? ", timed while a cloth moved" : "");
    const ColumnList<RaceEntry> columns = textColumns<RaceEntry>(kRaceColumns);
    const std::vector<RaceEntry> all = toEntries(race);
    for (const double tolerance : race.options.tolerances) {
        std::vector<RaceEntry> rows;
        std::ranges::copy_if(all, std::back_inserter(rows),
                             [&](const RaceEntry& entry) { return entry.row->tolerance == tolerance; });
        if (rows.empty()) continue;
        std::ranges::stable_sort(rows, before);
        text += fmt::format("\ntrue relative residual {:.0e}\n{}\n", tolerance, textHead(columns));
        for (const RaceEntry& entry : rows) text += textLine(columns, entry) + "\n";
    }
    text += fmt::format(
        "\n* = the active method. total: median of {} runs without symbolic analysis (one run where a method takes "
        "{:.0f} times the best), with the shortest and the longest run; first solve: median with symbolic analysis, "
        "ms.\nrank: by total; rows whose runs overlap share a rank, the shortest and the longest run of each left "
        "out.\ncondition: of the preconditioned matrix, a lower "
        "bound from the Ritz values.\n",
        race.options.runs, race.options.slowFactor);
    if (const std::string note = busyNote(race); !note.empty()) text += note + "\n";
    return text + programNotes(race);
}

std::string raceCsv(const RaceResult& race) { return raceCsv(toEntries(race)); }

std::string raceCsv(std::span<const RaceEntry> entries) {
    std::string text = csvHead<RaceEntry>(kRaceColumns);
    for (const RaceEntry& entry : entries) text += csvLine<RaceEntry>(kRaceColumns, entry);
    return text;
}

std::string raceCurvesCsv(const RaceResult& race) {
    std::string text = "solver,method,tolerance,iteration,ms,relative_residual,energy_error\n";
    for (const RaceRow& row : race.rows) {
        const Contestant& who = race.field[row.contestant];
        for (std::size_t k = 0; k < row.residuals.size(); ++k) {
            const std::string ms = k < row.milliseconds.size() ? fmt::format("{:.5g}", row.milliseconds[k]) : "";
            const std::string error = k < row.errors.size() ? fmt::format("{:.5g}", row.errors[k]) : "";
            text += fmt::format("{},{},{:g},{},{},{:.5g},{}\n", who.solverKey(), csvField(who.methodText()),
                                row.tolerance, row.iterationsAt(k), ms, row.residuals[k], error);
        }
    }
    return text;
}

}  // namespace clothlab::experiments
