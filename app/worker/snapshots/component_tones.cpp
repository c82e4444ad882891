#include "worker/snapshots/component_tones.hpp"

#include <algorithm>
#include <utility>

namespace clothlab::app::worker {
namespace {

/// Spreads neighbouring particles over the tones (the golden ratio's hash).
int preferredTone(Index firstParticle) {
    const std::uint64_t mixed = (std::uint64_t(firstParticle) + 1) * 0x9E3779B97F4A7C15ull;
    return int((mixed >> 40) % kComponentTones);
}

/// (later, earlier) of components of several particles that a spring joins, ascending.
std::vector<std::pair<Index, Index>> neighbours(const linalg::Components& components,
                                                std::span<const cloth::Spring> springs) {
    std::vector<std::pair<Index, Index>> pairs;
    for (const cloth::Spring& s : springs) {
        const auto [a, b] = std::minmax(components.of[s.i], components.of[s.j]);
        if (a == b || a == 0 || components.size(a) == 1 || components.size(b) == 1) continue;
        if (pairs.empty() || pairs.back() != std::pair(b, a)) pairs.emplace_back(b, a);
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

}  // namespace

std::vector<std::uint8_t> assignTones(const linalg::Components& components, std::span<const cloth::Spring> springs) {
    const auto pairs = neighbours(components, springs);
    std::vector<std::uint8_t> tones(components.count(), 0);
    std::size_t next = 0;
    for (Index c = 1; c <= components.count(); ++c) {
        bool taken[kComponentTones] = {};
        for (; next < pairs.size() && pairs[next].first == c; ++next)
            taken[tones[std::size_t(pairs[next].second) - 1]] = true;
        int tone = preferredTone(components.rowsIn(c).front());
        for (int tries = 1; taken[tone] && tries < kComponentTones; ++tries) tone = (tone + 1) % kComponentTones;
        tones[c - 1] = std::uint8_t(tone);
    }
    return tones;
}

}  // namespace clothlab::app::worker
