#include "scene/toml/collider_fields.hpp"

#include "scene/length_units.hpp"

#include "geometry/distance_field.hpp"

namespace clothlab::scene {
namespace {

void addShapeFields(ColliderRecord& r, FieldList& list) {
    const bool round = r.shape == ShapeKind::Sphere || r.shape == ShapeKind::Cylinder || r.shape == ShapeKind::Capsule;
    if (round) list.add("collider.radius", r.radius, {.label = "radius", .unit = "m", .min = 1e-4, .max = 1e4});
    if (r.shape == ShapeKind::Cylinder || r.shape == ShapeKind::Capsule)
        list.add("collider.half_height", r.halfHeight, {.label = "half height", .unit = "m", .min = 1e-4, .max = 1e4});
    if (r.shape == ShapeKind::Box)
        list.add("collider.half_size", r.halfSize, {.label = "half size", .unit = "m", .min = 1e-4, .max = 1e4});
    if (r.shape != ShapeKind::Mesh && r.shape != ShapeKind::Torso) return;
    if (r.shape == ShapeKind::Mesh) {
        list.add("collider.file", r.file, {.label = "file"});
        list.add("collider.strict", r.strict, {.label = "strict"});
    }
    list.add("collider.scale", r.scale,
             {.label = "scale", .unit = "m", .min = 1e-4, .max = 1e4, .words = lengthUnits()});
    list.add(
        "collider.cells", r.cells,
        {.label = "cells", .min = geometry::DistanceField::kLeastCells, .max = geometry::DistanceField::kMostCells});
}

}  // namespace

FieldList describeCollider(ColliderRecord& r) {
    FieldList list;
    const FieldMeta metres{.unit = "m", .min = -1e6, .max = 1e6};
    list.add("collider.name", r.name, {.label = "name"});
    list.add("collider.shape", r.shape, {.label = "shape"});
    addShapeFields(r, list);
    list.add("collider.position", r.position, metres);
    list.add("collider.axis", r.axis, {.min = -1e6, .max = 1e6});
    list.add("collider.rotation", r.rotation, {.unit = "degrees", .min = -360, .max = 360});
    list.add("collider.velocity", r.velocity, {.unit = "m/s", .min = -1000, .max = 1000});
    list.add("collider.angular_velocity", r.angularVelocity, {.unit = "rad/s", .min = -1000, .max = 1000});
    list.add("collider.start_time", r.startTime, {.unit = "s", .min = 0});
    list.add("collider.stop_time", r.stopTime, {.unit = "s", .min = 0});
    list.add("collider.mu_s", r.muS, {.label = "static friction", .min = 0, .max = 10});
    list.add("collider.mu_k", r.muK, {.label = "kinetic friction", .min = 0, .max = 10});
    return list;
}

ColliderRecord toRecord(const contact::Collider& collider) {
    ColliderRecord r;
    r.name = collider.name;
    r.shape = static_cast<ShapeKind>(collider.shape.index());
    if (const auto* sphere = std::get_if<geometry::Sphere>(&collider.shape)) r.radius = sphere->radius;
    if (const auto* box = std::get_if<geometry::Box>(&collider.shape)) r.halfSize = box->halfSize;
    if (const auto* cylinder = std::get_if<geometry::Cylinder>(&collider.shape)) {
        r.radius = cylinder->radius;
        r.halfHeight = cylinder->halfHeight;
    }
    if (const auto* capsule = std::get_if<geometry::Capsule>(&collider.shape)) {
        r.radius = capsule->radius;
        r.halfHeight = capsule->halfHeight;
    }
    if (const auto* mesh = std::get_if<geometry::MeshSolid>(&collider.shape)) {
        if (mesh->path.empty()) r.shape = ShapeKind::Torso;
        r.file = mesh->path;
        r.scale = mesh->scale;
        r.strict = mesh->strict;
        r.cells = mesh->cells;
    }
    r.position = collider.position;
    r.orientation = collider.orientation;
    r.velocity = collider.velocity;
    r.angularVelocity = collider.angularVelocity;
    r.startTime = collider.startTime;
    r.stopTime = collider.stopTime;
    r.muS = collider.muS.value_or(-1);
    r.muK = collider.muK.value_or(-1);
    return r;
}

contact::Collider toCollider(const ColliderRecord& r) {
    contact::Collider collider;
    collider.name = r.name;
    switch (r.shape) {
        case ShapeKind::Sphere:
            collider.shape = geometry::Sphere{r.radius};
            break;
        case ShapeKind::Box:
            collider.shape = geometry::Box{r.halfSize};
            break;
        case ShapeKind::Cylinder:
            collider.shape = geometry::Cylinder{r.radius, r.halfHeight};
            break;
        case ShapeKind::Capsule:
            collider.shape = geometry::Capsule{r.radius, r.halfHeight};
            break;
        case ShapeKind::Plane:
            collider.shape = geometry::Plane{};
            break;
        case ShapeKind::Mesh:
        case ShapeKind::Torso:
            collider.shape =
                geometry::MeshSolid{.path = r.file, .scale = r.scale, .strict = r.strict, .cells = r.cells};
            break;
    }
    collider.position = r.position;
    collider.orientation = r.orientation;
    collider.velocity = r.velocity;
    collider.angularVelocity = r.angularVelocity;
    collider.startTime = r.startTime;
    collider.stopTime = r.stopTime;
    if (r.muS >= 0) collider.muS = r.muS;
    if (r.muK >= 0) collider.muK = r.muK;
    return collider;
}

}  // namespace clothlab::scene
