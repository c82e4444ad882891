#include "contact/begins_inside.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geometry/distance_field.hpp"
#include "geometry/triangle_mesh.hpp"

namespace clothlab::contact {

std::vector<BeginsInside> particlesInside(std::span<const Collider> colliders, double time,
                                          const linalg::BlockVector& x, std::span<const Index> exempt) {
    constexpr double kDeep = 1e-3;  // m; less is normal for cloth laid onto a solid
    std::vector<BeginsInside> found;
    for (const Collider& collider : colliders) {
        const ColliderPose pose = poseAt(collider, time);
        const Mat3 toLocal = pose.orientation.toRotationMatrix().transpose();
        BeginsInside inside{.solid = collider.name};
        for (Index i = 0; i < x.size(); ++i) {
            if (std::ranges::binary_search(exempt, i)) continue;
            const double depth =
                -geometry::signedDistance(collider.shape, toLocal * (Vec3(x[i]) - pose.position)).distance;
            if (!(depth > kDeep)) continue;
            ++inside.particles;
            if (depth <= inside.depth) continue;
            inside.depth = depth;
            inside.deepest = i;
        }
        if (inside.particles > 0) found.push_back(inside);
    }
    return found;
}

std::string sentence(const BeginsInside& inside, Index number) {
    return inside.particles == 1 ? fmt::format("1 particle begins inside \"{}\": number {}, {:.2g} m deep.",
                                               inside.solid, number, inside.depth)
                                 : fmt::format("{} particles begin inside \"{}\", up to {:.2g} m deep (particle {}).",
                                               inside.particles, inside.solid, inside.depth, number);
}

double shareTooThin(const geometry::MeshSolid& mesh) {
    if (!mesh.surface || !mesh.field) return 0;
    const double cell = mesh.field->cell();
    double area = 0, thin = 0;
    for (const geometry::Triangle& t : mesh.surface->triangles) {
        const Vec3 &a = mesh.surface->points[t[0]], &b = mesh.surface->points[t[1]], &c = mesh.surface->points[t[2]];
        const Vec3 cross = (b - a).cross(c - a);
        const double size = cross.norm() / 2;
        if (!(size > 0)) continue;
        const Vec3 middle = (a + b + c) / 3, half = 0.5 * cell * cross.normalized();
        // On either side: a file may have its faces oriented inwards.
        const double inside =
            std::min(mesh.field->sample(middle - half).distance, mesh.field->sample(middle + half).distance);
        area += size;
        if (!(inside < -0.1 * cell)) thin += size;
    }
    return area > 0 ? thin / area : 0;
}

}  // namespace clothlab::contact
