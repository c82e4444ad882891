#pragma once

#include "base/enum_table.hpp"
#include "linalg/precision.hpp"

namespace clothlab::linalg {

/// How much of each 3x3 block a matrix copy for products keeps.
enum class Storage : int { Half, Full, Springs };

inline constexpr std::array kStorages{
    EnumEntry{int(Storage::Half), "half", "half blocks",
              "Six numbers of a block that is symmetric: the same bits as all nine."},
    EnumEntry{int(Storage::Full), "full", "full blocks", "All nine numbers of a block."},
    EnumEntry{int(Storage::Springs), "springs", "springs",
              "Of a spring's block a I - m m^T only a and m: four numbers. Equal up to round-off."},
};
constexpr std::span<const EnumEntry> enumTable(Storage) { return kStorages; }

struct Packing {
    Precision precision = Precision::Double;
    Storage storage = Storage::Half;
};

}  // namespace clothlab::linalg
