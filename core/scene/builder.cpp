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

/// Of a velocity (m/s) what a pin leaves.
Vec3 freePart(const integrators::PinHold& hold, const Vec3& velocity) {
    const Vec3 along = hold.direction.dot(velocity) * hold.direction;
    return hold.ndof == 0 ? Vec3::Zero() : hold.ndof == 1 ? along : Vec3(velocity - along);
}

Vec3 middleOf(const linalg::BlockVector& x, std::span<const Index> particles) {
    Vec3 sum = Vec3::Zero();
    for (const Index i : particles) sum += x[i];
    return sum / double(particles.size());
}

/// Start positions and velocities: pleats, the noise of each cloth along its normal, its velocity. Rest lengths come
/// from the flat cloth, so noise strains it a little, and pleats unfold, instead of becoming its shape.
void startMotion(const Scene& scene, const std::vector<int>& pinned, World& world) {
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
            const int pin = pinned[first + i];
            if (cloth.noise > 0 && pin < 0) s.x[first + i] += cloth.noise * noiseOf(seed, std::uint64_t(i)) * normal;
            s.v[first + i] = pin < 0 ? cloth.velocity : freePart(scene.pins[pin].hold, cloth.velocity);
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

/// By which of the scene's pins each particle is held; -1: by none.
Expected<std::vector<int>> pinnedOf(const Scene& scene, const World& world) {
    std::vector<int> pinned(world.model->particles(), -1);
    for (std::size_t k = 0; k < scene.pins.size(); ++k) {
        const ScenePin& pin = scene.pins[k];
        const auto particles = particlesOf(pin.where, scene, world, "pins");
        if (!particles) return tl::unexpected(particles.error());
        for (const Index i : *particles) {
            if (pinned[i] >= 0)
                if (const ScenePin& other = scene.pins[pinned[i]]; other.hold != pin.hold || other.motion != pin.motion)
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
    for (std::size_t k = 0; k < scene.pins.size(); ++k) {
        const ScenePin& pin = scene.pins[k];
        std::vector<Index> particles;
        for (Index i = 0; i < s.x.size(); ++i)
            if (pinned[i] == int(k)) particles.push_back(i);
        int motion = -1;
        if (pin.motion != mechanics::Motion{} && !particles.empty()) {
            motion = int(s.pinMotions.size());
            s.pinMotions.push_back(pin.motion);
            if (!pin.ownCenter) s.pinMotions.back().center = middleOf(s.x, particles);
        }
        for (const Index i : particles) s.pins.push_back({i, s.x[i], pin.hold, motion});
    }
    std::ranges::sort(s.pins, {}, &integrators::Pin::particle);
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
    pin(scene, *pinned, world);
    if (auto done = addPointForces(scene, world); !done) return fail(inFile(done.error(), scene));
    world.colliders = scene.colliders;
    return world;
}

}  // namespace clothlab::scene
