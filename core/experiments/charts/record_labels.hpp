#pragma once

#include <string>
#include <string_view>

#include "records/entries.hpp"

/// Labels of the keys of reports and sweeps, and of their values.
namespace clothlab::experiments {

/// The actual step length of a run of a sweep: that of substeps if the method divides its steps.
inline constexpr std::string_view kStepTaken = "step_taken_s";

/// A word and a unit for an axis, from the description tables or from the key itself: "time step (s)", "solve (ms)".
std::string keyLabel(std::string_view key);
/// The value of a key as shown to a user: "5 ms", "bdf2".
std::string valueLabel(std::string_view key, const records::Value& value);
/// Likewise, with the window's names of choices: "BDF2".
std::string choiceLabel(std::string_view key, const records::Value& value);

}  // namespace clothlab::experiments
