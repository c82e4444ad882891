#pragma once

#include "base/fields.hpp"
#include "contact/collider.hpp"

namespace clothlab::scene {

enum class ShapeKind : int {
    Sphere,
    Box,
    Cylinder,
    Capsule,
    Plane,
    Mesh,
    Torso
};  // in the order of geometry::Shape, then what is a mesh as well
inline constexpr std::array kShapeKinds{
    EnumEntry{int(ShapeKind::Sphere), "sphere", "sphere"},
    EnumEntry{int(ShapeKind::Box), "box", "box"},
    EnumEntry{int(ShapeKind::Cylinder), "cylinder", "cylinder", "Its axis is the local y axis."},
    EnumEntry{int(ShapeKind::Capsule), "capsule", "capsule", "Its axis is the local y axis."},
    EnumEntry{int(ShapeKind::Plane), "plane", "plane", "Solid below: local y <= 0."},
    EnumEntry{int(ShapeKind::Mesh), "mesh", "mesh", "The inside of a closed triangle mesh."},
    EnumEntry{int(ShapeKind::Torso), "torso", "torso", "A body form for a T-shirt, with its base at local y = 0."},
};
constexpr std::span<const EnumEntry> enumTable(ShapeKind) { return kShapeKinds; }

/// A [[collider]] table as plain members: a shape is a variant, and a variant has no fields to describe.
struct ColliderRecord {
    std::string name;
    ShapeKind shape = ShapeKind::Sphere;
    double radius = 0.3, halfHeight = 0.3;  ///< m
    std::string file;                       ///< of a mesh: OBJ or PLY
    bool strict = false;                    ///< of a mesh: nothing of its file may be skipped or repaired
    double scale = 1;                       ///< of a mesh: metres per unit of the file
    int cells = 64;                         ///< of a mesh: of its distance field
    Vec3 halfSize{0.3, 0.3, 0.3};           ///< m
    Vec3 position = Vec3::Zero();           ///< m
    Vec3 axis = Vec3::UnitY();              ///< direction of the local y axis; file only, the writer gives orientation
    Vec3 rotation = Vec3::Zero();           ///< degrees, rotation vector; likewise file only
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< read and written separately: four numbers
    Vec3 velocity = Vec3::Zero();                                     ///< m/s
    Vec3 angularVelocity = Vec3::Zero();                              ///< rad/s
    double startTime = 0, stopTime = 1e300;                           ///< s
    double muS = -1, muK = -1;                                        ///< negative: those of the settings
};

/// Only the fields of the record's shape.
FieldList describeCollider(ColliderRecord& record);

ColliderRecord toRecord(const contact::Collider& collider);
contact::Collider toCollider(const ColliderRecord& record);

}  // namespace clothlab::scene
