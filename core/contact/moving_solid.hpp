#pragma once

#include <optional>
#include <span>
#include <vector>

#include "contact/collider.hpp"
#include "contact/settings.hpp"
#include "geometry/shape_sweep.hpp"

namespace clothlab::contact {

/// A collider during one step: its place at both ends, and the motion of its points between them.
struct MovingSolid {
    const geometry::Shape* shape;
    Vec3 position, endPosition;      ///< m
    Mat3 toWorld, endToWorld;        ///< from its own frame
    Vec3 velocity, angularVelocity;  ///< mean over the step, so that one that stops within the step ends in place
    Mat3 turnRate;                   ///< (turn of the step - I) / dt: how its points move along their chords
    double radius;                   ///< m, of a sphere about its position that contains it
    double muS, muK;                 ///< friction
    double dt;                       ///< s

    Vec3 velocityAt(const Vec3& point) const { return velocity + angularVelocity.cross(point - position); }
    Vec3 chordVelocityAt(const Vec3& point) const { return velocity + turnRate * (point - position); }
    /// Distance (m) of a point from it at the start of the step, with the normal in the world; beyond `reach` only a
    /// lower bound of the distance.
    geometry::DistanceSample sample(const Vec3& point, double reach) const;

    /// Where a particle first meets it.
    struct Hit {
        Vec3 normal;  ///< outward, in the world at the start of the step
        double gap;   ///< m, from its place at the start to the solid, along the normal; negative: already inside
    };
    /// The first touch of a particle that moves from x to xEnd (m) within the step, relative to the solid, or that is
    /// inside and goes deeper; nothing otherwise.
    std::optional<Hit> firstTouch(const Vec3& x, const Vec3& xEnd) const;
};

/// All colliders during the step from `time` to `time` + `dt` (s).
void placeSolids(std::span<const Collider> colliders, double time, double dt, const ContactSettings& settings,
                 std::vector<MovingSolid>& out);

}  // namespace clothlab::contact
