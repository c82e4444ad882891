#pragma once

#include "cloth/material.hpp"

namespace clothlab::cloth {

/// Velocity of the undisturbed air at `time` (s), m/s: the set velocity times 1 + gust * g(time), |g| <= 1. g is a sum
/// of sines of incommensurate frequencies (0.1 to 1.4 Hz) whose phases come from the seed: smooth, never periodic, and
/// the same for the same seed.
Vec3 windVelocity(const WindSettings& wind, double time);

}  // namespace clothlab::cloth
