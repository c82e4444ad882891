#include "base/state_hash.hpp"

#include <fmt/format.h>

#include <cstring>

namespace clothlab {

// Eight bytes at a time: a byte-wise FNV over a large cloth would cost a tenth of a step.
void StateHash::bytes(const void* data, std::size_t size) {
    constexpr std::uint64_t kPrime = 1099511628211ull;
    const auto* p = static_cast<const unsigned char*>(data);
    std::uint64_t h = digest_;
    for (; size >= 8; p += 8, size -= 8) {
        std::uint64_t word;
        std::memcpy(&word, p, 8);
        h = (h ^ word) * kPrime;
        h ^= h >> 32;
    }
    for (; size > 0; ++p, --size) h = (h ^ *p) * kPrime;
    digest_ = h;
}

std::string StateHash::text() const { return fmt::format("{:016x}", digest_); }

}  // namespace clothlab
