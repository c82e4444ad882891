#pragma once

#include <string>
#include <string_view>

#include "base/fields.hpp"

/// Values as TOML text. Numbers are the shortest text that reads back to the same bits.
namespace clothlab::scene {

std::string quotedText(std::string_view text);
std::string numberText(double value);
std::string vectorText(const Vec3& v);
/// Quoted if TOML requires it.
std::string tomlValue(const Field& field);

}  // namespace clothlab::scene
