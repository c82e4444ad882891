#pragma once

#include <string>
#include <string_view>

#include "records/entries.hpp"

/// How a person says the keys of reports and sweeps, and their values.
namespace clothlab::experiments {

/// A word and a unit for an axis, from the description tables or from the key itself: "time step (s)", "solve (ms)".
std::string keyLabel(std::string_view key);
/// The value under a key as a person says it: "5 ms", "bdf2".
std::string valueLabel(std::string_view key, const records::Value& value);
}  // namespace clothlab::experiments
