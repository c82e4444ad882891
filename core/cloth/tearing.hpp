#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cloth/cloth_model.hpp"

/// Springs that break, by their strain or by a cut. A spring stays in the lists of the model, and so do its blocks in
/// the pattern: ForceModel::setBroken takes its force away. Flags are one a spring of the model; empty means that all
/// are whole.
namespace clothlab::cloth {

/// What the pointer sweeps from one picture to the next: the part of a plane between two rays from the eye.
struct Blade {
    Vec3 eye;       ///< m
    Vec3 from, to;  ///< directions of the rays, of any length, less than 180 degrees apart
    bool operator==(const Blade&) const = default;
};

/// Whether the blade goes through the line from a to b (m). What lies in its plane belongs to one side of it, so that a
/// stroke through a particle leaves nothing uncut.
bool cuts(const Blade& blade, const Vec3& a, const Vec3& b);

/// Breaks the whole springs that the blade goes through at positions x (m), and with them those that would hold
/// together, out of sight, pieces which no triangle joins any more. A particle that would lose all its triangles goes
/// to the other side of the blade, if it keeps one there. Returns how many springs broke.
Index breakCut(const ClothModel& model, const Blade& blade, const linalg::BlockVector& x,
               std::vector<std::uint8_t>& broken);

/// Breaks the whole springs with (l - L)/L above the limit of their material; a limit of 0 breaks none. What
/// no triangle joins any more comes apart as above. Returns how many.
Index breakOverstretched(const ClothModel& model, std::span<const double> limits, const linalg::BlockVector& x,
                         std::vector<std::uint8_t>& broken);

/// For each particle the first one of its piece: what whole springs and threads hold together.
std::vector<Index> piecesOfSprings(const ClothModel& model, std::span<const std::uint8_t> broken);
/// A flag a particle: it had springs, and all of them are broken. Empty where none is broken.
std::vector<std::uint8_t> looseParticles(const ClothModel& model, std::span<const std::uint8_t> broken);

/// A flag a triangle: an edge of it is a broken spring.
std::vector<std::uint8_t> tornTriangles(const ClothModel& model, std::span<const geometry::Triangle> triangles,
                                        std::span<const std::uint8_t> broken);

/// A flag a facet, likewise.
std::vector<std::uint8_t> tornFacets(const ClothModel& model, std::span<const std::uint8_t> broken);

/// The triangles of the surface without the torn ones.
std::vector<geometry::Triangle> wholeTriangles(const ClothModel& model, std::span<const std::uint8_t> broken);

}  // namespace clothlab::cloth
