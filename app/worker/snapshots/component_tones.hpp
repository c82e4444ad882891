#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cloth/cloth_model.hpp"
#include "linalg/components.hpp"

namespace clothlab::app::worker {

/// Number of tones that distinguish components.
inline constexpr int kComponentTones = 10;

/// A tone, 0 .. kComponentTones - 1, of each component c of two or more particles in [c - 1]. It follows from the first
/// particle, so that a component keeps its tone from step to step; where a spring joins two of the same tone, the one
/// that begins later takes the next that none of its neighbours before it has.
std::vector<std::uint8_t> assignTones(const linalg::Components& components, std::span<const cloth::Spring> springs);

}  // namespace clothlab::app::worker
