#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/worker_pool.hpp"
#include "contact/moving_solid.hpp"
#include "contact/robust/edge_walls.hpp"
#include "contact/robust/solid_tips.hpp"
#include "contact/robust/wall.hpp"
#include "contact/settings.hpp"
#include "geometry/triangle_mesh.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::contact {

/// Keeps particles and edges from ending a step deep in a solid, tips of solids from going through triangles, and edges
/// from going through rods. Contact with solids (contact/contact_solver.hpp) holds a particle once it is inside at the
/// start of a step, so a fast one is then as deep as it moves in a step; and layers of cloth may press one in. Each
/// solid near the end of a particle's way is a wall there, and impulses of layers and walls are found together.
class SolidWalls {
public:
    /// Depth of an edge allowed in a solid, and its distance from one up to which it has a wall, in its lengths.
    static constexpr double kEdgeDepth = 0.035, kEdgeReach = 0.1;
    /// The planes of walls turn at a rim. A particle that slides over it can start the step behind a plane without
    /// being in the solid. So a wall moves out, per step, by kOutAtOnce of the length of an edge (of the reach of a
    /// particle) and by kOutShare of the distance that remains; all at once would throw the cloth.
    static constexpr double kOutAtOnce = 0.05, kOutShare = 0.2;

    struct Around {
        std::span<const Collider> colliders;
        double time;     ///< s, at the end of the step
        double dt;       ///< s
        double depth;    ///< m: allowed for a particle, which is a contact in the next step
        double reach;    ///< m: distance up to which a solid is a wall
        double muK;      ///< friction of solids without their own
        double spacing;  ///< m, of the mesh: thinner solids fit between its particles
    };
    /// Parts of the surface, whose corners are particles.
    struct Features {
        std::span<const std::array<Index, 2>> edges;
        std::span<const geometry::Triangle> triangles;
    };

    /// Sets the solids of a step; spans are kept as views.
    void place(const Around& around);
    /// Finds the distances of the particles at x (m) after the displacements u.
    void look(const linalg::BlockVector& x, const linalg::BlockVector& u, WorkerPool& pool);
    /// Walls of the particles given to look(), by particle.
    void find(const linalg::BlockVector& x, const linalg::BlockVector& u, std::vector<Wall>& out,
              WorkerPool& pool) const;
    /// Walls of the edges between them that may go through a solid, by edge, of those that meet a rod, by edge, and of
    /// the triangles that meet a tip, by triangle.
    void findFeatures(const linalg::BlockVector& x, const linalg::BlockVector& u, const Features& features,
                      std::vector<FeatureWall>& out, WorkerPool& pool) const;

private:
    struct Placed {
        MovingSolid moving;
        bool bends = false;                             ///< a mesh
        bool flat = false;                              ///< edges between particles outside are outside
        std::vector<geometry::DistanceSample> samples;  ///< of each particle, in the world; far: infinite

        Vec3 local(const Vec3& point) const { return moving.endToWorld.transpose() * (point - moving.endPosition); }
        /// Displacement of one of its points, in its frame, in the step; m.
        Vec3 drift(const Vec3& point) const {
            return moving.endToWorld * point + moving.endPosition - moving.toWorld * point - moving.position;
        }
        /// At the end of a particle's way, m; infinite where it is further than `reach` beyond the way.
        geometry::DistanceSample sample(const Vec3& x, const Vec3& end, double reach) const;
    };
    static double computeBound(const Placed& solid, const Vec3& start, const Vec3& normal, const Vec3& drift,
                               double bound, double atOnce);
    bool mayTouch(const Placed& solid, const std::array<Index, 2>& ends, const std::array<Vec3, 2>& points) const;
    FeatureWall makeWall(std::size_t collider, const std::array<Index, 2>& ends, const std::array<Vec3, 2>& points,
                         const EdgeTouch& touch, const linalg::BlockVector& x, const linalg::BlockVector& u) const;
    void placeTips();
    const std::vector<SolidTip>& tipsOfSolid(const geometry::Shape& shape);
    void findEdges(const linalg::BlockVector& x, const linalg::BlockVector& u,
                   std::span<const std::array<Index, 2>> edges, std::vector<FeatureWall>& out, WorkerPool& pool) const;
    /// An edge or a triangle within the step, and the box around its way that a rod or a tip has to meet.
    template <std::size_t kCorners>
    struct FeatureMotion {
        FeatureMotion(const std::array<Index, kCorners>& corners, const linalg::BlockVector& x,
                      const linalg::BlockVector& u);
        bool meets(const Vec3& from, const Vec3& to) const {
            return (low.array() <= to.array()).all() && (high.array() >= from.array()).all();
        }
        std::array<Vec3, kCorners> start, end;  ///< m
        Vec3 low, high;                         ///< m
        double length = 0;                      ///< m, of its longest edge
    };
    /// The tip of one of the solids, on its way.
    struct PlacedTip {
        TipMotion motion;
        std::size_t solid;
        Vec3 low, high;  ///< m
    };
    /// The rod of one of the solids, on its way.
    struct PlacedRod {
        RodMotion motion;
        std::size_t solid;
        Vec3 low, high;  ///< m
    };
    void placeRods();
    std::optional<FeatureWall> makeWall(const PlacedRod& rod, const std::array<Index, 2>& edge,
                                        const FeatureMotion<2>& way, const linalg::BlockVector& u) const;
    bool isCovered(const Vec3& tip, std::size_t own) const;
    bool isImpaled(const PlacedTip& tip, const TipTouch& touch, const Vec3& foot, double length) const;
    std::optional<FeatureWall> makeWall(const PlacedTip& tip, const geometry::Triangle& triangle,
                                        const FeatureMotion<3>& way, const linalg::BlockVector& u) const;

    Around around_{};
    std::vector<Placed> solids_;
    std::vector<PlacedRod> rods_;
    std::vector<PlacedTip> tips_;
    Vec3 lowTip_, highTip_;  // m, of all of them
    /// Tips of meshes, which take a while to find.
    std::vector<std::pair<std::shared_ptr<const geometry::TriangleMesh>, std::vector<SolidTip>>> ofMeshes_;
    std::vector<SolidTip> ofShape_;
};

}  // namespace clothlab::contact
