#include "cloth/wind.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace clothlab::cloth {
namespace {

struct Wave {
    double frequency, share;  ///< Hz; the shares add up to 1
};
constexpr Wave kWaves[] = {{0.1123, 0.4}, {0.2876, 0.3}, {0.6218, 0.2}, {1.3791, 0.1}};

/// splitmix64: neighbouring seeds give unrelated phases.
double phase(std::uint64_t seed, std::uint64_t wave) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15ull + (wave + 1) * 0xd1b54a32d192ed03ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    return 2 * std::numbers::pi * static_cast<double>(z >> 11) * 0x1.0p-53;
}

}  // namespace

Vec3 windVelocity(const WindSettings& wind, double time) {
    if (wind.gust == 0) return wind.velocity;
    double g = 0;
    std::uint64_t number = 0;
    for (const Wave& w : kWaves)
        g += w.share * std::sin(2 * std::numbers::pi * w.frequency * time +
                                phase(static_cast<std::uint64_t>(wind.seed), number++));
    return wind.velocity * (1 + wind.gust * g);
}

}  // namespace clothlab::cloth
