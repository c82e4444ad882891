#include "render/overlay_marks.hpp"

#include <algorithm>

#include "render/positions.hpp"

namespace clothlab::app::render {

using worker::Snapshot;

namespace {

constexpr float kSpringWidth = 1.5f, kShearWidth = 1.1f, kBendWidth = 3.6f, kWireWidth = 1.0f, kThreadWidth = 1.2f,
                kContactRadius = 2.6f, kPinRadius = 5.5f,
                kRingRadius = 6.5f;                  // points
constexpr float kGuideLength = 15, kGuideWidth = 2;  // points
constexpr float kRoomySpacing = 14;  // points from particle to particle at which lines have their full width
constexpr float kStrokeLength = 3;   // points that a near pair is apart to be drawn
constexpr float kLineSpacing = 16;   // points from which the strain of single springs can be told apart

bool holds(const Snapshot& snapshot, Index particle) { return particle >= 0 && particle < snapshot.mesh->particles; }

/// Pixels from a particle to the next, as seen from here: of some stretch springs in the mean.
float spacingOnScreen(const Snapshot& snapshot, const ViewState& view) {
    constexpr std::size_t kSamples = 32;
    const auto& list = snapshot.mesh->springs;
    float sum = 0;
    int count = 0;
    for (std::size_t k = 0; k < list.size(); k += std::max<std::size_t>(1, list.size() / kSamples)) {
        if (list[k].family != cloth::SpringFamily::Stretch) continue;
        const glm::vec3 a = particlePosition(snapshot, list[k].i), b = particlePosition(snapshot, list[k].j);
        const float metres = view.camera.metresPerPixel(a, view.viewport);
        if (!(metres > 0)) continue;
        sum += glm::distance(a, b) / metres;
        ++count;
    }
    return count > 0 ? sum / float(count) : 0;
}

/// Bend springs lie on stretch springs and on each other: they are drawn as wide bands under them, each around its
/// middle.
template <class Drawn, class Color>
void springs(const Snapshot& snapshot, const ViewState& view, MarkBatch& batch, Drawn drawn, Color color) {
    using enum cloth::SpringFamily;
    // Closer than this the lines would cover what is between them: they are thinner then.
    const float thin = std::clamp(spacingOnScreen(snapshot, view) / (kRoomySpacing * view.contentScale), 0.4f, 1.0f);
    const auto& list = snapshot.mesh->springs;
    for (const cloth::SpringFamily family : {Bend, Shear, Stretch}) {
        if (!view.showSprings[int(family)]) continue;
        const float cut = family == Bend ? 0.3f : 0.0f;
        const float width = (family == Bend    ? kBendWidth
                             : family == Shear ? kShearWidth
                                               : kSpringWidth) *
                            view.contentScale * thin;
        for (std::size_t k = 0; k < list.size(); ++k) {
            if (list[k].family != family || !drawn(k)) continue;
            const glm::vec3 a = particlePosition(snapshot, list[k].i), b = particlePosition(snapshot, list[k].j);
            batch.line(glm::mix(a, b, cut), glm::mix(b, a, cut), color(k), width);
        }
    }
}

void wireframe(const Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch) {
    for (const cloth::Spring& s : snapshot.mesh->springs)
        if (s.family == cloth::SpringFamily::Stretch)
            batch.line(particlePosition(snapshot, s.i), particlePosition(snapshot, s.j), colors.wire,
                       kWireWidth * view.contentScale);
}

/// Those that are long enough to be seen.
void sewingThreads(const Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch) {
    for (const auto& [i, j] : snapshot.mesh->threads) {
        const glm::vec3 a = particlePosition(snapshot, i), b = particlePosition(snapshot, j);
        if (glm::distance(a, b) > kStrokeLength * view.contentScale * view.camera.metresPerPixel(a, view.viewport))
            batch.line(a, b, colors.thread, kThreadWidth * view.contentScale);
    }
}

/// A stroke along the line, or a small square in the plane, on which a pin lets its particle slide.
void pinGuides(const Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch) {
    for (const Snapshot::PinGuide& guide : snapshot.pinGuides) {
        if (!holds(snapshot, guide.particle)) continue;
        const glm::vec3 p = particlePosition(snapshot, guide.particle);
        const glm::vec3 d{guide.direction[0], guide.direction[1], guide.direction[2]};
        const float length = kGuideLength * view.contentScale * view.camera.metresPerPixel(p, view.viewport);
        const float width = kGuideWidth * view.contentScale;
        if (guide.ndof == 1) {
            batch.line(p - length * d, p + length * d, colors.pin, width);
            continue;
        }
        const glm::vec3 off = std::abs(d.x) < 0.9f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
        const glm::vec3 a = length * glm::normalize(glm::cross(d, off)), b = glm::cross(d, a);
        const glm::vec3 corners[]{p + a + b, p - a + b, p - a - b, p + a - b};
        for (int k = 0; k < 4; ++k) batch.line(corners[k], corners[(k + 1) % 4], colors.pin, width);
    }
}

}  // namespace

bool strainMarks(const Snapshot& snapshot, const ViewState& view, const SceneColors&, MarkBatch& batch) {
    if (snapshot.springStrain.size() != snapshot.mesh->springs.size()) return false;
    if (spacingOnScreen(snapshot, view) < kLineSpacing * view.contentScale)
        return true;  // the cloth's own colours say it
    ViewState near = view;
    near.showSprings[int(cloth::SpringFamily::Stretch)] = near.showSprings[int(cloth::SpringFamily::Shear)] = true;
    near.showSprings[int(cloth::SpringFamily::Bend)] = false;
    springs(
        snapshot, near, batch, [](std::size_t) { return true; },
        [&](std::size_t k) { return withAlpha(strainColor(snapshot.springStrain[k], snapshot.strainEnd)); });
    return true;
}

bool stressMarks(const Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch) {
    if (snapshot.springStrain.size() != snapshot.mesh->springs.size()) return false;
    ViewState near = view;
    near.showSprings[int(cloth::SpringFamily::Stretch)] = near.showSprings[int(cloth::SpringFamily::Shear)] = true;
    near.showSprings[int(cloth::SpringFamily::Bend)] = false;
    springs(
        snapshot, near, batch, [&](std::size_t k) { return snapshot.springStrain[k] > scene::kStressedStrain; },
        [&](std::size_t) { return colors.error; });
    return true;
}

bool springStateMarks(const Snapshot& snapshot, const ViewState& view, const SceneColors&, MarkBatch& batch) {
    if (snapshot.springState.size() != snapshot.mesh->springs.size()) return false;
    for (const bool active : {false, true})  // what works lies on top of what does not
        springs(
            snapshot, view, batch,
            [&](std::size_t k) { return ((snapshot.springState[k] & cloth::kSpringActive) != 0) == active; },
            [&](std::size_t k) { return withAlpha(springStateColor(snapshot.springState[k]), active ? 255 : 110); });
    return true;
}

bool contactMarks(const Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch) {
    for (const Snapshot::Contact& c : snapshot.contacts) {
        if (!holds(snapshot, c.particle)) continue;
        const glm::vec3 p = particlePosition(snapshot, c.particle), n{c.normal[0], c.normal[1], c.normal[2]};
        const float length = 16 * view.contentScale * view.camera.metresPerPixel(p, view.viewport);
        batch.line(p, p + length * n, colors.normal, 1.25f * view.contentScale);
        batch.point(p, kContactRadius * view.contentScale, withAlpha(ndofColor(c.ndof)), colors.markRim);
    }
    return true;
}

/// Where the sides of near pairs are closest, once they can be seen: from afar they are shorter than a mark is wide.
bool nearMarks(const Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch) {
    for (const auto& [ax, ay, az, bx, by, bz] : snapshot.selfContact.nears) {
        const glm::vec3 a{ax, ay, az}, b{bx, by, bz};
        if (glm::distance(a, b) > kStrokeLength * view.contentScale * view.camera.metresPerPixel(a, view.viewport))
            batch.line(a, b, colors.normal, 1.25f * view.contentScale);
    }
    return true;
}

bool intersectionMarks(const Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch) {
    const auto side = [&](Index i, Index j, float width) {
        if (!holds(snapshot, i) || !holds(snapshot, j)) return;
        batch.line(particlePosition(snapshot, i), particlePosition(snapshot, j), colors.error,
                   width * view.contentScale);
    };
    std::vector<Index> particles;
    for (const auto& [edge, t] : snapshot.intersections.pairs) {
        side(edge[0], edge[1], 2.6f);
        for (int k = 0; k < 3; ++k) side(t[k], t[(k + 1) % 3], 1.2f);
        particles.insert(particles.end(), {edge[0], edge[1], t[0], t[1], t[2]});
    }
    std::ranges::sort(particles);
    particles.erase(std::unique(particles.begin(), particles.end()), particles.end());
    for (const Index i : particles)
        if (holds(snapshot, i))
            batch.point(particlePosition(snapshot, i), kContactRadius * view.contentScale, colors.error, {0, 0, 0, 0});
    return true;
}

void collectOverlay(const Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch) {
    batch.clear();
    sewingThreads(snapshot, view, colors, batch);
    const OverlayMarks marks = overlayMarks(view.overlay);
    const bool bySpring = isBySpring(view.overlay);  // these lines lie where the edges would
    const bool drawn = bySpring && marks(snapshot, view, colors, batch);
    if (view.wireframe && !drawn) wireframe(snapshot, view, colors, batch);
    if (marks && !bySpring) marks(snapshot, view, colors, batch);
}

namespace {

/// Pixels. Pins of a row do not grow into a chain of beads, however large the marks are.
float pinRadius(const Snapshot& snapshot, const ViewState& view, std::size_t k) {
    constexpr float kApart = 0.42f, kLeast = 0.45f;  // of the way to the next one; of the usual radius
    float radius = kPinRadius * view.contentScale;
    const auto at = view.camera.toPixel(particlePosition(snapshot, snapshot.pins[k]), view.viewport);
    const auto keepFrom = [&](std::size_t other) {
        if (other >= snapshot.pins.size() || !holds(snapshot, snapshot.pins[other])) return;
        if (const auto next = view.camera.toPixel(particlePosition(snapshot, snapshot.pins[other]), view.viewport))
            radius = std::min(radius, kApart * glm::length(*next - *at));
    };
    if (at) keepFrom(k + 1), keepFrom(k - 1);
    return std::max(radius, kLeast * kPinRadius * view.contentScale);
}

}  // namespace

void collectHandles(const Snapshot& snapshot, const ViewState& view, const SceneColors& colors, MarkBatch& batch) {
    batch.clear();
    const float scale = view.contentScale;
    if (view.showPins) {
        pinGuides(snapshot, view, colors, batch);
        for (std::size_t k = 0; k < snapshot.pins.size(); ++k)
            if (holds(snapshot, snapshot.pins[k]))
                batch.point(particlePosition(snapshot, snapshot.pins[k]), pinRadius(snapshot, view, k), colors.pin,
                            colors.pinRim);
    }
    const auto& [one, other] = view.linked;
    if (holds(snapshot, one) && holds(snapshot, other)) {
        if (one != other)
            batch.line(particlePosition(snapshot, one), particlePosition(snapshot, other), colors.grab, 3 * scale);
        for (const Index particle : {one, other})
            batch.point(particlePosition(snapshot, particle), 5 * scale, colors.grab, {0, 0, 0, 0});
    }
    if (holds(snapshot, view.hovered) && !snapshot.grabActive)
        batch.point(particlePosition(snapshot, view.hovered), 5 * scale, colors.grab, {0, 0, 0, 0}, 3.6f * scale);
    if (!snapshot.grabActive || !holds(snapshot, snapshot.grabParticle)) return;
    const glm::vec3 p = particlePosition(snapshot, snapshot.grabParticle);
    const glm::vec3 target{snapshot.grabTarget[0], snapshot.grabTarget[1], snapshot.grabTarget[2]};
    batch.line(p, target, colors.grab, 1.75f * scale, 7 * scale);
    batch.point(p, kRingRadius * scale, colors.grab, {0, 0, 0, 0}, (kRingRadius - 2.2f) * scale);
    batch.point(target, 2.2f * scale, colors.grab, {0, 0, 0, 0});
}

}  // namespace clothlab::app::render
