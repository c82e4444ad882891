#pragma once

#include <imgui.h>

#include <span>
#include <vector>

namespace clothlab::app::widgets {

/// Lines that lie on each other, which would be seen as one. Per line the first that it lies on, or that lies on it:
/// its own index if there is none. A line lies on another where, as far as it goes, the points of both are at most
/// `within` pixels above or below the other one.
std::vector<std::size_t> firstTwins(std::span<const std::vector<ImVec2>> lines, float within);

}  // namespace clothlab::app::widgets
