#pragma once

#include <string>
#include <string_view>

#include "records/entries.hpp"

/// How a person says the keys of reports and sweeps, and their values.
namespace clothlab::experiments {

/// The length of the steps that a run of a sweep has really taken: substeps where the method divides them.
inline constexpr std::string_view kStepTaken = "step_taken_s";

/// A word and a unit for an axis, from the description tables or from the key itself: "time step (s)", "solve (ms)".
std::string keyLabel(std::string_view key);
/// The value under a key as a person says it: "5 ms", "bdf2".
std::string valueLabel(std::string_view key, const records::Value& value);
/// The same with the names that the window has for choices: "BDF2".
std::string choiceLabel(std::string_view key, const records::Value& value);

}  // namespace clothlab::experiments
