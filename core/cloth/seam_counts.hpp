#pragma once

#include "base/types.hpp"

namespace clothlab::cloth {

/// What sewing (sewing.hpp) has left to do.
struct SeamCounts {
    Index threads = 0;   ///< of all cloths
    Index open = 0;      ///< that are not closed
    double longest = 0;  ///< m
};

}  // namespace clothlab::cloth
