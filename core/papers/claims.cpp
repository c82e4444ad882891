#include "papers/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace clothlab::papers {
namespace {

/// The number of a row, by a key: what was measured, else the case, else what the paper has.
double numberIn(const ReproductionRow& row, std::string_view key) {
    const bool ofPaper = key.starts_with("paper.");
    if (ofPaper) key.remove_prefix(std::string_view("paper.").size());
    for (const records::Entries* entries : {&row.ours, &row.what, &row.paper}) {
        if (ofPaper && entries != &row.paper) continue;
        const records::Value* value = records::findEntry(*entries, key);
        if (const double* number = value ? std::get_if<double>(value) : nullptr) return *number;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

/// "KEY" or "KEY / KEY".
double valueIn(const ReproductionRow& row, std::string_view value) {
    constexpr std::string_view kOver = " / ";
    const std::size_t at = value.find(kOver);
    if (at == value.npos) return numberIn(row, value);
    return numberIn(row, value.substr(0, at)) / numberIn(row, value.substr(at + kOver.size()));
}

/// The row of the same case but for these values, or null.
const ReproductionRow* rowWith(const Reproduction& table, records::Entries what, const records::Entries& values) {
    for (const auto& [key, value] : values)
        for (auto& [name, had] : what)
            if (name == key) had = value;
    const auto at = std::ranges::find_if(table.rows, [&](const ReproductionRow& row) {
        return row.what.size() == what.size() && hasValues(row.what, what);
    });
    return at == table.rows.end() ? nullptr : &*at;
}

Error refused(const std::string& table, const TableText::Claim& claim, const std::string& why) {
    return Error{.message = fmt::format("{}, the claim of {} that \"{}\": {}", table, claim.at, claim.says, why)};
}

std::string shortNumber(double value) {
    const double size = std::abs(value);
    if (size >= 99.5 && size < 1e6) return fmt::format("{:.0f}", value);
    if (size != 0 && size < 1e-3) return fmt::format("{:.1e}", value);
    return fmt::format("{:.2g}", value);
}

std::string inCell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
    return text;
}

std::string rowText(const CheckedClaim& each) {
    const TableText::Claim& claim = each.claim;
    return fmt::format("| {}: {} | {} | {}: {} | {} | {} | `{}` |\n", inCell(claim.at), inCell(claim.says),
                       inCell(claim.paper), inCell(claim.measured), each.outcome.numbers(), verdictText(each.outcome),
                       inCell(std::string(each.reason())),
                       each.command().substr(std::string_view("clothlab reproduce ").size()));
}

}  // namespace

std::string verdictText(const Outcome& outcome) {
    if (outcome.verdict == Verdict::InPart) return fmt::format("held in part, {} of {}", outcome.held, outcome.rows);
    return outcome.verdict == Verdict::Held ? "held" : "did not hold";
}

std::string Outcome::numbers() const {
    const std::string first = shortNumber(least), last = shortNumber(most);
    return first == last ? first : fmt::format("{} to {}", first, last);
}

Expected<Outcome> evaluateClaim(const TableText::Claim& claim, const Reproduction& table) {
    Outcome out{.least = std::numeric_limits<double>::infinity(), .most = -std::numeric_limits<double>::infinity()};
    for (const ReproductionRow& row : table.rows) {
        if (!hasValues(row.what, claim.where)) continue;
        double value = valueIn(row, claim.value);
        if (!claim.over.empty()) {
            if (hasValues(row.what, claim.over)) continue;
            const ReproductionRow* other = rowWith(table, row.what, claim.over);
            if (!other) continue;
            value /= valueIn(*other, claim.value);
        }
        if (!std::isfinite(value)) continue;
        ++out.rows;
        out.held += value >= claim.least && value <= claim.most;
        out.least = std::min(out.least, value), out.most = std::max(out.most, value);
    }
    if (out.rows == 0) return fail(refused(table.table, claim, fmt::format("no row has its value '{}'", claim.value)));
    out.verdict = out.held == out.rows ? Verdict::Held : out.held > 0 ? Verdict::InPart : Verdict::DidNotHold;
    return out;
}

std::string measuredFolder(const std::string& assetsFolder) { return assetsFolder + "/papers/measured"; }

Expected<std::vector<CheckedClaim>> checkedClaims(const std::string& assetsFolder, const std::string& folder) {
    std::vector<CheckedClaim> out;
    for (const Paper& paper : allPapers()) {
        const auto texts = paperText(paper, assetsFolder);
        if (!texts) return fail(texts.error());
        for (const TableText& text : *texts) {
            if (text.claims.empty()) continue;
            std::optional<KeptTable> kept;
            for (const bool quick : {false, true}) {
                if (kept) break;
                auto found = keptTable(folder, text.name, quick);
                if (!found) return fail(found.error());
                kept = std::move(*found);
            }
            if (!kept)
                return fail(
                    Error{.message = fmt::format("{} has claims and is not there: clothlab reproduce {} --keep {}",
                                                 text.name, text.name, folder),
                          .file = keptFile(folder, text.name, false)});
            if (kept->stopped)
                return fail(Error{.message = text.name + " was stopped before its end",
                                  .file = keptFile(folder, text.name, kept->quick)});
            for (const TableText::Claim& claim : text.claims) {
                const auto outcome = evaluateClaim(claim, kept->table);
                if (!outcome) return fail(outcome.error());
                if (outcome->verdict != Verdict::Held && claim.why.empty())
                    return fail(
                        refused(text.name, claim, fmt::format("it has {} and says no 'why'", outcome->numbers())));
                out.push_back({text.title.substr(0, text.title.find(',')), text.name, claim, *outcome,
                               kept->table.machine, kept->when, kept->quick, kept->side, kept->table.threads});
            }
        }
    }
    return out;
}

std::string_view CheckedClaim::reason() const {
    return outcome.verdict == Verdict::Held ? std::string_view() : claim.why;
}

std::string CheckedClaim::command() const {
    return fmt::format("clothlab reproduce {}{}{}{}", table, quick ? " --quick" : "",
                       side > 0 ? fmt::format(" --side {}", side) : "",
                       threads > 1 ? fmt::format(" --threads {}", threads) : "");
}

std::string claimsPage(const std::vector<CheckedClaim>& claims) {
    std::map<Verdict, int> counts;
    std::set<std::string> machines;
    for (const CheckedClaim& each : claims) {
        ++counts[each.outcome.verdict];
        machines.insert(fmt::format("{}, {}", each.machine, each.when));
    }
    std::string text = fmt::format(
        "# What held up\n\n"
        "What the papers claim, and what this program measures. Of {} claims {} held, {} held in part and {} did not hold.\n\n"
        "A claim is checked row by row in the table that its last column names: `clothlab reproduce TABLE` computes it again. A "
        "claim holds in a row where its value lies within bounds that its paper's file states beside it\n"
        "(`assets/papers/*.toml`). \"In part\" counts the rows. `--quick` says that the table was computed with smaller sizes "
        "and fewer runs than the paper's.\nCounts and ratios of counts are exact. Times are those of one thread unless the table says "
        "`--threads` ({}).\nThis page is what `clothlab reproduce --claims` prints, from the tables in `assets/papers/measured`.\n",
        claims.size(), counts[Verdict::Held], counts[Verdict::InPart], counts[Verdict::DidNotHold],
        fmt::join(machines, "; "));
    std::string author;
    for (const CheckedClaim& each : claims) {
        if (each.author != author) {
            author = each.author;
            text += fmt::format(
                "\n## {}\n\n| the paper says | there | here | verdict | why | table |\n|---|---|---|---|---|---|\n",
                author);
        }
        text += rowText(each);
    }
    return text;
}

}  // namespace clothlab::papers
