#include "contact/solid_walls.hpp"

namespace clothlab::contact {
namespace {

/// Of the depth: what is asked of a mesh. A wall is a plane; what slides along a dent of the mesh ends deeper.
constexpr double kBentShare = 0.4;

}  // namespace

void SolidWalls::find(const linalg::BlockVector& x, const linalg::BlockVector& u, std::vector<Wall>& out,
                      WorkerPool& pool) const {
    out.clear();
    if (colliders.empty()) return;
    struct Placed {
        const geometry::Shape* shape;
        Vec3 position;
        Mat3 toWorld;
        double radius;
        bool bends;
    };
    std::vector<Placed> solids;
    for (const Collider& collider : colliders) {
        const ColliderPose pose = poseAt(collider, time);
        solids.push_back({&collider.shape, pose.position, pose.orientation.toRotationMatrix(),
                          geometry::boundingRadius(collider.shape) + reach,
                          std::holds_alternative<geometry::MeshSolid>(collider.shape)});
    }
    const RowChunks rows{x.size()};
    std::vector<std::vector<Wall>> parts(std::size_t(rows.count()));
    pool.forChunks(rows.count(), rows.rows, [&](Index c) {
        for (Index i = rows.begin(c); i < rows.end(c); ++i)
            for (const Placed& solid : solids) {
                const Vec3 offset = x[i] - solid.position;
                if (!(offset.squaredNorm() <= solid.radius * solid.radius)) continue;
                const auto sample = geometry::signedDistance(*solid.shape, solid.toWorld.transpose() * offset);
                if (!(sample.distance <= reach)) continue;
                const Vec3 normal = solid.toWorld * sample.normal;
                const double most = solid.bends ? kBentShare * depth : depth;
                parts[c].push_back({i, normal, normal.dot(u[i]) - sample.distance - most});
            }
    });
    for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
}

}  // namespace clothlab::contact
