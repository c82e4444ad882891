#pragma once

#include <string>
#include <vector>

#include "mechanics/motion.hpp"
#include "scene/toml/table_reader.hpp"

namespace clothlab::scene {

inline constexpr std::string_view kKeyframes = "keyframes";

/// `keyframes = [[time, x, y, z], ...]` of a table `name` ("pins"); empty if the table has none.
Expected<std::vector<mechanics::Keyframe>> readKeyframes(const TomlNode& table, std::string_view name,
                                                         const std::string& file);
/// The line that reads back to the same bits; empty without keyframes.
std::string keyframesText(const std::vector<mechanics::Keyframe>& keyframes);

}  // namespace clothlab::scene
