#include "cloth/cloth_model.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <atomic>
#include <cassert>
#include <numeric>

namespace clothlab::cloth {
namespace {

/// Unique among all models of the process, so that caches never take a new model for an old one at the same address.
/// The counter only tells models apart; no result depends on its value.
std::uint64_t nextRevision() {
    static std::atomic<std::uint64_t> counter{0};
    return ++counter;
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

double computeMass(const ClothModel& model, const ClothModel::Patch& patch, const MaterialSettings& material, Index i) {
    if (material.particleMass > 0) return material.particleMass;
    if (patch.isSolid()) return material.volumeDensity * model.restVolume[i];
    return patch.massRule == MassRule::Cell ? material.density * patch.spacing * patch.spacing
                                            : material.density * model.restArea[i];
}

double familyStiffness(const MaterialSettings& m, SpringFamily family) {
    return family == SpringFamily::Stretch ? m.stretchStiffness
           : family == SpringFamily::Shear ? m.shearStiffness
                                           : m.bendStiffness;
}

/// What makers share. Triangles, facets and edges come in the numbering of the cloth that is appended.
class Appending {
public:
    Appending(ClothModel& model, const linalg::BlockVector& positions, const ClothModel::Patch& patch)
        : model_(model), first_(model.particles()) {
        appendPositions(model.rest, positions);
        model.mass.resize(first_ + positions.size());
        model.restArea.resize(model.mass.size(), 0.0);
        model.restVolume.resize(model.mass.size(), 0.0);
        model.patches.push_back(patch);
        model.patches.back().firstParticle = first_;
        model.patches.back().particles = positions.size();
    }

    void surface(std::span<const geometry::Triangle> triangles, std::span<const geometry::MeshEdge> edges) {
        for (const geometry::Triangle& t : triangles) model_.triangles.push_back(shifted(t, first_));
        for (geometry::MeshEdge edge : edges) {
            edge.a += first_;
            edge.b += first_;
            for (Index& corner : edge.opposite) corner += corner < 0 ? 0 : first_;
            model_.edges.push_back(edge);
        }
    }
    void facets(std::span<const geometry::Triangle> triangles, double share) {
        for (const geometry::Triangle& t : triangles) {
            const Facet facet{shifted(t, first_), share};
            const double area = facetRestArea(model_, facet);
            for (const Index vertex : facet.corners) model_.restArea[vertex] += area / 3;
            model_.patches.back().area += area;
            model_.facets.push_back(facet);
        }
    }
    /// The volume of each particle, m^3.
    void volumes(std::span<const double> shares) {
        std::ranges::copy(shares, model_.restVolume.begin() + first_);
        for (const double share : shares) model_.patches.back().volume += share;
    }
    /// Cloths are appended in the order of their particles, so the whole list stays sorted.
    void springs(std::span<const Spring> springs) {
        model_.springs.insert(model_.springs.end(), springs.begin(), springs.end());
    }
    /// The same in the numbering of the cloth that is appended.
    void ownSprings(std::vector<Spring> list) {
        for (Spring& s : list) {
            s.i += first_;
            s.j += first_;
        }
        springs(list);
    }
    /// order[k] is what particle k is called outside; empty: its own number.
    void numbers(std::span<const Index> order) {
        std::vector<Index>& list = model_.outsideNumber;
        if (list.empty() && order.empty()) return;
        const std::size_t known = list.size();
        list.resize(model_.mass.size());
        std::iota(list.begin() + std::ptrdiff_t(known), list.end(), Index(known));
        for (std::size_t k = 0; k < order.size(); ++k) list[std::size_t(first_) + k] = first_ + order[k];
    }
    void finish(const MaterialSettings& material) {
        model_.material.resize(model_.mass.size(), cloth());
        for (Index i = first_; i < model_.particles(); ++i)
            model_.mass[i] = computeMass(model_, model_.patches.back(), material, i);
        model_.revision = nextRevision();
    }
    Index first() const { return first_; }
    std::uint16_t cloth() const { return std::uint16_t(model_.patches.size() - 1); }

private:
    ClothModel& model_;
    const Index first_;
};

/// Points in another order: particle k is point order[k].
class Renumbering {
public:
    explicit Renumbering(std::span<const Index> order) : order_(order), particle_(order.size()) {
        for (std::size_t k = 0; k < order.size(); ++k) particle_[order[k]] = Index(k);
    }
    linalg::BlockVector positions(const std::vector<Vec3>& points) const {
        assert(order_.size() == points.size());
        linalg::BlockVector x{Index(points.size())};
        for (Index k = 0; k < x.size(); ++k) x[k] = points[order_[k]];
        return x;
    }
    std::vector<geometry::Triangle> triangles(std::vector<geometry::Triangle> list) const {
        for (geometry::Triangle& t : list)
            for (Index& corner : t) corner = particle_[corner];
        return list;
    }
    Index particle(Index point) const { return particle_[point]; }

private:
    std::span<const Index> order_;
    std::vector<Index> particle_;
};

double meanLength(std::span<const Spring> springs) {
    double sum = 0, count = 0;
    for (const Spring& s : springs)
        if (s.family == SpringFamily::Stretch) {
            sum += s.restLength;
            ++count;
        }
    return count > 0 ? sum / count : 0;
}

}  // namespace

void appendGrid(ClothModel& model, const geometry::GridPatch& grid, Topology topology, double spacing,
                const linalg::BlockVector& positions, const MaterialSettings& material,
                std::span<const double> columns) {
    assert(positions.size() == grid.vertices() && (columns.empty() || Index(columns.size()) == grid.columns));
    double least = spacing;
    for (std::size_t c = 1; c < columns.size(); ++c) least = std::min(least, columns[c] - columns[c - 1]);
    Appending to(model, positions,
                 {.spacing = least, .massRule = columns.empty() ? MassRule::Cell : MassRule::RestArea});
    const std::vector<geometry::Triangle> triangles = geometry::gridTriangles(grid);
    to.surface(triangles, geometry::collectEdges(triangles, grid.vertices()));
    to.facets(geometry::gridTrianglesOfBothDiagonals(grid), 0.5);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            model.textures.push_back({columns.empty() ? column * spacing : columns[column], row * spacing});
    to.springs(gridSprings(grid, topology, model.rest, to.first(), to.cloth()));
    to.numbers({});
    to.finish(material);
}

void appendMesh(ClothModel& model, const geometry::TriangleMesh& mesh, std::span<const Index> order,
                const MaterialSettings& material) {
    const Renumbering renumbered(order);
    const linalg::BlockVector positions = renumbered.positions(mesh.points);
    const std::vector<geometry::Triangle> triangles = renumbered.triangles(mesh.triangles);
    const std::vector<geometry::MeshEdge> edges = geometry::collectEdges(triangles, positions.size());
    std::vector<Spring> springs = meshSprings(edges, positions, std::uint16_t(model.patches.size()));

    Appending to(model, positions, {.spacing = meanLength(springs), .massRule = MassRule::RestArea});
    to.surface(triangles, edges);
    to.facets(triangles, 1);
    const auto planar = mesh.textures.empty() ? geometry::planarTextures(mesh.points, mesh.triangles)
                                              : std::vector<geometry::TextureCoordinate>{};
    for (const Index vertex : order) model.textures.push_back((planar.empty() ? mesh.textures : planar)[vertex]);
    to.ownSprings(std::move(springs));
    to.numbers(order);
    to.finish(material);
}

void appendSolid(ClothModel& model, const geometry::TetrahedralMesh& solid, std::span<const Index> order,
                 const MaterialSettings& material) {
    const Renumbering renumbered(order);
    const linalg::BlockVector positions = renumbered.positions(solid.points);
    std::vector<Spring> springs;
    for (const auto& [a, b] : geometry::collectEdges(solid.tetrahedra)) {
        const Index p = renumbered.particle(a), q = renumbered.particle(b), i = std::min(p, q), j = std::max(p, q);
        springs.push_back(
            {i, j, (positions[j] - positions[i]).norm(), SpringFamily::Stretch, std::uint16_t(model.patches.size())});
    }
    std::ranges::sort(springs, {}, [](const Spring& s) { return std::pair(s.i, s.j); });

    Appending to(model, positions, {.spacing = meanLength(springs), .massRule = MassRule::RestVolume});
    const std::vector<geometry::Triangle> triangles = renumbered.triangles(solid.triangles);
    to.surface(triangles, geometry::collectEdges(triangles, positions.size()));
    to.facets(triangles, 1);
    const std::vector<double> shares = geometry::volumeShares(solid);
    std::vector<double> ordered;
    for (const Index point : order) {
        ordered.push_back(shares[point]);
        model.textures.push_back(geometry::solidTexture(solid.points[point]));
    }
    to.volumes(ordered);
    to.ownSprings(std::move(springs));
    to.numbers(order);
    to.finish(material);
}

double facetRestArea(const ClothModel& model, const Facet& facet) {
    return facet.share * triangleArea(model.rest, facet.corners);
}

std::shared_ptr<const linalg::BlockPattern> springPattern(const ClothModel& model) {
    std::vector<std::pair<Index, Index>> ends;
    ends.reserve(model.springs.size());
    for (const Spring& s : model.springs) ends.emplace_back(s.i, s.j);
    return linalg::makePattern(model.particles(), ends);
}

std::vector<Index> particlesByOutsideNumber(const ClothModel& model) {
    std::vector<Index> particles(model.mass.size());
    std::iota(particles.begin(), particles.end(), 0);
    for (std::size_t i = 0; i < model.outsideNumber.size(); ++i) particles[model.outsideNumber[i]] = Index(i);
    return particles;
}

void setMaterials(ClothModel& model, std::vector<std::uint16_t> materials) {
    assert(materials.size() == model.mass.size());
    if (materials == model.material) return;
    model.material = std::move(materials);
    model.materialRevision = nextRevision();
}

void applyMaterials(ClothModel& model, std::span<const MaterialSettings> materials) {
    assert(!materials.empty() && model.material.size() == model.mass.size());
    for (const ClothModel::Patch& patch : model.patches)
        for (Index i = patch.firstParticle; i < patch.firstParticle + patch.particles; ++i)
            model.mass[i] = computeMass(model, patch, materialAt(materials, model.material[i]), i);
    bool changed = false;
    for (Spring& s : model.springs) {
        const auto [low, high] = std::minmax(model.material[s.i], model.material[s.j]);
        const auto stiffness = [&](std::uint16_t m) { return familyStiffness(materialAt(materials, m), s.family); };
        const std::uint16_t softer = low != high && stiffness(high) < stiffness(low) ? high : low;
        changed = changed || s.material != softer;
        s.material = softer;
    }
    if (changed) model.materialRevision = nextRevision();
}

}  // namespace clothlab::cloth
