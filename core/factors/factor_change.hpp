#pragma once

#include "base/enum_table.hpp"

namespace clothlab::factors {

/// How a factor follows a change of its matrix without being made anew (changed_factor.hpp).
enum class FactorChange : int { Bordered, RowUpdate };
std::span<const EnumEntry> enumTable(FactorChange);

}  // namespace clothlab::factors
