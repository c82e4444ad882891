#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "papers/reproduction.hpp"

/// Reading the rows of a reproduced table.
namespace clothlab::testing {

inline papers::ReproduceOptions optionsFor(int side) {
    return {.assetsFolder = CLOTHLAB_SOURCE_DIR "/assets", .quick = true, .brief = side > 0, .side = side};
}

inline const records::Value* find(const records::Entries& entries, std::string_view key) {
    const auto at = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == key; });
    return at == entries.end() ? nullptr : &at->second;
}

inline double number(const records::Entries& entries, std::string_view key) {
    const records::Value* value = find(entries, key);
    EXPECT_NE(value, nullptr) << key;
    return value ? std::get<double>(*value) : NAN;
}

inline bool is(const records::Entries& entries, std::string_view key, std::string_view text) {
    const records::Value* value = find(entries, key);
    return value && std::holds_alternative<std::string>(*value) && std::get<std::string>(*value) == text;
}

}  // namespace clothlab::testing
