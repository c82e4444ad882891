#include "scene/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/splitmix.hpp"
#include "scene/scene_fields.hpp"

namespace clothlab::scene {
namespace {

/// Uniform in [-1, 1).
double noiseOf(std::uint64_t seed, std::uint64_t number) {
    return 2 * splitmixUnit(seed * 0x9e3779b97f4a7c15ull + (number + 1) * 0xd1342543de82ef95ull) - 1.0;
}

double spacingOf(const ClothPatch& cloth) { return cloth.side / (cloth.columns - 1); }

/// Places of the columns in the plane of column axis and normal, in units of the spacing.
struct Profile {
    std::vector<double> along, across;
};

/// Segments of unit length whose slope swings as amplitude * cos(2 pi pleats s): any amplitude keeps all lengths, so
/// the cloth is folded, not strained.
Profile pleated(const ClothPatch& cloth, double amplitude) {
    Profile p{{0.0}, {0.0}};
    const int segments = cloth.columns - 1;
    for (int k = 0; k < segments; ++k) {
        const double slope = amplitude * std::cos(2 * std::numbers::pi * cloth.pleats * (k + 0.5) / segments);
        p.along.push_back(p.along.back() + std::cos(slope));
        p.across.push_back(p.across.back() + std::sin(slope));
    }
    return p;
}

/// The profile whose width is `gather` times the side.
Profile profileOf(const ClothPatch& cloth) {
    if (cloth.gather >= 1) return pleated(cloth, 0);
    double low = 0, high = 2;  // radians; the width falls with the amplitude
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        const bool wide = pleated(cloth, middle).along.back() > cloth.gather * (cloth.columns - 1);
        (wide ? low : high) = middle;
    }
    return pleated(cloth, low);
}

/// origin + spacing * (along(c) columnAxis + across(c) normal + r rowAxis)
linalg::BlockVector layOut(const ClothPatch& cloth, const Profile& profile) {
    linalg::BlockVector x(Index(cloth.rows) * cloth.columns);
    const double spacing = spacingOf(cloth);
    const Vec3 along = cloth.columnAxis.normalized(), down = cloth.rowAxis.normalized(),
               normal = along.cross(down).normalized();
    for (int r = 0; r < cloth.rows; ++r)
        for (int c = 0; c < cloth.columns; ++c) {
            const auto k = std::size_t(c);
            x[Index(r) * cloth.columns + c] =
                cloth.origin + spacing * (profile.along[k] * along + profile.across[k] * normal + r * down);
        }
    return x;
}

Expected<void> checkCloths(const Scene& scene) {
    if (scene.cloths.empty()) return fail("the scene has no cloth");
    long particles = 0;
    for (const ClothPatch& cloth : scene.cloths) {
        if (cloth.rows < 2 || cloth.columns < 2) return fail("a cloth needs at least 2 rows and 2 columns");
        if (const ClothFault fault = findFault(cloth); !fault.key.empty()) return fail(fault.message);
        particles += long{cloth.rows} * cloth.columns;
    }
    if (particles > kMaxParticles) return fail(fmt::format("the scene has more than {} particles", kMaxParticles));
    return {};
}

void appendCloth(const ClothPatch& cloth, const cloth::MaterialSettings& material, World& world) {
    const geometry::GridPatch grid{cloth.rows, cloth.columns};
    cloth::appendGrid(*world.model, grid, cloth.topology, spacingOf(cloth), layOut(cloth, pleated(cloth, 0)), material);
}

/// Start positions and velocities: pleats, the noise of each cloth along its normal, its velocity. Rest lengths come
/// from the flat cloth, so noise strains it a little, and pleats unfold, instead of becoming its shape.
void startMotion(const Scene& scene, const std::vector<char>& pinned, World& world) {
    integrators::SimulationState& s = world.start;
    s.x.resize(world.model->particles());
    s.v.resize(world.model->particles());
    for (std::size_t k = 0; k < scene.cloths.size(); ++k) {
        const ClothPatch& cloth = scene.cloths[k];
        const Index first = world.model->patches[k].firstParticle;
        const Vec3 normal = cloth.columnAxis.cross(cloth.rowAxis).normalized();
        const linalg::BlockVector calm = layOut(cloth, profileOf(cloth));
        for (Index i = 0; i < calm.size(); ++i) {
            s.x[first + i] = calm[i];
            const auto seed = std::uint64_t(cloth.noiseSeed);
            if (cloth.noise > 0 && !pinned[first + i])
                s.x[first + i] += cloth.noise * noiseOf(seed, std::uint64_t(i)) * normal;
            s.v[first + i] = pinned[first + i] ? Vec3(Vec3::Zero()) : cloth.velocity;
        }
    }
}

/// Particles of a range in the numbering of the world.
Expected<std::vector<Index>> particlesOf(const ParticleRange& range, const Scene& scene, const World& world,
                                         std::string_view what) {
    if (range.cloth < 0 || range.cloth >= int(scene.cloths.size()))
        return fail(fmt::format("{}: there is no cloth {}", what, range.cloth));
    const auto k = std::size_t(range.cloth);
    auto particles = resolve(range, scene.cloths[k]);
    if (!particles) {
        particles.error().message = fmt::format("{}: {}", what, particles.error().message);
        return particles;
    }
    for (Index& i : *particles) i += world.model->patches[k].firstParticle;
    return particles;
}

/// Which particles are pinned, one flag each.
Expected<std::vector<char>> pinnedOf(const Scene& scene, const World& world) {
    std::vector<char> pinned(world.model->particles(), 0);
    for (const ParticleRange& range : scene.pins) {
        const auto particles = particlesOf(range, scene, world, "pins");
        if (!particles) return tl::unexpected(particles.error());
        for (const Index i : *particles) pinned[i] = 1;
    }
    return pinned;
}

/// A pinned particle stays where it starts, at rest and without noise.
void pin(const std::vector<char>& pinned, World& world) {
    for (Index i = 0; i < world.model->particles(); ++i)
        if (pinned[i]) world.start.pins.push_back({i, world.start.x[i]});
}

Expected<void> addPointForces(const Scene& scene, World& world) {
    for (const ScenePointForce& point : scene.pointForces) {
        const auto particles = particlesOf(point.where, scene, world, "point_force");
        if (!particles) return tl::unexpected(particles.error());
        for (const Index i : *particles) world.pointForces.push_back({i, point.force});
    }
    return {};
}

Error inFile(Error error, const Scene& scene) {
    if (error.file.empty()) error.file = scene.file;
    return error;
}

}  // namespace

std::vector<cloth::MaterialSettings> materialsOf(const Scene& scene, const Settings& settings) {
    std::vector<cloth::MaterialSettings> materials;
    for (const ClothPatch& cloth : scene.cloths) materials.push_back(cloth.material.value_or(settings.material));
    return materials;
}

Expected<World> buildWorld(const Scene& scene) {
    if (auto done = checkCloths(scene); !done) return fail(inFile(done.error(), scene));
    World world;
    world.model = std::make_unique<cloth::ClothModel>();
    const auto materials = materialsOf(scene, scene.settings);
    for (std::size_t k = 0; k < scene.cloths.size(); ++k) {
        const double mass = std::max(materials[k].density, materials[k].particleMass);
        if (!(mass > 0))
            return fail(inFile(Error{.message = "material: neither density nor particle_mass is given"}, scene));
        appendCloth(scene.cloths[k], materials[k], world);
    }
    const auto pinned = pinnedOf(scene, world);
    if (!pinned) return fail(inFile(pinned.error(), scene));
    startMotion(scene, *pinned, world);
    pin(*pinned, world);
    if (auto done = addPointForces(scene, world); !done) return fail(inFile(done.error(), scene));
    world.colliders = scene.colliders;
    return world;
}

}  // namespace clothlab::scene
