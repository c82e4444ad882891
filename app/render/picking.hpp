#pragma once

#include <optional>

#include "render/camera.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::render {

struct Pick {
    Index particle = -1;
    glm::vec3 point{0};                  ///< m, where the ray met the cloth (the particle itself when it was only near)
    float distance = 0;                  ///< m, from the eye
    std::uint64_t topologyRevision = 0;  ///< of the mesh that was picked: a stale pick is dropped
    geometry::Triangle corners{-1, -1, -1};  ///< that the ray met; -1: it met none
    glm::vec3 shares{0};                     ///< of the corners in the point

    /// Where that place of the cloth is in another snapshot of the same mesh, m; nothing without a triangle.
    std::optional<glm::vec3> placeIn(const worker::Snapshot& snapshot) const;
};

/// The nearest triangle that the ray meets, and the vertex of it nearest to the hit. Brute force over the triangles:
/// 50,000 take about half a millisecond, and a pick happens at most once per frame.
std::optional<Pick> pickRay(const worker::Snapshot& snapshot, const Ray& ray);

/// The cloth under a pixel. Solids in front of the cloth hide it. When the ray misses, the visible particle nearest on
/// the screen counts, if it is within `tolerance` pixels: edges and pins are easy to hit.
std::optional<Pick> pick(const worker::Snapshot& snapshot, const Camera& camera, const Viewport& viewport,
                         glm::vec2 pixel, float tolerance = 10.0f);

struct ColliderHit {
    Index collider = -1;
    float distance = 0;  ///< m, along the ray
};
/// The first collider along the ray, or nothing. Planes count.
std::optional<ColliderHit> colliderHit(const worker::Snapshot& snapshot, const Ray& ray, float maxDistance);
/// The solid under a pixel that no cloth hides and that can be dragged.
std::optional<ColliderHit> pickCollider(const worker::Snapshot& snapshot, const Camera& camera,
                                        const Viewport& viewport, glm::vec2 pixel);

}  // namespace clothlab::app::render
