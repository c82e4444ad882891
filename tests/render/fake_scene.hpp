#pragma once

#include <cmath>
#include <memory>

#include "film/egl_context.hpp"
#include "render/gl/capture.hpp"
#include "render/gl/offscreen_target.hpp"
#include "render/renderer.hpp"

namespace clothlab::app::render {

/// A square sheet of n x n particles and side 1 m in the plane z = 0, upper left corner at (-0.5, 0.5), facing +z;
/// `wave` bends it (m). There is no simulation.
inline worker::Snapshot fakeSheet(int n = 21, double wave = 0) {
    auto mesh = std::make_shared<worker::MeshTopology>();
    worker::Snapshot snapshot;
    const geometry::GridPatch grid{n, n};
    const double spacing = 1.0 / (n - 1);
    mesh->revision = 1;
    mesh->particles = grid.vertices();
    linalg::BlockVector rest(mesh->particles);
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) {
            const double x = c * spacing - 0.5, y = 0.5 - r * spacing;
            const double z = wave * std::sin(7 * x + 2 * y) * (0.6 - y);
            rest[grid.vertex(r, c)] = Vec3(x, y, z);
            for (const double value : {x, y, z}) snapshot.positions.push_back(float(value));
            mesh->uv.push_back(float(c * spacing));
            mesh->uv.push_back(float(r * spacing));
            for (const auto& [dr, dc, family] :
                 {std::tuple{0, 1, cloth::SpringFamily::Stretch}, std::tuple{1, 0, cloth::SpringFamily::Stretch},
                  std::tuple{1, 1, cloth::SpringFamily::Shear}})
                if (grid.contains(r + dr, c + dc))
                    mesh->springs.push_back({grid.vertex(r, c), grid.vertex(r + dr, c + dc), spacing, family, 0});
            if (r + 1 < n && c + 1 < n) {  // counter-clockwise seen from +z
                mesh->triangles.push_back({grid.vertex(r, c), grid.vertex(r + 1, c), grid.vertex(r + 1, c + 1)});
                mesh->triangles.push_back({grid.vertex(r, c), grid.vertex(r + 1, c + 1), grid.vertex(r, c + 1)});
            }
        }
    cloth::ClothModel::Patch patch;
    patch.particles = grid.vertices();
    patch.spacing = spacing;
    mesh->patches.push_back(patch);
    mesh->camera.azimuth = 25;
    mesh->camera.elevation = 12;
    mesh->camera.distance = 2.6;
    snapshot.mesh = mesh;
    snapshot.pins = {0, Index(n - 1)};
    return snapshot;
}

inline void addCollider(worker::Snapshot& snapshot, const geometry::Shape& shape, const Vec3& position) {
    auto mesh = std::make_shared<worker::MeshTopology>(*snapshot.mesh);
    contact::Collider collider;
    collider.shape = shape;
    collider.position = position;
    mesh->colliders.push_back(collider);
    ++mesh->revision;
    snapshot.mesh = mesh;
    snapshot.colliderPoses.push_back({position, Eigen::Quaterniond::Identity(), Vec3::Zero(), Vec3::Zero()});
}

}  // namespace clothlab::app::render
