#pragma once

#include <array>
#include <optional>
#include <vector>

#include "geometry/shapes.hpp"

/// Parts of a solid that can go through the cloth between its particles. The end of a needle or a corner of a box can
/// go through the middle of a triangle whose corners and edges stay outside. Such a tip is a small ball, or a point,
/// that moves with the solid; a triangle meets it on the way of a step, or has sunk onto it.
///
///           n
///        ___|___ triangle       gap = n . (sum_k w_k x_k - tip) - radius
///           o tip               n: normal of the triangle, on the side that the tip points to
///          / \ solid
///
/// An edge that is outside at both ends of a step can have gone through a wire or a bar on the way, or through the
/// rim of a plate: rods, which are thinner than a cell of the cloth.
namespace clothlab::contact {

struct SolidTip {
    Vec3 place;     ///< m, in the solid's frame
    Vec3 outward;   ///< unit, its direction; zero for a ball
    double radius;  ///< m
};

/// Corners of a box; ends of capsules and cylinders thinner than `thin` (m); balls thinner than that; sharp points of a
/// mesh, such as those of cones and boxes.
std::vector<SolidTip> findTips(const geometry::Shape& shape, double thin);

/// A tip on its way within a step, in the world.
struct TipMotion {
    Vec3 start, end;  ///< m
    Vec3 outward;     ///< at the end
    double radius;    ///< m
};
struct TipTouch {
    std::array<double, 3> weights;  ///< of the point of the triangle that meets it
    Vec3 normal;                    ///< unit
    double gap;                     ///< m, at the end of the step; < 0: the tip has gone through
    bool met;                       ///< whether they met on the way of the step, having begun apart
};
/// Contact of a triangle, which moves along straight lines from `start` to `end` (m), with a tip; nothing if they
/// neither meet on the way nor are closer than `reach` (m) at the end. If they meet, the triangle stays on the side
/// where it began; otherwise it belongs to the side that the tip points to, and a gap below zero means that the tip
/// goes through it, or that it lies on the other side of the solid: the caller, which has the shape, decides.
std::optional<TipTouch> findTouch(const TipMotion& tip, const std::array<Vec3, 3>& start,
                                  const std::array<Vec3, 3>& end, double reach);

/// All points within the radius of a line.
struct SolidRod {
    std::array<Vec3, 2> ends;  ///< m, in the solid's frame
    double radius;             ///< m
};
/// Rods inside a shape thinner than `thin` (m): the axis of a capsule or a cylinder; in a box those along its edges
/// that fit into it: one for a bar, four for a plate.
std::vector<SolidRod> findRods(const geometry::Shape& shape, double thin);

/// A rod on its way within a step, in the world.
struct RodMotion {
    std::array<Vec3, 2> start, end;  ///< m
    double radius;                   ///< m
};
struct RodTouch {
    double share, along;  ///< of the edge and of the rod, from the first end on: where they are closest
    Vec3 normal;          ///< unit, from the rod to the edge
    double gap;           ///< m, at the end of the step; < 0: the edge is in the rod, or has gone through
};
/// The same for an edge that moves along straight lines. It stays on the side where it met the rod or, if it began in
/// the rod, where it was.
std::optional<RodTouch> findTouch(const RodMotion& rod, const std::array<Vec3, 2>& start,
                                  const std::array<Vec3, 2>& end, double reach);

}  // namespace clothlab::contact
