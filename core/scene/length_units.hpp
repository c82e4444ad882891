#pragma once

#include <span>

#include "base/fields.hpp"

namespace clothlab::scene {

/// Units that a mesh file may be in, with their length in metres: accepted by `scale` besides numbers.
std::span<const NamedNumber> lengthUnits();

/// The scale, by a unit or otherwise a power of ten, that brings `size` (units of a file) nearest to a metre, as
/// written in a scene: "\"cm\"", "0.0001".
std::string likelyScale(double size);

}  // namespace clothlab::scene
