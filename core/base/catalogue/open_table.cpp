#include "base/catalogue/open_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace clothlab {

bool isTableKey(std::string_view key) {
    constexpr std::size_t kMostBytes = 64;
    const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto isPart = [&](char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '-'; };
    return !key.empty() && key.size() <= kMostBytes && isLetter(key.front()) && key.back() != '-' &&
           key.find("--") == key.npos && std::ranges::all_of(key, isPart);
}

Expected<void> checkNewKey(std::string_view key, std::span<const EnumEntry> names) {
    if (!isTableKey(key))
        return fail(fmt::format(
            "'{}' is no key: at most 64 lower-case letters, digits and single hyphens, from a letter on", shown(key)));
    const auto taken = std::ranges::find(names, key, &EnumEntry::key);
    if (taken != names.end()) return fail(fmt::format("the key '{}' is taken by {}", key, taken->label));
    return {};
}

Expected<void> checkParameters(const FieldList& fields, std::span<const std::string_view> keys) {
    for (const std::string_view key : keys)
        if (!fields.find(key))
            return fail(Error{.message = fmt::format("its parameter '{}' is no setting", shown(key)),
                              .choices = fields.keys()});
    return {};
}

}  // namespace clothlab
