#pragma once

#include <cstdint>

namespace clothlab {

/// The finalizer of splitmix64 (Steele and others 2014): consecutive inputs give unrelated outputs, the same on every
/// machine.
constexpr std::uint64_t splitmix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/// The same as a double in [0, 1).
constexpr double splitmixUnit(std::uint64_t z) { return double(splitmix64(z) >> 11) * 0x1.0p-53; }

}  // namespace clothlab
