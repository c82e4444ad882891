#pragma once

#include "support/random_systems.hpp"

namespace clothlab::testing {

/// A grid whose pairs two apart are outside of the core, and whose diagonal neighbours are shear.
struct GridWithCore {
    RandomSystem system;
    linalg::CoreMask core;

    explicit GridWithCore(Index side, unsigned seed, double constrainedShare = 0.0);
    linalg::LinearSystem view() const {
        return {.A = system.A, .b = system.b, .constraints = system.constraints, .core = &core};
    }
};

}  // namespace clothlab::testing
