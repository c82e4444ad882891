#pragma once

#include "base/types.hpp"

namespace clothlab::cloth {

/// The progress of sewing (sewing.hpp).
struct SeamCounts {
    Index threads = 0;   ///< threads of all cloths
    Index open = 0;      ///< threads not closed yet
    double longest = 0;  ///< m
};

}  // namespace clothlab::cloth
