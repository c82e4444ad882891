#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/robust/impact_zone.hpp"
#include "contact/robust/impulses.hpp"
#include "linalg/block_vector.hpp"

/// Where impulses are not enough, particles that meet become one rigid body for the step (Provot 1997; Bridson
/// and others 2002), which moves by an exact rotation:
///
///     v_c = sum m u / (h sum m),  L = sum m r x u/h,  x' = x_c + h v_c + R r,  R = cay(h [omega])
///     omega = I^+ (L + L')/2,  L' = R^T L,  v' = v_c + R (I^+ L' x r)
///
/// with r = x - x_c. This is one step of the implicit midpoint rule for a free rigid body, in the axes of the body.
/// Linear and angular momentum are kept, kinetic energy does not grow, and distances within the zone are those of the
/// start, where nothing intersected. The angle is capped at a quarter turn; a zone that would turn faster turns its
/// momentum with it.
///
/// If that fails too, the particles of a zone share a motion, and each deviates from it by at most a share of its
/// distance to all others at the start (bounds as in Chen and others 2025): two sides that are d apart and deviate by
/// less than d/2 each cannot meet.
namespace clothlab::contact {

/// Sets of particles. Pairs that share a corner belong to one zone, here {0, 1, 3, 4, 5, 7, 8}:
///
///     particle     0  1  2  3  4  5  6  7  8  9  10
///     pair         o--o-----o-----o
///     pair                  o--o--------o--o              joined by 3
///     pair               o-----------o--------o--o        a zone of its own: {2, 6, 9, 10}
class ImpactZones {
public:
    void reset(Index particles);
    /// Joins the four, and the zones they were in, to one zone. True if anything changed.
    bool join(const std::array<Index, 4>& corners);
    /// Members of each zone, ascending, the zones by their first member.
    std::vector<std::vector<Index>> zones() const;
    /// Whether two are in the same zone; a particle in none is together only with itself.
    bool together(Index a, Index b) const { return root(a) == root(b); }
    bool empty() const { return joined_.empty(); }

private:
    Index root(Index i) const;

    std::vector<Index> parent_;
    std::vector<Index> joined_;  // members, in the order of joining
};

/// The momenta of particles at x that move by u in the time h.
Momentum computeMomentum(std::span<const Index> members, std::span<const double> mass, const linalg::BlockVector& x,
                         const linalg::BlockVector& u, double h);

/// Makes the displacements u of a zone rigid, and returns the rigid velocities at its new places. Particles of a pin or
/// the pointer (Mobility::leads) lead: they weigh `kHeldWeight` times as much and keep their own u.
struct RigidMotion {
    static constexpr double kHeldWeight = 1e6;
    static constexpr double kStraysFrom = 1e-12;  ///< of its distance to the center
    std::vector<Vec3> displacements, velocities;  ///< one per member; m, m/s
    std::vector<std::uint8_t> strays;             ///< whether a leading one moves differently: it may meet the others
};
RigidMotion rigidMotion(std::span<const Index> members, std::span<const double> mass, const Mobility& mobility,
                        const linalg::BlockVector& x, const linalg::BlockVector& u, double h);

}  // namespace clothlab::contact
