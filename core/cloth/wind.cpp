#include "cloth/wind.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/splitmix.hpp"

namespace clothlab::cloth {
namespace {

struct Wave {
    double frequency, share;  ///< Hz; the shares add up to 1
};
constexpr Wave kWaves[] = {{0.1123, 0.4}, {0.2876, 0.3}, {0.6218, 0.2}, {1.3791, 0.1}};

double phase(std::uint64_t seed, std::uint64_t wave) {
    return 2 * std::numbers::pi * splitmixUnit(seed * 0x9e3779b97f4a7c15ull + (wave + 1) * 0xd1b54a32d192ed03ull);
}

}  // namespace

Vec3 windVelocity(const WindSettings& wind, double time) {
    if (wind.gust == 0) return wind.velocity;
    double g = 0;
    std::uint64_t number = 0;
    for (const Wave& w : kWaves)
        g += w.share * std::sin(2 * std::numbers::pi * w.frequency * time + phase(std::uint64_t(wind.seed), number++));
    return wind.velocity * (1 + wind.gust * g);
}

}  // namespace clothlab::cloth
