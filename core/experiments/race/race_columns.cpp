#include "experiments/race/race_columns.hpp"

namespace clothlab::experiments {

std::vector<RaceEntry> toEntries(const RaceResult& race, std::span<const RaceRow* const> rows, RankBy by) {
    const std::vector<int> ranks = by == RankBy::Time ? raceRanks(rows) : iterationRanks(rows);
    std::vector<RaceEntry> entries;
    for (std::size_t k = 0; k < rows.size(); ++k) entries.push_back({&race, rows[k], ranks[k]});
    for (RaceEntry& entry : entries)
        entry.sharing = int(std::ranges::count_if(entries, [&](const RaceEntry& other) {
            return other.rank == entry.rank && other.row->tolerance == entry.row->tolerance;
        }));
    return entries;
}

std::vector<RaceEntry> toEntries(const RaceResult& race) { return toEntries(race, allRows(race)); }

namespace race_columns {

std::string statusKey(const Entry& e) {
    return e.row->cut ? "cut" : e.row->failed ? "failed" : std::string(enumKey(e.row->status));
}

std::string statusLabel(const Entry& e) {
    return e.row->cut ? "cut" : e.row->failed ? "failed" : std::string(enumLabel(e.row->status));
}

std::string timesBy(const Entry& e) { return e.row->claimed ? "program" : "race"; }

std::string methodInTable(const Entry& e) { return e.who().methodText() + (e.who().active ? " *" : ""); }

std::string runsOfTotal(const Entry& e) {
    if (e.row->claimed) return "as it says";
    if (std::isnan(e.row->totalMs)) return "-";
    return e.row->runs > 1 ? fmt::format("{:.2f}..{:.2f}", e.row->totalMinMs, e.row->totalMaxMs) : "once";
}

std::string spreadOfTotal(const Entry& e) {
    if (e.row->claimed) return " (as it says)";
    if (e.row->runs < 2) return " (once)";
    return fmt::format(" ({} to {})", formatNumber(e.row->totalMinMs, 2), formatNumber(e.row->totalMaxMs, 2));
}

std::string rankRange(const Entry& e) {
    if (e.rank == 0) return "-";
    return e.sharing == 1 ? fmt::format("{}", e.rank) : fmt::format("{}-{}", e.rank, e.rank + e.sharing - 1);
}

std::string residualInTable(const Entry& e) {
    return std::isnan(residual(e)) ? "-" : fmt::format("{:.1e}", residual(e));
}

std::string conditionInTable(const Entry& e) {
    const double value = e.row->condition();
    if (!(value > 0)) return "-";
    return value < 100   ? fmt::format("{:.3g}", value)
           : value < 1e5 ? fmt::format("{:.0f}", value)
                         : fmt::format("{:.1e}", value);
}

std::string megabytes(const Entry& e) { return e.row->bytes > 0 ? fmt::format("{:.1f}", e.row->bytes / 1e6) : "-"; }

}  // namespace race_columns

}  // namespace clothlab::experiments
