#include "scene/toml/collider_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "base/text.hpp"
#include "geometry/distance_field.hpp"
#include "geometry/triangle_mesh.hpp"
#include "scene/toml/collider_fields.hpp"
#include "scene/toml/keyframes.hpp"
#include "scene/toml/mesh_reader.hpp"
#include "scene/toml/table_reader.hpp"

namespace clothlab::scene {
namespace {

/// The limit for a collider's mesh; the distance field of a larger one takes minutes.
constexpr std::size_t kMostTriangles = 1'000'000;
constexpr std::array<std::string_view, 7> kShapeKeys{"radius", "half_height", "half_size", "file",
                                                     "scale",  "cells",       "strict"};

/// A key that another shape has is a likelier mistake than a misspelt one, and deserves its own words.
Expected<void> refuseForeignKeys(const TomlNode& table, const ColliderRecord& record, const std::string& file) {
    for (std::string_view key : kShapeKeys) {
        const TomlNode::Entry* entry = table.find(key);
        ColliderRecord copy = record;
        const std::string fullKey = fmt::format("collider.{}", key);
        const FieldList list = describeCollider(copy);
        if (!entry || list.find(fullKey)) continue;
        std::vector<std::string> valid;
        for (std::string_view own : kShapeKeys)
            if (list.find(fmt::format("collider.{}", own))) valid.emplace_back(own);
        return failAt(file, entry->line, entry->column, fmt::format("a {} has no {}", enumKey(record.shape), key),
                      valid);
    }
    return {};
}

/// `orientation = [w, x, y, z]`: what the writer writes, because it comes back to the same bits.
Expected<void> readOrientation(const TomlNode& node, ColliderRecord& record, const std::string& file) {
    const std::vector<std::string> valid{"four numbers [w, x, y, z], a unit quaternion"};
    if (node.kind != TomlNode::Kind::Array || node.items.size() != 4)
        return failAt(file, node, "collider.orientation: four numbers are needed", valid);
    double q[4];
    for (std::size_t i = 0; i < 4; ++i) {
        if (!node.items[i].isNumber() || !std::isfinite(node.items[i].number))
            return failAt(file, node.items[i], "collider.orientation: a finite number is needed", valid);
        q[i] = node.items[i].number;
    }
    record.orientation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
    const double length = record.orientation.norm();
    if (!(std::abs(length - 1) <= 1e-3))
        return failAt(file, node, fmt::format("collider.orientation has length {:.6g}", length), valid);
    if (std::abs(length - 1) > 1e-12) record.orientation.normalize();
    return {};
}

Expected<void> readTurn(const TomlNode& table, ColliderRecord& record, const std::string& file) {
    const TomlNode::Entry* given = nullptr;
    for (std::string_view key : {"axis", "rotation", "orientation"}) {
        const TomlNode::Entry* entry = table.find(key);
        if (!entry) continue;
        if (given)
            return failAt(file, entry->line, entry->column,
                          fmt::format("'{}' and '{}' both turn the collider", given->key, key), {"one of them"});
        given = entry;
    }
    if (!given) return {};
    if (given->key == "orientation") return readOrientation(given->value, record, file);
    if (given->key == "axis") {
        if (record.axis.norm() < 1e-9)
            return failAt(file, given->value, "collider.axis has no direction", {"a vector that is not zero"});
        record.orientation = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), record.axis);
    } else if (const double degrees = record.rotation.norm(); degrees > 0) {
        const Vec3 direction = record.rotation / degrees;
        record.orientation = Eigen::AngleAxisd(degrees * std::numbers::pi / 180, direction);
    }
    return {};
}

/// The surface that a mesh collider names, in metres.
Expected<void> readSurface(const TomlNode& table, geometry::MeshSolid& solid, const std::string& file) {
    const TomlNode::Entry* entry = table.find("file");
    if (!entry) return failAt(file, table, "a mesh needs a file", {"file = \"bunny.obj\""});
    auto source = readMeshSource(entry->value, "collider.file", file, solid.strict);
    if (!source) return fail(source.error());
    auto surface = std::make_shared<geometry::TriangleMesh>(*source->content);
    const std::string shown = shownPath(source->path);
    if (surface->triangles.size() > kMostTriangles)
        return failAt(file, entry->value,
                      fmt::format("collider.file: {} has {} triangles; a collider has at most {}", shown,
                                  surface->triangles.size(), kMostTriangles));
    if (const auto hole = geometry::findHole(*surface))
        return failAt(file, entry->value,
                      fmt::format("collider.file: {} has a hole: {} edges belong to one triangle only, the first lies "
                                  "between the points number {} and {} of the file",
                                  shown, hole->edges, source->content->numberOfPoint(hole->a) + 1,
                                  source->content->numberOfPoint(hole->b) + 1),
                      {"a closed surface"});
    for (Vec3& point : surface->points) point *= solid.scale;
    solid.path = source->path;
    solid.notes = source->content->notes;
    solid.surface = std::move(surface);
    return {};
}

}  // namespace

Expected<contact::Collider> readCollider(const TomlNode& table, int number, const std::string& file) {
    ColliderRecord record;
    record.name = fmt::format("collider {}", number);
    const FieldList common = describeCollider(record);
    const Field* shape = common.find("collider.shape");
    const TomlNode::Entry* entry = table.find("shape");
    if (!entry) return failAt(file, table, "a collider needs a shape", {validText(*shape)});
    if (auto done = assignNode(*shape, entry->value, file); !done) return fail(done.error());
    if (auto done = refuseForeignKeys(table, record, file); !done) return fail(done.error());
    if (auto done = readTable(table, "collider", describeCollider(record), file, {"orientation", kKeyframes}); !done)
        return fail(done.error());
    if (auto done = readTurn(table, record, file); !done) return fail(done.error());
    if (record.stopTime < record.startTime)
        return failAt(
            file, table.find("stop_time") ? table.find("stop_time")->value : table.find("start_time")->value,
            fmt::format("the collider stops at {} s, before it starts at {} s", record.stopTime, record.startTime));
    contact::Collider collider = toCollider(record);
    auto keyframes = readKeyframes(table, "collider", file);
    if (!keyframes) return fail(keyframes.error());
    collider.keyframes = std::move(*keyframes);
    if (auto* mesh = std::get_if<geometry::MeshSolid>(&collider.shape); mesh && record.shape == ShapeKind::Mesh)
        if (auto done = readSurface(table, *mesh, file); !done) return fail(done.error());
    return collider;
}

}  // namespace clothlab::scene
