#pragma once

#include <imgui.h>

#include <span>

#include "widgets/pen.hpp"

namespace clothlab::app::widgets {

/// A piece of an area: a box, pixels. Neighbours in a list may share an edge.
struct HatchBox {
    float from, to, high, low;
};

/// The n-th hatching over an area of boxes ordered by x, which distinguishes it from its neighbours in a print in grey;
/// the first has none. Lines are `apart` pixels from each other and continue through neighbouring boxes.
void hatch(const Pen& pen, std::span<const HatchBox> boxes, std::size_t pattern, ImU32 color, float apart, float width);

}  // namespace clothlab::app::widgets
