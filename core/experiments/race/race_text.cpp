#include "experiments/race/race_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace clothlab::experiments {
namespace {

std::string statusText(const RaceRow& row) { return row.cut ? "cut" : std::string(enumKey(row.status)); }

std::string shortNumber(double value) {
    if (!(value > 0)) return "-";
    return value < 100   ? fmt::format("{:.3g}", value)
           : value < 1e5 ? fmt::format("{:.0f}", value)
                         : fmt::format("{:.1e}", value);
}

std::string megabytes(double bytes) { return bytes > 0 ? fmt::format("{:.1f}", bytes / 1e6) : "-"; }

std::string spread(const RaceRow& row) {
    return row.runs > 1 ? fmt::format("{:.2f}..{:.2f}", row.totalMinMs, row.totalMaxMs) : "once";
}

/// Those that arrived by their time, then the others by how far they came.
bool before(const RaceRow& a, const RaceRow& b) {
    if (a.converged() != b.converged()) return a.converged();
    return a.converged() ? a.totalMs < b.totalMs : a.trueRelativeResidual < b.trueRelativeResidual;
}

}  // namespace

std::string raceTable(const RaceResult& race) {
    std::string text =
        fmt::format("{}, step {}: {} particles, {} constrained, {} thread{}{}\n",
                    race.scene.empty() ? "foreign system" : race.scene, race.step, race.particles, race.constrained,
                    race.threads, plural(race.threads), race.live ? ", timed beside a moving cloth" : "");
    const std::vector<int> ranks = raceRanks(race);
    for (const double tolerance : race.options.tolerances) {
        std::vector<const RaceRow*> rows;
        for (const RaceRow& row : race.rows)
            if (row.tolerance == tolerance) rows.push_back(&row);
        if (rows.empty()) continue;
        std::stable_sort(rows.begin(), rows.end(), [](const RaceRow* a, const RaceRow* b) { return before(*a, *b); });
        text += fmt::format(
            "\ntrue relative residual {:.0e}\n{:>4} {:<12} {:<42} {:<14} {:>6} {:>9} {:>9} {:>9} {:>9} {:>19} {:>11} "
            "{:>9} {:>9} {:>8}\n",
            tolerance, "rank", "solver", "method", "status", "iter", "set-up", "product", "apply", "total ms",
            "of the runs", "first solve", "residual", "condition", "MB");
        for (const RaceRow* row : rows) {
            const Contestant& who = race.field[row->contestant];
            const int rank = ranks[row - race.rows.data()];
            text += fmt::format(
                "{:>4} {:<12} {:<42} {:<14} {:>6} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>19} {:>11.2f} {:>9} {:>9} "
                "{:>8}\n",
                rank > 0 ? fmt::format("{}", rank) : "-", who.solverKey(), who.methodText() + (who.active ? " *" : ""),
                statusText(*row), row->iterations, row->setUpMs, row->multiplyMs, row->applyMs, row->totalMs,
                spread(*row), row->coldMs,
                row->trueRelativeResidual >= 0 ? fmt::format("{:.1e}", row->trueRelativeResidual) : "-",
                shortNumber(row->condition()), megabytes(row->bytes));
        }
    }
    text += fmt::format(
        "\n* = the active method. total: median of {} runs without symbolic analysis (one run where a method takes "
        "{:.0f} times the best), with the shortest and the longest run; first solve: median with symbolic analysis, "
        "ms.\nrank: by total; rows whose runs overlap share a rank, the shortest and the longest run of each left "
        "out.\ncondition: of the preconditioned matrix, a lower "
        "bound from the Ritz values.\n",
        race.options.runs, race.options.slowFactor);
    if (const std::string note = busyNote(race); !note.empty()) text += note + "\n";
    return text;
}

std::string raceCsv(const RaceResult& race) { return raceCsv(race, allRows(race), raceRanks(race)); }

std::string raceCsv(const RaceResult& race, std::span<const RaceRow* const> rows, std::span<const int> ranks) {
    std::string text =
        "solver,method,tolerance,status,iterations,runs,true_relative_residual,analyze_ms,set_up_ms,multiply_ms,apply_ms,total_ms,total_min_ms,total_max_ms,rank,cold_ms,bytes,factor_entries,smallest_ritz,largest_ritz,threads,particles\n";
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const RaceRow& row = *rows[k];
        const Contestant& who = race.field[row.contestant];
        text += fmt::format(
            "{},{},{:g},{},{},{},{:.4g},{:.5g},{:.5g},{:.5g},{:.5g},{:.5g},{:.5g},{:.5g},{},{:.5g},{:.0f},{:.0f},{:.6g}"
            ",{:.6g},{},{}\n",
            who.solverKey(), who.methodText(), row.tolerance, statusText(row), row.iterations, row.runs,
            row.trueRelativeResidual, row.analyzeMs, row.setUpMs, row.multiplyMs, row.applyMs, row.totalMs,
            row.totalMinMs, row.totalMaxMs, ranks[k], row.coldMs, row.bytes, row.fill, row.smallestRitz,
            row.largestRitz, race.threads, race.particles);
    }
    return text;
}

std::string raceCurvesCsv(const RaceResult& race) {
    std::string text = "solver,method,tolerance,iteration,ms,relative_residual,energy_error\n";
    for (const RaceRow& row : race.rows) {
        const Contestant& who = race.field[row.contestant];
        for (std::size_t k = 0; k < row.residuals.size(); ++k) {
            const std::string ms = k < row.milliseconds.size() ? fmt::format("{:.5g}", row.milliseconds[k]) : "";
            const std::string error = k < row.errors.size() ? fmt::format("{:.5g}", row.errors[k]) : "";
            text += fmt::format("{},{},{:g},{},{},{:.5g},{}\n", who.solverKey(), who.methodText(), row.tolerance, k, ms,
                                row.residuals[k], error);
        }
    }
    return text;
}

}  // namespace clothlab::experiments
