#include "render/scene_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/shapes.hpp"
#include "render/glm_vectors.hpp"
#include "render/positions.hpp"

namespace clothlab::app::render {

using worker::Snapshot;

namespace {

struct Extent {
    glm::vec3 low{std::numeric_limits<float>::max()}, high{std::numeric_limits<float>::lowest()};

    void add(glm::vec3 p, float radius = 0) {
        low = glm::min(low, p - radius);
        high = glm::max(high, p + radius);
    }
    bool empty() const { return low.x > high.x; }
};

Index particleCount(const Snapshot& snapshot) { return Index(snapshot.positions.size() / 3); }

bool finite(glm::vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

const Sphere3 kEverything{glm::vec3(0), kNoEnd};

Extent clothExtent(const Snapshot& snapshot, const Sphere3& world) {
    Extent extent;
    for (Index i = 0; i < particleCount(snapshot); ++i)
        if (const glm::vec3 p = particlePosition(snapshot, i); finite(p) && isWithin(world, p)) extent.add(p);
    return extent;
}

/// Half the height of a solid at rest in its pose: exact for boxes, the sphere around it for the rest.
float halfHeight(const contact::Collider& collider, const contact::ColliderPose& pose) {
    const Vec3 up = pose.orientation.conjugate() * Vec3::UnitY();
    if (const auto* box = std::get_if<geometry::Box>(&collider.shape)) return float(up.cwiseAbs().dot(box->halfSize));
    if (const auto* c = std::get_if<geometry::Cylinder>(&collider.shape))
        return float(std::abs(up.y()) * c->halfHeight + std::hypot(up.x(), up.z()) * c->radius);
    if (const auto* c = std::get_if<geometry::Capsule>(&collider.shape))
        return float(std::abs(up.y()) * c->halfHeight + c->radius);
    return float(geometry::boundingRadius(collider.shape));
}

Extent solidExtent(const Snapshot& snapshot, const Sphere3& world) {
    Extent extent;
    const std::size_t count = std::min(snapshot.mesh->colliders.size(), snapshot.colliderPoses.size());
    for (std::size_t k = 0; k < count; ++k) {
        const contact::Collider& collider = snapshot.mesh->colliders[k];
        const float r = float(geometry::boundingRadius(collider.shape));
        if (!std::isfinite(r)) continue;
        const glm::vec3 p = toGlm(snapshot.colliderPoses[k].position);
        if (!isWithin(world, p, r)) continue;
        const float h = halfHeight(collider, snapshot.colliderPoses[k]);
        extent.add(p + glm::vec3(0, h, 0));
        extent.add(p - glm::vec3(0, h, 0));
        extent.add({p.x - r, p.y, p.z - r});
        extent.add({p.x + r, p.y, p.z + r});
    }
    return extent;
}

/// 1, 2 or 5 times a power of ten, nearest below.
float niceBelow(float x) {
    const float decade = std::pow(10.0f, std::floor(std::log10(std::max(x, 1e-4f))));
    return x >= 5 * decade ? 5 * decade : x >= 2 * decade ? 2 * decade : decade;
}

}  // namespace

bool frontFacesCamera(const Snapshot& first) {
    // A closed surface shows the camera as much of its back as of its front: the outside is the face.
    const auto& patches = first.mesh->patches;
    if (std::any_of(patches.begin(), patches.end(), [](const auto& patch) { return patch.isSolid(); })) return true;
    const glm::vec3 toEye = -Camera::fromHint(first.mesh->camera).forward();
    float seen = 0;
    for (const auto& t : first.mesh->triangles) {
        for (const Index corner : t)
            if (corner >= particleCount(first)) return true;
        const glm::vec3 a = particlePosition(first, t[0]), b = particlePosition(first, t[1]),
                        c = particlePosition(first, t[2]);
        seen += glm::dot(glm::cross(b - a, c - a), toEye);
    }
    return !(seen < 0);
}

float largestSpacing(const worker::MeshTopology& mesh) {
    double spacing = 0;
    for (const cloth::Spring& s : mesh.springs)
        if (s.family == cloth::SpringFamily::Stretch) spacing = std::max(spacing, s.restLength);
    return spacing > 0 ? float(spacing) : 0.02f;
}

SceneFit fitScene(const Snapshot& snapshot) {
    SceneFit fit;
    if (!snapshot.mesh) return fit;
    const scene::CameraHint& hint = snapshot.mesh->camera;
    fit.centre = toGlm(hint.target);
    const Sphere3 bounds = boundsNow(snapshot, kEverything);
    fit.radius = std::max({bounds.radius, 0.25f * float(hint.distance), 0.05f});
    fit.cell = niceBelow(0.36f * fit.radius);
    const float azimuth = glm::radians(float(hint.azimuth) - 58.0f), elevation = glm::radians(44.0f);
    fit.toLight = {std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                   std::cos(azimuth) * std::cos(elevation)};
    return fit;
}

/// Pixels from `low` to `high`; empty (low > high) of nothing.
struct PixelBox {
    glm::vec2 low{std::numeric_limits<float>::max()}, high{std::numeric_limits<float>::lowest()};

    bool within(const PixelBox& room) const {
        return glm::all(glm::greaterThanEqual(low, room.low)) && glm::all(glm::lessThanEqual(high, room.high));
    }
};

/// Nothing where a point is behind the eye.
static std::optional<PixelBox> boundingBox(const Camera& camera, std::span<const float> positions,
                                           const Viewport& viewport) {
    PixelBox box;
    for (std::size_t i = 0; i + 2 < positions.size(); i += 3) {
        const glm::vec3 p(positions[i], positions[i + 1], positions[i + 2]);
        if (!finite(p)) continue;
        const auto pixel = camera.toPixel(p, viewport);
        if (!pixel) return {};
        box.low = glm::min(box.low, *pixel), box.high = glm::max(box.high, *pixel);
    }
    return box;
}

static Camera seeingWithin(Camera camera, std::span<const float> positions, const Viewport& viewport,
                           const PixelBox& room) {
    constexpr int kRounds = 12;  // perspective: what is centred and scaled once is so only nearly
    for (int round = 0; round < kRounds; ++round) {
        const auto box = boundingBox(camera, positions, viewport);
        if (!box) {
            camera.zoom(-4);
            continue;
        }
        if (box->low.x > box->high.x || box->within(room)) return camera;
        camera.pan(0.5f * (room.low + room.high) - 0.5f * (box->low + box->high), viewport);
        const glm::vec2 grow = (box->high - box->low) / (room.high - room.low);
        camera.distance *= std::max({grow.x, grow.y, 1.0f}) * 1.01f;
    }
    return camera;
}

Camera seeing(const Camera& camera, std::span<const float> positions, const Viewport& viewport,
              const Covered& covered) {
    constexpr float kRim = 0.04f;  // of the picture, on each side
    constexpr float kMost = 0.5f;  // of the picture that is given up
    const glm::vec2 origin(float(viewport.x), float(viewport.y)), size(float(viewport.width), float(viewport.height));
    const float words = std::min(covered.top, kMost * size.y);
    const glm::vec2 corner = glm::min(covered.corner, kMost * size);
    const PixelBox all{origin + glm::max(kRim * size, glm::vec2(0, words)), origin + (1 - kRim) * size};
    const PixelBox above{all.low, {all.high.x, std::min(all.high.y, origin.y + size.y - corner.y)}};
    const PixelBox beside{{std::max(all.low.x, origin.x + corner.x), all.low.y}, all.high};
    const auto box = boundingBox(camera, positions, viewport);
    if (box && (box->within(above) || box->within(beside))) return camera;
    const Camera one = seeingWithin(camera, positions, viewport, above),
                 other = seeingWithin(camera, positions, viewport, beside);
    return one.distance <= other.distance ? one : other;
}

bool isWithin(const Sphere3& world, const glm::vec3& place, float radius) {
    return glm::distance(place, world.centre) - radius <= world.radius;
}

Sphere3 worldNow(const SceneFit& fit, const Snapshot& snapshot) {
    const Sphere3 world{fit.centre, kWorld * fit.radius};
    for (Index i = 0; i < particleCount(snapshot); ++i)
        if (isWithin(world, particlePosition(snapshot, i))) return world;
    return kEverything;
}

Sphere3 boundsNow(const Snapshot& snapshot, const Sphere3& world) {
    Extent all = clothExtent(snapshot, world);
    if (snapshot.mesh)
        if (const Extent solids = solidExtent(snapshot, world); !solids.empty()) {
            all.add(solids.low);
            all.add(solids.high);
        }
    if (all.empty()) return {};
    return {0.5f * (all.low + all.high), std::max(0.5f * glm::length(all.high - all.low), 0.01f)};
}

std::vector<float> shownPositions(const Snapshot& snapshot, const Sphere3& world) {
    std::vector<float> shown;
    const auto add = [&](const std::vector<float>& positions) {
        for (std::size_t i = 0; i + 2 < positions.size(); i += 3)
            if (isWithin(world, {positions[i], positions[i + 1], positions[i + 2]}))
                shown.insert(shown.end(), {positions[i], positions[i + 1], positions[i + 2]});
    };
    add(snapshot.positions);
    for (std::size_t k = 0; k < snapshot.ghosts(); ++k) add(snapshot.ghostAt(k).positions);
    return shown;
}

}  // namespace clothlab::app::render
