#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clothlab::architecture {

/// The circles among the lines "library <- what it links", as "a <- b <- a", each once. Libraries without a line of
/// their own are not ours, and end the search.
std::vector<std::string> linkCircles(std::string_view lines);

}  // namespace clothlab::architecture
