#include "scene/toml/pin_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scene/toml/keyframes.hpp"
#include "scene/toml/range_reader.hpp"
#include "scene/toml/table_reader.hpp"
#include "scene/toml/toml_text.hpp"

namespace clothlab::scene {

using integrators::PinHold;

namespace {

/// The table as plain members: `free` and `normal` are two words for one direction.
struct PinRecord {
    Vec3 free = Vec3::Zero(), normal = Vec3::Zero();
    mechanics::Motion motion = {};
};

void describe(PinRecord& r, FieldList& list) {
    list.add("free", r.free, {.min = -1e6, .max = 1e6});
    list.add("normal", r.normal, {.min = -1e6, .max = 1e6});
    list.add("velocity", r.motion.velocity, {.unit = "m/s", .min = -1000, .max = 1000});
    list.add("angular_velocity", r.motion.angularVelocity, {.unit = "rad/s", .min = -1000, .max = 1000});
    list.add("center", r.motion.center, {.unit = "m", .min = -1e6, .max = 1e6});
    list.add("start_time", r.motion.startTime, {.unit = "s", .min = 0});
    list.add("stop_time", r.motion.stopTime, {.unit = "s", .min = 0});
}

constexpr std::string_view kTable = "pins";

/// "velocity" of "pins.velocity"; lives as long as the field.
std::string_view ownKey(const Field& field) { return std::string_view(field.key).substr(kTable.size() + 1); }

FieldList pinFields(PinRecord& record) {
    FieldList list;
    list.nest(kTable, record);
    return list;
}

Expected<PinHold> readHold(const TomlNode& table, const PinRecord& record, const std::string& file) {
    const TomlNode::Entry *line = table.find("free"), *plane = table.find("normal");
    if (!line && !plane) return PinHold::point();
    if (line && plane)
        return failAt(file, plane->line, plane->column, "pins: 'free' and 'normal' are both given",
                      {"free = [x, y, z] for a line", "normal = [x, y, z] for a plane"});
    const Vec3& direction = line ? record.free : record.normal;
    if (direction.norm() < 1e-9)
        return failAt(file, (line ? line : plane)->value,
                      fmt::format("pins.{} has no direction", line ? "free" : "normal"), {"a vector that is not zero"});
    const double length = direction.norm();  // what the writer wrote comes back to the same bits
    return PinHold{line ? 1 : 2, std::abs(length - 1) > 1e-12 ? Vec3(direction / length) : direction};
}

Expected<mechanics::Motion> readMotion(const TomlNode& table, PinRecord& record, const std::string& file) {
    mechanics::Motion& motion = record.motion;
    if (motion.stopTime < motion.startTime)
        return failAt(
            file, (table.find("stop_time") ? table.find("stop_time") : table.find("start_time"))->value,
            fmt::format("pins: they stop at {} s, before they start at {} s", motion.stopTime, motion.startTime));
    if (const auto* center = table.find("center"); center && motion.angularVelocity.isZero(0.0))
        return failAt(file, center->line, center->column, "pins: a center without a turn about it",
                      {"angular_velocity = [x, y, z] beside it"});
    auto keys = readKeyframes(table, kTable, file);
    if (!keys) return fail(keys.error());
    motion.keyframes = std::move(*keys);
    return motion;
}

}  // namespace

Expected<ScenePin> readPin(const TomlNode& table, const std::vector<ClothPatch>& cloths, const std::string& file) {
    PinRecord record;
    const FieldList list = pinFields(record);
    std::vector<std::string_view> own{kKeyframes};
    for (const Field& field : list.fields()) own.push_back(ownKey(field));
    const auto where = readRange(table, "pins", cloths, file, own);
    if (!where) return fail(where.error());
    for (const Field& field : list.fields())
        if (const TomlNode::Entry* entry = table.find(ownKey(field)))
            if (auto done = assignNode(field, entry->value, file); !done) return fail(done.error());
    const auto hold = readHold(table, record, file);
    if (!hold) return fail(hold.error());
    auto motion = readMotion(table, record, file);
    if (!motion) return fail(motion.error());
    return ScenePin{*where, *hold, std::move(*motion), table.find("center") != nullptr};
}

std::string pinText(const ScenePin& pin) {
    PinRecord record{.motion = pin.motion}, usual;
    if (pin.hold.ndof == 1) record.free = pin.hold.direction;
    if (pin.hold.ndof == 2) record.normal = pin.hold.direction;
    const FieldList list = pinFields(record), defaults = pinFields(usual);
    std::string out;
    for (std::size_t i = 0; i < list.fields().size(); ++i) {
        const Field& field = list.fields()[i];
        const bool given =
            field.key == "pins.center" ? pin.ownCenter : !equalValues(field.ref, defaults.fields()[i].ref);
        if (given) out += fmt::format("{} = {}\n", ownKey(field), tomlValue(field));
    }
    return out + keyframesText(pin.motion.keyframes);
}

}  // namespace clothlab::scene
