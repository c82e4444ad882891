#pragma once

#include <string>
#include <vector>

#include "papers/kept_table.hpp"

/// Which claims of the papers hold: each claim of assets/papers/*.toml with the table that measures it. The verdict is
/// computed: a claim holds in a row of the table if the claim's value is within its bounds there.
namespace clothlab::papers {

enum class Verdict { Held, InPart, DidNotHold };
/// A claim against a table.
struct Outcome {
    Verdict verdict = Verdict::DidNotHold;
    int rows = 0, held = 0;       ///< rows of the claim, and those in which it holds
    double least = 0, most = 0;   ///< of its values in these rows
    std::string numbers() const;  ///< "0.97 to 1.02", or "7" if all are equal
};
std::string verdictText(const Outcome& outcome);  ///< "held", "held in part, 3 of 9", "did not hold"
/// Rows that lack the value do not count. An Error if no row has it: the claim does not fit the table.
Expected<Outcome> evaluateClaim(const TableText::Claim& claim, const Reproduction& table);

/// A claim with the kept table that measured it.
struct CheckedClaim {
    std::string author, table;  ///< "Ye", "ye-table-2"
    TableText::Claim claim;
    Outcome outcome;
    std::string machine, when;
    bool quick = false;
    int side = 0, threads = 1;  ///< as in KeptTable
    /// Why it does not hold in all rows; empty if it does.
    std::string_view reason() const;
    /// "clothlab reproduce ye-table-2 --quick"
    std::string command() const;
};
/// All claims, in the order of the papers and of their tables; `folder` has the kept tables. An Error names the table
/// that is missing, or the claim that does not fit or that fails somewhere without a reason.
Expected<std::vector<CheckedClaim>> checkedClaims(const std::string& assetsFolder, const std::string& folder);
/// The folder of the program's own kept tables.
std::string measuredFolder(const std::string& assetsFolder);

/// As Markdown: docs/papers.md is this text.
std::string claimsPage(const std::vector<CheckedClaim>& claims);

}  // namespace clothlab::papers
