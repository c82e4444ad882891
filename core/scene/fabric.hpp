#pragma once

#include <array>

#include "base/enum_table.hpp"

namespace clothlab::scene {

/// The look of a cloth: colour, weave and sheen in pictures, without effect on the physics.
enum class Fabric : int { Cotton, Silk, Wool, Denim, Felt, Linen, Checks };
inline constexpr std::array kFabrics{
    EnumEntry{int(Fabric::Cotton), "cotton", "Cotton", "A plain weave with a windowpane of lighter threads."},
    EnumEntry{int(Fabric::Silk), "silk", "Silk", "Fine threads with a strong sheen."},
    EnumEntry{int(Fabric::Wool), "wool", "Wool", "Thick soft threads in two colours, and no gloss."},
    EnumEntry{int(Fabric::Denim), "denim", "Denim", "A twill: white weft shows between blue warp, along a diagonal."},
    EnumEntry{int(Fabric::Felt), "felt", "Felt", "No threads at all, and light that goes round edges."},
    EnumEntry{int(Fabric::Linen), "linen", "Linen", "An open weave of uneven threads."},
    EnumEntry{int(Fabric::Checks), "checks", "Checkerboard",
              "Sixteen checks along the longer side: stretch and shear are seen at once."},
};
constexpr std::span<const EnumEntry> enumTable(Fabric) { return kFabrics; }

}  // namespace clothlab::scene
