#include "scene/retired_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace clothlab::scene {
namespace {

struct RetiredKey {
    std::string_view key, instead;
};

constexpr RetiredKey kRetired[] = {
    {"fast_mass_spring.factor_change", "a factor takes pins and drags in by extra columns (bordered)"},
};

const RetiredKey* find(std::string_view key) {
    const auto* found = std::ranges::find(kRetired, key, &RetiredKey::key);
    return found == std::end(kRetired) ? nullptr : found;
}

}  // namespace

bool isRetired(std::string_view key) { return find(key) != nullptr; }

std::string retiredNote(std::string_view key) {
    return fmt::format("{} is not a setting any more: {}", key, find(key)->instead);
}

}  // namespace clothlab::scene
