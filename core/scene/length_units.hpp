#pragma once

#include <span>

#include "base/fields.hpp"

namespace clothlab::scene {

/// Units that a mesh file may be in, with their length in metres: what `scale` takes beside a number.
std::span<const NamedNumber> lengthUnits();

/// The scale, of a unit or else of a power of ten, that brings `size` (units of a file) nearest to a metre; as it is
/// written in a scene: "\"cm\"", "0.0001".
std::string likelyScale(double size);

}  // namespace clothlab::scene
