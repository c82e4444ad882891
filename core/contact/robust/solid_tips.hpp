#pragma once

#include <array>
#include <optional>
#include <vector>

#include "geometry/shapes.hpp"

/// What of a solid goes through the cloth between its particles. Through the middle of a triangle, although corners and
/// edges of that stay outside, goes the end of a needle, a corner of a box. Such a tip is a small ball, or a point,
/// that moves with the solid; a triangle meets it somewhere on the way of a step, or has sunk onto it.
///
///           n
///        ___|___ triangle       gap = n . (sum_k w_k x_k - tip) - radius
///           o tip               n: normal of the triangle, on the side that the tip points to
///          / \ solid
///
/// And an edge that is outside at both ends of a step can have gone through a wire or a bar on the way, or through the
/// rim of a plate: rods, which are thinner than a cell of the cloth.
namespace clothlab::contact {

struct SolidTip {
    Vec3 place;     ///< m, in the solid's frame
    Vec3 outward;   ///< unit, where it points to; zero: a ball, which points nowhere
    double radius;  ///< m
};

/// Corners of a box; ends of capsules and cylinders that are thinner than `thin` (m), and balls that are; of a mesh the
/// points in which it ends, those of cones and of boxes.
std::vector<SolidTip> tipsOf(const geometry::Shape& shape, double thin);

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
    bool met;                       ///< on the way of the step, which began apart
};
/// How a triangle that moves along straight lines from `start` to `end` (m) lies to a tip; nothing where they neither
/// meet on the way nor are closer than `reach` (m) at the end. Where they meet the triangle stays on the side on which
/// it began. Without a meeting it is on the side that the tip points to; a gap below zero then says that the tip goes
/// through it, or that it lies on the other side of the solid: who knows the shape decides.
std::optional<TipTouch> touchOf(const TipMotion& tip, const std::array<Vec3, 3>& start, const std::array<Vec3, 3>& end,
                                double reach);

/// All points within the radius of a line.
struct SolidRod {
    std::array<Vec3, 2> ends;  ///< m, in the solid's frame
    double radius;             ///< m
};
/// Rods inside of a shape that is thinner than `thin` (m): of a capsule or a cylinder its axis. A box has those along
/// its edges that fit into it: one for a bar, four for a plate.
std::vector<SolidRod> rodsOf(const geometry::Shape& shape, double thin);

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
/// The same of an edge that moves along straight lines. It stays on the side on which it met the rod or, where it was
/// in the rod at the start, on which it was.
std::optional<RodTouch> touchOf(const RodMotion& rod, const std::array<Vec3, 2>& start, const std::array<Vec3, 2>& end,
                                double reach);

}  // namespace clothlab::contact
