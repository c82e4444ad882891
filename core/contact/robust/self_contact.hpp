#pragma once

#include <array>
#include <span>
#include <stop_token>
#include <vector>

#include "base/worker_pool.hpp"
#include "contact/robust/impact_zone.hpp"
#include "contact/robust/impact_zones.hpp"
#include "contact/robust/impulses.hpp"
#include "contact/robust/layer_pairs.hpp"
#include "contact/robust/relaxation.hpp"
#include "contact/robust/self_contact_counts.hpp"
#include "contact/robust/solid_walls.hpp"
#include "contact/robust/untangling.hpp"
#include "contact/settings.hpp"
#include "geometry/surface_tree.hpp"
#include "linalg/block_vector.hpp"
#include "linalg/dof_constraints.hpp"
#include "mechanics/prescribed.hpp"

/// Cloth against itself and other cloths, so that no triangle goes through another (methods §13.3;
/// docs/methods/contact.md). From positions without intersections and the displacements of a method:
///
///     patches    parts of the cloth that may come near each other; if there are none, the rest is skipped
///     nearness   pairs closer than the thickness at the start repel each other, with friction
///     search     pairs whose boxes meet on the way
///     impacts    the continuous test; pairs that would meet are stopped before; repeated while new ones appear
///     zones      pairs that still meet move rigidly, as one body
///     bounds     as a last resort, deviations from a common motion of less than half the distance: always possible
///
/// Afterwards the continuous test finds nothing between the start and the end, so the end has no intersections either.
namespace clothlab::contact {

struct SelfContactInput {
    const linalg::BlockVector& x;  ///< m, at the start
    std::span<const double> mass;  ///< kg
    /// Particles that pins, the pointer and solids hold; contact respects the directions that these remove.
    std::span<const mechanics::Prescribed> held;
    std::span<const Wall> walls;                     ///< of solids that particles may enter
    std::span<const FeatureWall> featureWalls = {};  ///< edges and triangles
    SolidWalls* solids = nullptr;                    ///< source of more walls once layers have moved; null: none
    std::span<const LayerForce> carried;             ///< in this step's solve; ordered by corners
    double dt;                                       ///< s
    double thickness;                                ///< m: closer pairs repel each other
    double stiffness;                                ///< N/m, of the repulsion
    const ContactSettings& settings;
    const LayerPairs* within = nullptr;  ///< pairs of the solve; null: contact acts after it
    std::stop_token stop = {};           ///< once requested the call returns soon, with unusable displacements
};

struct SelfContactPicture;

class SelfContact {
public:
    /// The surface, whose triangles stay until the next call; rest places (m) decide how it is cut into patches. Points
    /// with the same number in `seam` are sewn together (cloth::findSeams) and do not collide there.
    void setSurface(std::span<const Vec3> rest, std::span<const geometry::Triangle> triangles,
                    std::span<const geometry::MeshEdge> edges, std::vector<Index> seam = {});
    /// Changes the displacements u (m) of the step so that nothing intersects. Keeps only scratch between calls.
    SelfContactCounts resolve(const SelfContactInput& input, linalg::BlockVector& u, WorkerPool& pool);
    /// Whether a pin or the pointer held this particle in the last call.
    bool leads(Index particle) const { return mobility_.leads(particle); }
    /// Forces of the last call for the next step, ordered by corners.
    std::span<const LayerForce> forces() const { return forces_; }
    /// Passes the pairs that pushed in the last call, with its input and displacements, to `layers` for another solve
    /// of the step, and sets in `counts` the largest move of a particle beyond that by the previous `layers`.
    void giveLayers(const SelfContactInput& input, const linalg::BlockVector& u, SelfContactCounts& counts,
                    LayerPairs& layers) const;
    /// Edges and triangles of the surface.
    std::span<const std::array<Index, 2>> edges() const { return tree_.edges(); }
    std::span<const geometry::Triangle> triangles() const { return tree_.triangles(); }
    using Zone = ImpactZone;
    /// Zones that moved rigidly in the last call.
    std::span<const Zone> zones() const { return zones_; }
    /// Describes the last call for pictures, with the particles at x (m).
    void describe(const linalg::BlockVector& x, SelfContactPicture& out) const;

private:
    struct Candidate {
        std::array<Index, 4> corners;
        geometry::PairKind kind;
        float distance;  ///< m at the start, rounded down
    };
    struct Near {
        LayerForce carried;  ///< push 0: none
        geometry::ClosestPoints closest;
    };

    Candidate pair(Index k) const;
    bool isSewn(const Candidate& c) const;
    static double nearWithin(const SelfContactInput& input);
    Index findPatches(const SelfContactInput& input, const linalg::BlockVector& u, WorkerPool& pool);
    void findNear(const SelfContactInput& input, WorkerPool& pool);
    void search(const SelfContactInput& input, const linalg::BlockVector& u, bool anew, WorkerPool& pool);
    void repel(const SelfContactInput& input, WorkerPool& pool);
    void removeExcess(const SelfContactInput& input, linalg::BlockVector& u) const;
    void addImpactsWithin(const SelfContactInput& input);
    bool left(const SelfContactInput& input, const linalg::BlockVector& u, WorkerPool& pool) const;
    double leastDistance(const SelfContactInput& input, const Candidate& c) const;
    static bool mayMeet(const Candidate& c, const linalg::BlockVector& u, double least);
    void findImpacts(const SelfContactInput& input, const linalg::BlockVector& u, const ImpactZones* zones,
                     WorkerPool& pool);
    void stopImpacts(const SelfContactInput& input, const linalg::BlockVector& u, int pass);
    void keepOut(const SelfContactInput& input, Zone& zone, linalg::BlockVector& u);
    bool moveZones(const SelfContactInput& input, linalg::BlockVector& u, SelfContactCounts& counts, WorkerPool& pool);
    /// The last resort; finds the impacts of u itself.
    void boundMotions(const SelfContactInput& input, linalg::BlockVector& u, SelfContactCounts& counts,
                      WorkerPool& pool);

    /// Distance, in thicknesses, from which on something held counts as held back or pinched.
    static constexpr double kYield = 0.04;
    void addWall(const SelfContactInput& input, const Wall& wall);
    void addFeatureWall(const FeatureWall& wall);
    bool findWalls(const SelfContactInput& input, const linalg::BlockVector& u, bool features, WorkerPool& pool);
    bool wallsHold(const SelfContactInput& input, const linalg::BlockVector& u) const;
    static bool yields(const SelfContactInput& input, const Wall& wall, const linalg::BlockVector& u);
    static bool yields(const FeatureWall& wall, const linalg::BlockVector& u);
    void markUnsettled(const SelfContactInput& input, const linalg::BlockVector& u, bool all);
    void harden(const SelfContactInput& input, linalg::BlockVector& u);
    void keepForces(const SelfContactInput& input, const linalg::BlockVector& u, WorkerPool& pool);
    double angularMomentum(const SelfContactInput& input) const;
    void finish(const SelfContactInput& input, const linalg::BlockVector& u, SelfContactCounts& counts,
                WorkerPool& pool);

    geometry::SurfaceTree tree_;
    std::vector<Index> seam_;  // empty: nothing is sewn
    geometry::FeaturePairs pairs_;
    std::vector<std::uint8_t> changed_;  // particles of the last search
    std::vector<Candidate> candidates_;
    std::vector<Near> near_;
    struct Impact {
        Candidate of;
        double time;
    };
    std::vector<Impact> impacts_;
    std::vector<std::uint8_t> unsettled_;  // one flag per particle
    Untangling untangling_;                // empty without `untangle`
    std::vector<Wall> walls_;              // of particles; in finish() those that have to hold
    std::vector<FeatureWall> featureWalls_;
    std::vector<Wall> foundWalls_;  // scratch
    std::vector<FeatureWall> foundFeatures_;
    std::vector<PairImpulse> impulses_;
    std::vector<LayerForce> forces_;
    Relaxation relaxation_;
    Mobility mobility_;
    linalg::BlockVector wanted_;  // displacements at the call
    linalg::BlockVector placed_;  // with which pairs of patches were found, and how far one may deviate from it, m
    double placedMargin_ = 0;
    linalg::BlockVector searched_;  // of each particle, in its last search
    linalg::BlockVector checked_;   // in the last test
    bool checkedAll_ = false;       // of the present candidates
    std::vector<Zone> zones_;
    std::vector<std::uint8_t> strays_;  // held members that do not move as their zone does
    std::size_t pairsFrom_ = 0;         // impulses of near pairs begin here, after walls
    std::size_t impactsFrom_ = 0;       // those of impacts
    std::vector<Index> restrained_;     // particles: bounded, held back, pinched
};

}  // namespace clothlab::contact
