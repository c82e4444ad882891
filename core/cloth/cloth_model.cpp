#include "cloth/cloth_model.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <atomic>
#include <cassert>

namespace clothlab::cloth {
namespace {

/// Unique among all models of the process, so that caches never take a new model for an old one at the same address.
/// The counter only tells models apart; no result depends on its value.
std::uint64_t nextRevision() {
    static std::atomic<std::uint64_t> counter{0};
    return ++counter;
}

double particleMass(const MaterialSettings& material, double spacing) {
    return material.particleMass > 0 ? material.particleMass : material.density * spacing * spacing;
}

double triangleArea(const linalg::BlockVector& x, const geometry::Triangle& t) {
    const Vec3 a = x[t[1]] - x[t[0]], b = x[t[2]] - x[t[0]];
    return 0.5 * a.cross(b).norm();
}

geometry::Triangle shifted(geometry::Triangle t, Index first) {
    for (Index& vertex : t) vertex += first;
    return t;
}

void appendPositions(linalg::BlockVector& to, const linalg::BlockVector& positions) {
    linalg::BlockVector joined(to.size() + positions.size());
    std::copy_n(to.data(), 3 * std::size_t(to.size()), joined.data());
    std::copy_n(positions.data(), 3 * std::size_t(positions.size()), joined.data() + 3 * std::size_t(to.size()));
    to = std::move(joined);
}

}  // namespace

void appendGrid(ClothModel& model, const geometry::GridPatch& grid, Topology topology, double spacing,
                const linalg::BlockVector& positions, const MaterialSettings& material) {
    assert(positions.size() == grid.vertices());
    const Index first = model.particles();
    const auto cloth = std::uint16_t(model.patches.size());
    appendPositions(model.rest, positions);
    model.mass.resize(first + grid.vertices());
    model.restArea.resize(model.mass.size(), 0.0);
    model.patches.push_back({grid, first, topology, spacing, 0.0});

    for (const geometry::Triangle& t : geometry::gridTriangles(grid)) model.triangles.push_back(shifted(t, first));
    for (const geometry::Triangle& t : geometry::gridTrianglesOfBothDiagonals(grid)) {
        const Facet facet{shifted(t, first), 0.5};
        const double area = facet.share * triangleArea(model.rest, facet.corners);
        for (const Index vertex : facet.corners) model.restArea[vertex] += area / 3;
        model.patches.back().area += area;
        model.facets.push_back(facet);
    }
    // Cloths are appended in the order of their particles, so the whole list stays sorted.
    const std::vector<Spring> springs = gridSprings(grid, topology, model.rest, first, cloth);
    model.springs.insert(model.springs.end(), springs.begin(), springs.end());
    updateMasses(model, cloth, material);
    model.revision = nextRevision();
}

void updateMasses(ClothModel& model, std::size_t patch, const MaterialSettings& material) {
    assert(patch < model.patches.size());
    const ClothModel::Patch& p = model.patches[patch];
    std::fill_n(model.mass.begin() + p.firstParticle, p.grid.vertices(), particleMass(material, p.spacing));
}

}  // namespace clothlab::cloth
