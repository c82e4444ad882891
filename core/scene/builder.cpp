#include "scene/builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/platform.hpp"
#include "base/splitmix.hpp"
#include "base/text.hpp"
#include "factors/ordering.hpp"
#include "geometry/fillings/lattice_filling.hpp"
#include "scene/field_cache.hpp"
#include "scene/numbering.hpp"
#include "scene/placement.hpp"
#include "scene/scene_fields.hpp"

namespace clothlab::scene {
namespace {

/// Uniform in [-1, 1).
double uniformNoise(std::uint64_t seed, std::uint64_t number) {
    return 2 * splitmixUnit(seed * 0x9e3779b97f4a7c15ull + (number + 1) * 0xd1342543de82ef95ull) - 1.0;
}

Expected<void> checkCloths(const Scene& scene) {
    if (scene.cloths.empty()) return fail("the scene has no cloth");
    long particles = 0;
    for (const ClothPatch& cloth : scene.cloths) {
        if (!cloth.mesh && !cloth.solid && (cloth.rows < 2 || cloth.columns < 2))
            return fail("a cloth needs at least 2 rows and 2 columns");
        if (const ClothFault fault = findFault(cloth); !fault.key.empty()) return fail(fault.message);
        particles += particleCount(cloth);
    }
    if (particles > kMaxParticles) return fail(fmt::format("the scene has more than {} particles", kMaxParticles));
    return {};
}

/// The order of a mesh's points in which neighbours have near numbers, whatever the file does: halos, chunks, domains
/// and factors without an order of their own live on a narrow band. A grid has one already.
std::vector<Index> narrowOrder(const geometry::TriangleMesh& mesh, std::span<const std::array<Index, 2>> seams) {
    const auto points = Index(mesh.points.size());
    std::vector<std::pair<Index, Index>> joined;
    for (const auto& [a, b] : seams) joined.emplace_back(a, b);
    for (const geometry::MeshEdge& edge : geometry::collectEdges(mesh.triangles, points)) {
        joined.emplace_back(edge.a, edge.b);
        if (edge.isHinge() && edge.opposite[0] != edge.opposite[1])
            joined.emplace_back(edge.opposite[0], edge.opposite[1]);
    }
    return factors::orderRows(*linalg::makePattern(points, joined), factors::Ordering::ReverseCuthillMcKee);
}

std::vector<Index> narrowOrder(const geometry::TetrahedralMesh& solid) {
    const auto pattern = linalg::makePattern(Index(solid.points.size()), geometry::collectEdges(solid.tetrahedra));
    return factors::orderRows(*pattern, factors::Ordering::ReverseCuthillMcKee);
}

/// Pairs of points of the mesh that are sewn together. Welding makes one of some, and others meet along an edge.
std::vector<std::array<Index, 2>> sewnPoints(const ClothPatch& cloth) {
    if (!cloth.sewing.on) return {};
    std::vector<std::array<Index, 2>> seams = cloth.mesh.content->seams;
    if (cloth.weld.distance == 0) return seams;
    const geometry::WeldedMesh& welded = cloth.weld.content->welded;
    std::vector<std::array<Index, 2>> edges;
    for (const geometry::MeshEdge& e : geometry::collectEdges(welded.mesh.triangles, Index(welded.mesh.points.size())))
        edges.push_back({e.a, e.b});
    for (std::array<Index, 2>& seam : seams) {
        for (Index& end : seam) end = welded.pointOf[end];
        std::ranges::sort(seam);
    }
    std::ranges::sort(seams);
    seams.erase(std::unique(seams.begin(), seams.end()), seams.end());
    std::erase_if(seams, [&](const std::array<Index, 2>& seam) {
        return seam[0] == seam[1] || std::ranges::binary_search(edges, seam);
    });
    return seams;
}

void addThreads(const ClothPatch& cloth, std::span<const std::array<Index, 2>> seams, std::span<const Index> order,
                cloth::ClothModel& model) {
    const Index first = model.patches.back().firstParticle;
    std::vector<Index> particleOf(order.size(), 0);
    for (Index k = 0; k < Index(order.size()); ++k) particleOf[order[k]] = first + k;
    for (const auto& [a, b] : seams) {
        const auto [i, j] = std::minmax({particleOf[a], particleOf[b]});
        model.threads.push_back({.i = i,
                                 .j = j,
                                 .length = (model.rest[j] - model.rest[i]).norm(),
                                 .time = cloth.sewing.time,
                                 .stiffness = cloth.sewing.stiffness,
                                 .spacing = model.patches.back().spacing,
                                 .welds = cloth.sewing.then == SewnAs::Weld});
    }
    std::ranges::sort(model.threads, {}, [](const cloth::SewingThread& t) { return std::pair{t.i, t.j}; });
}

void appendCloth(const ClothPatch& cloth, const cloth::MaterialSettings& material, World& world) {
    if (cloth.solid) {
        geometry::TetrahedralMesh solid = cloth.solid.content->mesh;
        const linalg::BlockVector rest = restPositions(cloth);
        for (Index i = 0; i < rest.size(); ++i) solid.points[i] = rest[i];
        cloth::appendSolid(*world.model, solid, narrowOrder(solid), material);
        return;
    }
    if (!cloth.mesh) {
        const geometry::GridPatch grid{cloth.rows, cloth.columns};
        cloth::appendGrid(*world.model, grid, cloth.topology, gridSpacing(cloth), restPositions(cloth), material,
                          columnPlaces(cloth));
        return;
    }
    geometry::TriangleMesh mesh = patchMesh(cloth);
    const linalg::BlockVector rest = restPositions(cloth);
    for (Index i = 0; i < rest.size(); ++i) mesh.points[i] = rest[i];
    const std::vector<std::array<Index, 2>> seams = sewnPoints(cloth);
    const std::vector<Index> order = narrowOrder(mesh, seams);
    cloth::appendMesh(*world.model, mesh, order, material);
    addThreads(cloth, seams, order, *world.model);
}

/// What a pin leaves of a velocity (m/s).
Vec3 freePart(const integrators::PinHold& hold, const Vec3& velocity) {
    const Vec3 along = hold.direction.dot(velocity) * hold.direction;
    return hold.ndof == 0 ? Vec3::Zero() : hold.ndof == 1 ? along : Vec3(velocity - along);
}

Vec3 computeCentroid(const linalg::BlockVector& x, std::span<const Index> particles) {
    Vec3 sum = Vec3::Zero();
    for (const Index i : particles) sum += x[i];
    return sum / double(particles.size());
}

/// Start positions and velocities: pleats, the noise of each cloth along its normal, its velocity. Rest lengths come
/// from the flat cloth, so noise strains it a little, and pleats unfold, instead of becoming its shape.
void startMotion(const Scene& scene, const Numbering& numbering, const std::vector<int>& pinned, World& world) {
    integrators::SimulationState& s = world.start;
    s.x.resize(world.model->particles());
    s.v.resize(world.model->particles());
    for (std::size_t k = 0; k < scene.cloths.size(); ++k) {
        const ClothPatch& cloth = scene.cloths[k];
        const std::vector<Vec3> normals = startNormals(cloth);
        const linalg::BlockVector calm = startPositions(cloth);
        for (Index i = 0; i < calm.size(); ++i) {
            const Index particle = numbering.particle(k, i);
            s.x[particle] = calm[i];
            const auto seed = std::uint64_t(cloth.noiseSeed);
            const int pin = pinned[particle];
            if (cloth.noise > 0 && pin < 0)
                s.x[particle] +=
                    cloth.noise * uniformNoise(seed, std::uint64_t(i)) * normals[normals.size() == 1 ? 0 : i];
            s.v[particle] = pin < 0 ? cloth.velocity : freePart(scene.pins[pin].hold, cloth.velocity);
        }
    }
}

/// Two pins that a particle may have both. Where they turn, each about the middle of its own particles, they differ.
bool sayTheSame(const ScenePin& a, const ScenePin& b) {
    const bool ownMiddles = !a.ownCenter && !a.motion.angularVelocity.isZero(0.0);
    return a.hold == b.hold && a.motion == b.motion && a.ownCenter == b.ownCenter && !ownMiddles;
}

/// By which of the scene's pins each particle is held; -1: by none.
Expected<std::vector<int>> pinByParticle(const Scene& scene, const Numbering& numbering, Index particles) {
    std::vector<int> pinned(particles, -1);
    for (std::size_t k = 0; k < scene.pins.size(); ++k) {
        const ScenePin& pin = scene.pins[k];
        const auto held = selectParticles(pin.where, scene, numbering, "pins");
        if (!held) return fail(held.error());
        for (const Index i : held->particles) {
            if (pinned[i] >= 0 && pinned[i] != int(k) && !sayTheSame(scene.pins[pinned[i]], pin))
                return fail(fmt::format("[[pins]] number {} and number {} hold a particle in different ways",
                                        pinned[i] + 1, k + 1));
            pinned[i] = int(k);
        }
    }
    return pinned;
}

/// A pinned particle begins where it is placed, without noise, and at rest but for what the pin leaves free.
void pin(const Scene& scene, const std::vector<int>& pinned, World& world) {
    integrators::SimulationState& s = world.start;
    std::vector<std::vector<Index>> held(scene.pins.size());
    for (Index i = 0; i < s.x.size(); ++i)
        if (pinned[i] >= 0) held[pinned[i]].push_back(i);
    for (std::size_t k = 0; k < scene.pins.size(); ++k) {
        const ScenePin& pin = scene.pins[k];
        const std::vector<Index>& particles = held[k];
        int motion = -1;
        if (pin.motion != mechanics::Motion{} && !particles.empty()) {
            motion = int(s.pinMotions.size());
            s.pinMotions.push_back(pin.motion);
            if (!pin.ownCenter) s.pinMotions.back().center = computeCentroid(s.x, particles);
        }
        for (const Index i : particles) s.pins.push_back({i, s.x[i], pin.hold, motion});
    }
    std::ranges::sort(s.pins, {}, &integrators::Pin::particle);
}

Expected<void> addPointForces(const Scene& scene, const Numbering& numbering, World& world) {
    for (const ScenePointForce& point : scene.pointForces) {
        const auto particles = selectParticles(point.where, scene, numbering, "point_force");
        if (!particles) return fail(particles.error());
        for (const Index i : particles->particles) world.pointForces.push_back({i, point.force});
    }
    return {};
}

Error inFile(Error error, const Scene& scene) {
    if (error.file.empty()) error.file = scene.file;
    return error;
}

}  // namespace

namespace {

/// The skin of the torso.
Expected<void> fillTorso(geometry::MeshSolid& solid) {
    constexpr double kSpacing = 0.02;  // m, at scale 1
    auto filled = geometry::fillBody(geometry::makeTorso(), {.spacing = kSpacing});
    if (!filled) return fail(filled.error());
    for (Vec3& point : filled->points) point *= solid.scale;
    solid.surface = std::make_shared<const geometry::TriangleMesh>(
        geometry::TriangleMesh{std::move(filled->points), std::move(filled->triangles), {}});
    return {};
}

}  // namespace

Expected<void> makeSolids(Scene& scene, const geometry::DistanceField::Progress& progress,
                          const std::stop_token& stop) {
    for (ClothPatch& cloth : scene.cloths)
        if (auto done = makeCloth(cloth); !done) return fail(inFile(done.error(), scene));
    const std::string cache = platform::userCacheFolder();
    for (contact::Collider& collider : scene.colliders)
        if (auto* mesh = std::get_if<geometry::MeshSolid>(&collider.shape); mesh && !mesh->field) {
            if (!mesh->surface)
                if (auto done = fillTorso(*mesh); !done) return fail(inFile(done.error(), scene));
            mesh->field = cachedField(*mesh, cache.empty() ? cache : cache + "/clothlab", progress, stop);
            if (!mesh->field) return fail("the distance field was not made to its end");
        }
    return {};
}

Expected<World> buildWorld(const Scene& wanted) {
    Scene scene = wanted;
    if (auto done = makeSolids(scene); !done) return fail(done.error());
    if (auto done = checkCloths(scene); !done) return fail(inFile(done.error(), scene));
    World world;
    world.model = std::make_unique<cloth::ClothModel>();
    for (std::size_t k = 0; k < scene.cloths.size(); ++k) {
        const cloth::MaterialSettings material = scene.cloths[k].material.value_or(scene.settings.material);
        const double density = scene.cloths[k].solid ? material.volumeDensity : material.density;
        if (!(std::max(density, material.particleMass) > 0))
            return fail(inFile(Error{.message = "material: neither density nor particle_mass is given"}, scene));
        appendCloth(scene.cloths[k], material, world);
    }
    auto layers = layRegions(scene, *world.model);
    if (!layers) return fail(inFile(layers.error(), scene));
    world.materials = std::move(*layers);
    cloth::applyMaterials(*world.model, makeMaterials(world.materials, scene));
    const Numbering numbering(*world.model);
    const auto pinned = pinByParticle(scene, numbering, world.model->particles());
    if (!pinned) return fail(inFile(pinned.error(), scene));
    startMotion(scene, numbering, *pinned, world);
    pin(scene, *pinned, world);
    if (auto done = addPointForces(scene, numbering, world); !done) return fail(inFile(done.error(), scene));
    world.colliders = scene.colliders;
    return world;
}

}  // namespace clothlab::scene
