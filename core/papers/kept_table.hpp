#pragma once

#include <optional>
#include <string>

#include "base/output.hpp"
#include "papers/reproduction.hpp"

/// A computed table, kept in a file until it is computed again: some take hours.
namespace clothlab::papers {

inline constexpr int kKeptTableVersion = 1;

struct KeptTable {
    Reproduction table;
    double seconds = 0;  ///< of computation
    std::string when;    ///< the day, "2026-11-26"
    bool quick = false, stopped = false;
    int side = 0;            ///< particles per side in place of the table's own sizes; 0 = those
    bool disturbed = false;  ///< something else ran meanwhile: its times are too long
};

std::string today();
std::string keptText(const KeptTable& kept);
/// An Error has the mistake and its place.
Expected<KeptTable> readKeptTable(std::string_view text, const std::string& file);

/// In a folder, which is made: NAME.json, with --quick NAME.quick.json.
std::string keptFile(const std::string& folder, std::string_view table, bool quick);
Expected<void> keepTable(const KeptTable& kept, const std::string& folder);
/// Empty if none was kept.
Expected<std::optional<KeptTable>> keptTable(const std::string& folder, std::string_view table, bool quick);

/// The file of the finished sets of a table of random sets, from which it resumes.
std::string keptSetsFile(const std::string& folder, std::string_view table, bool quick);

}  // namespace clothlab::papers
