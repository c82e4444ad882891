#include "render/picking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrators/state/collider_grab.hpp"
#include "render/positions.hpp"

namespace clothlab::app::render {

using worker::Snapshot;

namespace {

struct Meeting {
    float distance = std::numeric_limits<float>::infinity();  ///< along the ray
    float u = 0, v = 0;                                       ///< shares of the second and the third corner
};

/// Möller and Trumbore 1997, both sides.
Meeting hitTriangle(const Ray& ray, glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    const Meeting miss;
    const glm::vec3 e1 = b - a, e2 = c - a, p = glm::cross(ray.direction, e2);
    const float det = glm::dot(e1, p);
    if (std::abs(det) < 1e-14f) return miss;
    const glm::vec3 s = ray.origin - a, q = glm::cross(s, e1);
    const float u = glm::dot(s, p) / det, v = glm::dot(ray.direction, q) / det, t = glm::dot(e2, q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && t > 0 ? Meeting{t, u, v} : miss;
}

Index nearestCorner(const Snapshot& snapshot, const geometry::Triangle& triangle, glm::vec3 point) {
    Index best = triangle[0];
    for (const Index corner : triangle)
        if (glm::distance(particlePosition(snapshot, corner), point) <
            glm::distance(particlePosition(snapshot, best), point))
            best = corner;
    return best;
}

/// The eye sees the particle: neither the cloth nor a solid is nearer, but for a margin of its own surroundings.
bool visible(const Snapshot& snapshot, const Camera& camera, Index particle) {
    const glm::vec3 eye = camera.eye(), to = particlePosition(snapshot, particle) - eye;
    const float distance = glm::length(to), margin = 0.01f * distance;
    const Ray ray{eye, to / distance};
    const auto hit = pickRay(snapshot, ray);
    return (!hit || hit->distance > distance - margin) && !colliderHit(snapshot, ray, distance - margin);
}

std::optional<Pick> pickNear(const Snapshot& snapshot, const Camera& camera, const Viewport& viewport, glm::vec2 pixel,
                             float tolerance) {
    std::vector<std::uint8_t> drawn(std::size_t(snapshot.mesh->particles), 0);  // not those that are torn off
    for (const geometry::Triangle& t : snapshot.mesh->triangles)
        for (const Index corner : t) drawn[corner] = 1;
    std::vector<std::pair<float, Index>> candidates;
    for (Index i = 0; i < snapshot.mesh->particles; ++i)
        if (const auto at = drawn[i] == 0 ? std::nullopt : camera.toPixel(particlePosition(snapshot, i), viewport))
            if (const float d = glm::distance(*at, pixel); d <= tolerance) candidates.emplace_back(d, i);
    constexpr std::size_t kTried = 6;
    const auto last = candidates.begin() + std::ptrdiff_t(std::min(kTried, candidates.size()));
    std::partial_sort(candidates.begin(), last, candidates.end());
    for (auto it = candidates.begin(); it != last; ++it)
        if (visible(snapshot, camera, it->second)) {
            const glm::vec3 p = particlePosition(snapshot, it->second);
            return Pick{.particle = it->second,
                        .point = p,
                        .distance = glm::distance(p, camera.eye()),
                        .topologyRevision = snapshot.mesh->revision};
        }
    return std::nullopt;
}

}  // namespace

std::optional<Pick> pickRay(const Snapshot& snapshot, const Ray& ray) {
    if (!snapshot.mesh || snapshot.positions.size() < 3 * std::size_t(snapshot.mesh->particles)) return {};
    Meeting nearest;
    const geometry::Triangle* hit = nullptr;
    for (const auto& t : snapshot.mesh->triangles) {
        const Meeting here = hitTriangle(ray, particlePosition(snapshot, t[0]), particlePosition(snapshot, t[1]),
                                         particlePosition(snapshot, t[2]));
        if (here.distance < nearest.distance) {
            nearest = here;
            hit = &t;
        }
    }
    if (hit == nullptr) return std::nullopt;
    const glm::vec3 point = ray.at(nearest.distance);
    return Pick{.particle = nearestCorner(snapshot, *hit, point),
                .point = point,
                .distance = nearest.distance,
                .topologyRevision = snapshot.mesh->revision,
                .corners = *hit,
                .shares = {1 - nearest.u - nearest.v, nearest.u, nearest.v}};
}

std::optional<glm::vec3> Pick::placeIn(const Snapshot& snapshot) const {
    if (corners[0] < 0 || !snapshot.mesh || snapshot.mesh->revision != topologyRevision) return {};
    glm::vec3 place{0};
    for (int k = 0; k < 3; ++k) place += shares[k] * particlePosition(snapshot, corners[k]);
    return place;
}

std::optional<Pick> pick(const Snapshot& snapshot, const Camera& camera, const Viewport& viewport, glm::vec2 pixel,
                         float tolerance) {
    if (!viewport.contains(pixel) || !snapshot.mesh) return std::nullopt;
    const Ray ray = camera.rayThrough(pixel, viewport);
    const auto hit = pickRay(snapshot, ray);
    if (!hit) return snapshot.positions.empty() ? hit : pickNear(snapshot, camera, viewport, pixel, tolerance);
    // Cloth lying on a solid sinks into it by less than this.
    constexpr float kRestingMargin = 0.02f;  // m
    if (colliderHit(snapshot, ray, hit->distance - kRestingMargin)) return std::nullopt;
    return hit;
}

std::optional<ColliderHit> colliderHit(const Snapshot& snapshot, const Ray& ray, float maxDistance) {
    if (!snapshot.mesh) return std::nullopt;
    std::optional<ColliderHit> best;
    const std::size_t count = std::min(snapshot.mesh->colliders.size(), snapshot.colliderPoses.size());
    for (std::size_t k = 0; k < count; ++k) {
        const auto& pose = snapshot.colliderPoses[k];
        const Eigen::Quaterniond toLocal = pose.orientation.conjugate();
        const float most = best ? std::min(maxDistance, best->distance) : maxDistance;
        // Sphere tracing: the signed distance is a safe step. Grazing rays give up after a while.
        float t = 0;
        for (int i = 0; i < 128 && t < most; ++i) {
            const glm::vec3 p = ray.at(t);
            const double d = geometry::signedDistance(snapshot.mesh->colliders[k].shape,
                                                      toLocal * (Vec3(p.x, p.y, p.z) - pose.position))
                                 .distance;
            if (d < 1e-4) {
                best = {Index(k), t};
                break;
            }
            t += float(d);
        }
    }
    return best;
}

std::optional<ColliderHit> pickCollider(const Snapshot& snapshot, const Camera& camera, const Viewport& viewport,
                                        glm::vec2 pixel) {
    if (!viewport.contains(pixel) || !snapshot.mesh) return {};
    const Ray ray = camera.rayThrough(pixel, viewport);
    const auto cloth = pickRay(snapshot, ray);
    const auto hit = colliderHit(snapshot, ray, cloth ? cloth->distance : std::numeric_limits<float>::infinity());
    if (!hit || !integrators::canBeGrabbed(snapshot.mesh->colliders[hit->collider])) return {};
    return hit;
}

}  // namespace clothlab::app::render
