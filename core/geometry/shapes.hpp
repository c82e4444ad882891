#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/types.hpp"

namespace clothlab::geometry {

class DistanceField;
struct TriangleMesh;

/// Shapes in their own frame, centred at the origin; lengths in metres.
struct Sphere {
    double radius = 0.3;
    bool operator==(const Sphere&) const = default;
};
struct Box {
    Vec3 halfSize{0.3, 0.3, 0.3};
    bool operator==(const Box&) const = default;
};
/// Capped, axis along local y.
struct Cylinder {
    double radius = 0.2, halfHeight = 0.3;
    bool operator==(const Cylinder&) const = default;
};
/// All points within radius of a segment of length 2 halfHeight along local y.
struct Capsule {
    double radius = 0.2, halfHeight = 0.3;
    bool operator==(const Capsule&) const = default;
};
/// The half space local y <= 0 is solid.
struct Plane {
    bool operator==(const Plane&) const = default;
};

/// The inside of a closed triangle mesh, by its distance field.
struct MeshSolid {
    std::string path;     ///< of its file; empty: the torso (fillings/body.hpp), which the program fills
    double scale = 1;     ///< metres per unit of the file
    bool strict = false;  ///< nothing of the file may be skipped or repaired
    int cells = 64;       ///< of the field, along its longest side
    std::vector<std::string> notes = {};          ///< what was skipped or repaired, sentences
    std::shared_ptr<const TriangleMesh> surface;  ///< m; has no hole; null: the torso, not filled yet
    std::shared_ptr<const DistanceField> field;   ///< null until it is built, which takes a while

    bool operator==(const MeshSolid& other) const;  ///< the field follows from the others
};

using Shape = std::variant<Sphere, Box, Cylinder, Capsule, Plane, MeshSolid>;

/// Signed distance (negative inside, m) and its gradient, the outward unit normal, at a point of the shape's frame.
struct DistanceSample {
    double distance;
    Vec3 normal;
};

/// Exact Euclidean distance to the surface, inside and outside; for a mesh that of its field, which must exist. The
/// normal is a unit vector everywhere: where the distance has no gradient (centres, axes, planes equally far from two
/// faces) it is one of the limits, chosen by the position only, with the upward face first. A point that is not finite
/// gives a distance that is not finite.
DistanceSample signedDistance(const Shape& shape, const Vec3& point);

/// Radius of the bounding sphere about the shape's origin, m; infinite for the plane.
double boundingRadius(const Shape& shape);

}  // namespace clothlab::geometry
