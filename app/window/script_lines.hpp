#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"

/// Parser of input scripts: without window and ImGui, so that a fuzzer can link it.
namespace clothlab::app::window {

/// One event: a verb and its arguments. Every number among them is finite and within the range of its kind.
struct ScriptLine {
    int number = 0;  ///< in the file, from 1
    std::vector<std::string> words;
    int column = 0;  ///< of the first word, from 1

    /// The argument as a number, `otherwise` where the line has none.
    double numberAt(std::size_t at, double otherwise) const;
};

/// The lines with events. An Error names file, line and column and the valid choices.
Expected<std::vector<ScriptLine>> parseScript(std::string_view text, const std::string& file);

/// The number of a key by its name (as widgets/keys.hpp has them), of a button; nothing for an unknown name.
std::optional<int> scriptKey(std::string_view name);
std::optional<int> scriptButton(std::string_view name);

}  // namespace clothlab::app::window
