#pragma once

#include <vector>

#include "base/enum_table.hpp"
#include "linalg/block_pattern.hpp"

namespace clothlab::linalg {

/// The order of elimination of a factor, complete or incomplete.
enum class Ordering : int { Best, Amd, Metis, Nesdis, Natural, ReverseCuthillMcKee };

inline constexpr std::array kOrderings{
    EnumEntry{int(Ordering::Best), "best", "best",
              "For a complete factor AMD or METIS, whichever has less fill; for an incomplete one the order of the particles."},
    EnumEntry{int(Ordering::Amd), "amd", "AMD", "Approximate minimum degree."},
    EnumEntry{int(Ordering::Metis), "metis", "METIS", "Nested dissection by METIS: separators last."},
    EnumEntry{int(Ordering::Nesdis), "nesdis", "NESDIS", "CHOLMOD's nested dissection."},
    EnumEntry{int(Ordering::Natural), "natural", "natural", "The order of the particles: row after row of a grid."},
    EnumEntry{int(Ordering::ReverseCuthillMcKee), "rcm", "reverse Cuthill-McKee",
              "Breadth first from one end, backwards: a small band."},
};
constexpr std::span<const EnumEntry> enumTable(Ordering) { return kOrderings; }

/// order[k] = the row of the pattern that is eliminated k-th. Best is natural here: it is the caller of a complete
/// factor who can compare fill. A failure of the library (out of memory) gives an empty order.
std::vector<Index> orderRows(const BlockPattern& pattern, Ordering which);

}  // namespace clothlab::linalg
