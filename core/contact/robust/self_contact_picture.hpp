#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace clothlab::contact {

/// What contact of the cloth with itself did to a particle in a step; of several the last here counts.
enum class SelfContactKind : std::uint8_t {
    None,
    Near,        ///< corner of a pair that was closer than the thickness at the start
    Stopped,     ///< pushed by a pair that would have met
    Restrained,  ///< a bound on its motion, or kept from where a pin, the pointer or a solid wanted it
};

/// What the last call of SelfContact::resolve did, for pictures.
struct SelfContactPicture {
    std::vector<std::uint8_t> kinds;         ///< #P, as SelfContactKind
    std::vector<std::array<Vec3, 2>> nears;  ///< m, a pair each: what was closest at the start, where it is now
};

}  // namespace clothlab::contact
