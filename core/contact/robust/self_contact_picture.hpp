#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace clothlab::contact {

/// Effect of self-contact on a particle in a step; of several the last one listed counts.
enum class SelfContactKind : std::uint8_t {
    None,
    Near,        ///< corner of a pair that was closer than the thickness at the start
    Stopped,     ///< pushed by a pair that would have met
    Restrained,  ///< a bound on its motion, or kept from where a pin, the pointer or a solid moves it
};

/// Effects of the last call of SelfContact::resolve, for pictures.
struct SelfContactPicture {
    std::vector<std::uint8_t> kinds;         ///< #P, as SelfContactKind
    std::vector<std::array<Vec3, 2>> nears;  ///< m, one per pair: the points closest at the start, where they are now
};

}  // namespace clothlab::contact
