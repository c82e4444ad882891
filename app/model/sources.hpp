#pragma once

#include <string>
#include <string_view>

namespace clothlab::app::model {

/// The source of a method in a catalogue, with citations written out: "methods §5.5 (integrators.md); [B] (4.13)"
/// becomes "docs/methods/integrators.md §5.5; Boxerman (4.13)".
std::string sourceText(std::string_view source);

}  // namespace clothlab::app::model
