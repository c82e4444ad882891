#include "scene/toml/keyframes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scene/toml/toml_text.hpp"

namespace clothlab::scene {
namespace {

constexpr double kLargestMove = 1e6;  // m

Expected<mechanics::Keyframe> readKeyframe(const TomlNode& node, std::string_view name, const std::string& file) {
    const std::vector<std::string> valid{"[time, x, y, z]: seconds and the displacement in metres"};
    if (node.kind != TomlNode::Kind::Array || node.items.size() != 4)
        return failAt(file, node, fmt::format("{}.keyframes: four numbers are needed", name), valid);
    double number[4];
    for (int k = 0; k < 4; ++k) {
        const TomlNode& item = node.items[k];
        if (!item.isNumber() || !(std::abs(item.number) <= kLargestMove))
            return failAt(file, item, fmt::format("{}.keyframes: a number is needed, at most a million", name), valid);
        number[k] = item.number;
    }
    return mechanics::Keyframe{number[0], {number[1], number[2], number[3]}};
}

}  // namespace

Expected<std::vector<mechanics::Keyframe>> readKeyframes(const TomlNode& table, std::string_view name,
                                                         const std::string& file) {
    std::vector<mechanics::Keyframe> keys;
    const TomlNode::Entry* entry = table.find(kKeyframes);
    if (!entry) return keys;
    if (entry->value.kind != TomlNode::Kind::Array || entry->value.items.empty())
        return failAt(file, entry->value, fmt::format("{}.keyframes: a list of keyframes is needed", name),
                      {"keyframes = [[0, 0, 0, 0], [1, 0.2, 0, 0]]"});
    for (const TomlNode& node : entry->value.items) {
        auto key = readKeyframe(node, name, file);
        if (!key) return fail(key.error());
        if (!keys.empty() && !(key->time > keys.back().time))
            return failAt(file, node,
                          fmt::format("{}.keyframes: {} s does not come after {} s", name, key->time, keys.back().time),
                          {"times that ascend"});
        keys.push_back(*key);
    }
    return keys;
}

std::string keyframesText(const std::vector<mechanics::Keyframe>& keyframes) {
    if (keyframes.empty()) return {};
    std::vector<std::string> keys;
    keys.reserve(keyframes.size());
    for (const mechanics::Keyframe& key : keyframes)
        keys.push_back(fmt::format("[{}, {}, {}, {}]", numberText(key.time), numberText(key.displacement.x()),
                                   numberText(key.displacement.y()), numberText(key.displacement.z())));
    return fmt::format("{} = [{}]\n", kKeyframes, fmt::join(keys, ", "));
}

}  // namespace clothlab::scene
