#pragma once

#include <random>

#include "base/types.hpp"

namespace clothlab::contact {

struct RandomPoints {
    std::mt19937 random{7};
    std::uniform_real_distribution<double> unit{-1, 1};
    Vec3 point(double size) { return size * Vec3(unit(random), unit(random), unit(random)); }
};

}  // namespace clothlab::contact
