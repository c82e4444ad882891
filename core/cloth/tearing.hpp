#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cloth/cloth_model.hpp"

/// Springs that break, by strain or by a cut. A spring stays in the lists of the model, and its blocks in the pattern:
/// ForceModel::setBroken removes its force. Flags are one per spring of the model; empty means that all are intact.
namespace clothlab::cloth {

/// The sweep of the pointer from one picture to the next: the part of a plane between two rays from the eye.
struct Blade {
    Vec3 eye;       ///< m
    Vec3 from, to;  ///< directions of the rays, of any length, less than 180 degrees apart
    bool operator==(const Blade&) const = default;
};

/// Whether the blade goes through the line from a to b (m). Points in its plane belong to one side of it, so that a
/// stroke through a particle leaves nothing uncut.
bool cuts(const Blade& blade, const Vec3& a, const Vec3& b);

/// Breaks the intact springs that the blade goes through at positions x (m), and those that would invisibly hold
/// together pieces no longer joined by a triangle. A particle that would lose all its triangles goes to the other side
/// of the blade, if it keeps one there. Returns the number of springs broken.
Index breakCut(const ClothModel& model, const Blade& blade, const linalg::BlockVector& x,
               std::vector<std::uint8_t>& broken);

/// Breaks the intact springs with (l - L)/L above the limit of their material; a limit of 0 breaks none. Pieces no
/// longer joined by a triangle come apart as above. Returns the number of springs broken.
Index breakOverstretched(const ClothModel& model, std::span<const double> limits, const linalg::BlockVector& x,
                         std::vector<std::uint8_t>& broken);

/// For each particle the first one of its piece, which intact springs and threads hold together.
std::vector<Index> piecesOfSprings(const ClothModel& model, std::span<const std::uint8_t> broken);
/// A flag per particle: it had springs, and all of them are broken. Empty if none is broken.
std::vector<std::uint8_t> looseParticles(const ClothModel& model, std::span<const std::uint8_t> broken);

/// A flag per triangle: one of its edges is a broken spring.
std::vector<std::uint8_t> tornTriangles(const ClothModel& model, std::span<const geometry::Triangle> triangles,
                                        std::span<const std::uint8_t> broken);

/// A flag per facet, likewise.
std::vector<std::uint8_t> tornFacets(const ClothModel& model, std::span<const std::uint8_t> broken);

/// The triangles of the surface without the torn ones.
std::vector<geometry::Triangle> wholeTriangles(const ClothModel& model, std::span<const std::uint8_t> broken);

}  // namespace clothlab::cloth
