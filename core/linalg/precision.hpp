#pragma once

#include "base/enum_table.hpp"

namespace clothlab::linalg {

/// The precision of large stored data. Computations with it are in double precision.
enum class Precision : int { Double, Single };

inline constexpr std::array kPrecisions{
    EnumEntry{int(Precision::Double), "double", "double precision", "64 bits per number."},
    EnumEntry{int(Precision::Single), "single", "single precision", "32 bits per number: half the memory traffic."},
};
constexpr std::span<const EnumEntry> enumTable(Precision) { return kPrecisions; }

}  // namespace clothlab::linalg
