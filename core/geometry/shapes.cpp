#include "geometry/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/distance_field.hpp"

namespace clothlab::geometry {

namespace {

double nonzeroSign(double value) { return value < 0 ? -1.0 : 1.0; }

/// |v| without underflow: the square of 1e-170 would be zero. Not Eigen's stableNorm: it splits v by its address, so
/// its last bits depend on where v lies on the stack, and with that on the thread.
double computeLength(const Vec3& v) { return std::hypot(v.x(), v.y(), v.z()); }

/// v / |v|, or the fallback for a vector without direction.
Vec3 directionOr(const Vec3& v, const Vec3& fallback) {
    const double length = computeLength(v);
    return length > 0 ? Vec3(v / length) : fallback;
}

DistanceSample distanceTo(const Sphere& sphere, const Vec3& point) {
    return {point.norm() - sphere.radius, directionOr(point, Vec3::UnitY())};
}

DistanceSample distanceTo(const Box& box, const Vec3& point) {
    const Vec3 beyond = point.cwiseAbs() - box.halfSize;
    const Vec3 sign(nonzeroSign(point.x()), nonzeroSign(point.y()), nonzeroSign(point.z()));
    const Vec3 outside = beyond.cwiseMax(0.0);
    if (const double distance = computeLength(outside); distance > 0)
        return {distance, outside.cwiseProduct(sign) / distance};
    // Inside the nearest face decides; on a tie the top or bottom, then x, then z.
    int axis = 1;
    if (beyond.x() > beyond[axis]) axis = 0;
    if (beyond.z() > beyond[axis]) axis = 2;
    Vec3 normal = Vec3::Zero();
    normal[axis] = sign[axis];
    return {beyond[axis] + 0 * point.sum(), normal};  // not finite in, not finite out
}

DistanceSample distanceTo(const Cylinder& cylinder, const Vec3& point) {
    const Vec3 radial = directionOr(Vec3(point.x(), 0, point.z()), Vec3::UnitX());
    const Vec3 axial(0, nonzeroSign(point.y()), 0);
    const double side = std::hypot(point.x(), point.z()) - cylinder.radius;
    const double cap = std::abs(point.y()) - cylinder.halfHeight;
    if (side > 0 && cap > 0) {
        const double distance = std::hypot(side, cap);
        return {distance, (side / distance) * radial + (cap / distance) * axial};
    }
    return side > cap ? DistanceSample{side, radial} : DistanceSample{cap + 0 * side, axial};
}

DistanceSample distanceTo(const Capsule& capsule, const Vec3& point) {
    const double half = std::max(0.0, capsule.halfHeight);
    const Vec3 offset = point - Vec3(0, std::clamp(point.y(), -half, half), 0);
    return {offset.norm() - capsule.radius, directionOr(offset, half > 0 ? Vec3::UnitX() : Vec3::UnitY())};
}

DistanceSample distanceTo(const Plane&, const Vec3& point) {
    return {point.y() + 0 * (point.x() + point.z()), Vec3::UnitY()};
}

DistanceSample distanceTo(const MeshSolid& mesh, const Vec3& point) { return mesh.field->sample(point); }

double shapeRadius(const Sphere& sphere) { return sphere.radius; }
double shapeRadius(const Box& box) { return box.halfSize.norm(); }
double shapeRadius(const Cylinder& cylinder) { return std::hypot(cylinder.radius, cylinder.halfHeight); }
double shapeRadius(const Capsule& capsule) { return capsule.radius + std::max(0.0, capsule.halfHeight); }
double shapeRadius(const Plane&) { return std::numeric_limits<double>::infinity(); }
double shapeRadius(const MeshSolid& mesh) {
    return mesh.field->low().cwiseAbs().cwiseMax(mesh.field->high().cwiseAbs()).norm();
}

}  // namespace

bool MeshSolid::operator==(const MeshSolid& other) const {
    return path == other.path && scale == other.scale && cells == other.cells && strict == other.strict &&
           !surface == !other.surface && (surface == other.surface || *surface == *other.surface);
}

DistanceSample signedDistance(const Shape& shape, const Vec3& point) {
    return std::visit([&](const auto& concrete) { return distanceTo(concrete, point); }, shape);
}

double boundingRadius(const Shape& shape) {
    return std::visit([](const auto& concrete) { return shapeRadius(concrete); }, shape);
}

}  // namespace clothlab::geometry
