#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "cloth/springs.hpp"
#include "worker/snapshots/round_up.hpp"

namespace clothlab::app::worker {

inline constexpr float kUsualStrainEnd = 0.1f;  ///< of the scale of strains

/// A round end of the scale that no strain of a stretch or shear spring is beyond. `strains`: of each of `springs`.
inline float fittedStrainEnd(std::span<const cloth::Spring> springs, std::span<const float> strains) {
    float largest = 1e-4f;
    for (std::size_t k = 0; k < std::min(springs.size(), strains.size()); ++k)
        if (springs[k].family != cloth::SpringFamily::Bend && std::isfinite(strains[k]))
            largest = std::max(largest, strains[k]);
    return float(roundedUp(largest));
}

}  // namespace clothlab::app::worker
