#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cloth/material.hpp"
#include "geometry/fillings/tetrahedral_mesh.hpp"
#include "geometry/triangle_mesh.hpp"
#include "linalg/block_pattern.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::cloth {

enum class Topology : int { Provot12, ChoiKo16, Liu };
inline constexpr std::array kTopologies{
    EnumEntry{int(Topology::Provot12), "provot-12", "Provot, 12 neighbours",
              "Stretch, both shear diagonals, straight bend springs."},
    EnumEntry{int(Topology::ChoiKo16), "choi-ko-16", "Choi-Ko, 16 neighbours", "Provot's with diagonal bend springs."},
    EnumEntry{int(Topology::Liu), "liu", "Liu, 10 neighbours", "Stretch, one shear diagonal, straight bend springs."},
};
constexpr std::span<const EnumEntry> enumTable(Topology) { return kTopologies; }

enum class SpringFamily : std::uint8_t { Stretch = 0, Shear = 1, Bend = 2 };
inline constexpr int kFamilies = 3;

/// Spring between particles i < j, at rest at length restLength (m).
///
///     i o--/\/\/--o j        force on i: f_i = +g(x_j - x_i, v_j - v_i), on j: f_j = -f_i
struct Spring {
    Index i, j;
    double restLength;  ///< m
    SpringFamily family;
    std::uint16_t material;  ///< into the list of materials; takeMaterials decides
};

/// A triangle in which the air meets the cloth, and the share of its area that counts. On a mesh the facets are the
/// triangles, with share 1. A grid has both diagonals of every quad at half weight, so that a particle stands for its
/// cell (spacing^2 inside, a half of it at edges, a quarter at corners), whichever diagonal is drawn:
///
///     o-----o     o-----o
///     |   / |     | \   |
///     | /   |  +  |   \ |     four facets a quad, each with share 1/2
///     o-----o     o-----o
struct Facet {
    geometry::Triangle corners;
    double share;
};

/// Two particles i < j that are sewn together (cloth/sewing.hpp).
struct SewingThread {
    Index i, j;
    double length;     ///< m, at the start
    double time;       ///< s, after which it has no length any more
    double stiffness;  ///< of the stretch springs at its ends
    double spacing;    ///< m, of the mesh
    bool welds;        ///< once it is closed its ends are one point
};

/// What a particle weighs when the material gives a density.
enum class MassRule : std::uint8_t {
    Cell,       ///< density * spacing^2, every particle the same ([B]): grids
    RestArea,   ///< density * its rest area: meshes and graded grids
    RestVolume  ///< volume density * its rest volume: solids
};

/// Particles, triangles, edges and springs of all cloths in the scene, in one numbering. It changes only with the mesh.
/// Nothing here says how a cloth was made: grid, triangle mesh and solid are three makers (below), and a fourth appends
/// its share to the same lists. A solid has its surface as triangles, and particles in none of them. Springs are sorted
/// by i, then j, and a pair of particles has one at most: assembly walks them row by row, and each writes its blocks
/// alone.
struct ClothModel {
    /// One cloth's share: particles [firstParticle, firstParticle + particles).
    struct Patch {
        Index firstParticle = 0, particles = 0;
        double spacing = 0;  ///< m, between neighbours; of a mesh the mean of its edges, of a graded grid the least
        double area = 0;     ///< m^2, at rest; of a solid that of its surface
        double volume = 0;   ///< m^3, at rest; 0 of what is no solid
        MassRule massRule = MassRule::Cell;

        bool isSolid() const { return massRule == MassRule::RestVolume; }
        /// What the density (of a solid the volume density) is to be multiplied with for the mass of a particle, m^2
        /// (m^3); of a mesh and a solid in the mean.
        double measurePerParticle() const {
            return massRule == MassRule::Cell ? spacing * spacing : (isSolid() ? volume : area) / particles;
        }
    };

    std::vector<Patch> patches;
    std::vector<double> mass;        ///< kg, per particle
    std::vector<double> restArea;    ///< m^2, per particle: a third of the rest area of its facets
    std::vector<double> restVolume;  ///< m^3, per particle: a quarter of its tetrahedra; 0 of what is no solid
    linalg::BlockVector rest;        ///< m, rest (= start) positions
    std::vector<Spring> springs;
    std::vector<SewingThread> threads;                  ///< by i, then j
    std::vector<geometry::Triangle> triangles;          ///< the surface as it is drawn
    std::vector<geometry::MeshEdge> edges;              ///< of the triangles, by a, then b
    std::vector<Facet> facets;                          ///< the surface as the air meets it
    std::vector<geometry::TextureCoordinate> textures;  ///< per particle; m along columns and rows of a grid
    /// Under which number scenes and files know each particle, when that is not its own: a mesh is renumbered, and the
    /// vertex v of its file (from 0) is called firstParticle + v outside. Empty: every particle has its own number.
    std::vector<Index> outsideNumber;
    /// What each particle is made of, into the list of materials. A cloth's own has the number of the cloth; what parts
    /// of cloths are made of comes after those.
    std::vector<std::uint16_t> material;
    std::uint64_t revision = 0;          ///< topology revision
    std::uint64_t materialRevision = 0;  ///< changes when a particle or a spring is of another material

    Index particles() const { return Index(mass.size()); }
};

/// Springs of a grid of the given topology in grid numbering, rest lengths from `rest`, sorted by i then j.
std::vector<Spring> gridSprings(const geometry::GridPatch& grid, Topology topology, const linalg::BlockVector& rest,
                                Index firstParticle, std::uint16_t material);

/// Appends a grid cloth with the given start positions (grid.vertices() of them) and rest lengths taken from them;
/// mass as the material says: density * spacing^2 a particle ([B]) or the particle mass. A graded grid gives the places
/// of its columns, m from the first on, the spacing being that of its rows; a particle then weighs density * rest area.
void appendGrid(ClothModel& model, const geometry::GridPatch& grid, Topology topology, double spacing,
                const linalg::BlockVector& positions, const MaterialSettings& material,
                std::span<const double> columns = {});

/// Appends a mesh with these start positions, which are its rest positions; particle k is the mesh's point order[k].
/// Every edge is a stretch spring, every hinge a bend spring between the two opposite corners, unless an edge or
/// another hinge joins them already. Mass is density * rest area, or the particle mass.
/// Without texture coordinates of its own the mesh takes planar ones.
void appendMesh(ClothModel& model, const geometry::TriangleMesh& mesh, std::span<const Index> order,
                const MaterialSettings& material);

/// Appends a solid with its points as rest positions; particle k is the solid's point order[k]. Every edge of a
/// tetrahedron is a stretch spring. Mass is volume density * rest volume, or the particle mass.
void appendSolid(ClothModel& model, const geometry::TetrahedralMesh& solid, std::span<const Index> order,
                 const MaterialSettings& material);

/// Springs of a mesh in its own numbering, as appendMesh makes them, sorted by i, then j.
std::vector<Spring> meshSprings(std::span<const geometry::MeshEdge> edges, const linalg::BlockVector& rest,
                                std::uint16_t material);

/// The rest area of a facet by its share, m^2.
double restAreaOf(const ClothModel& model, const Facet& facet);

/// The graph of all springs.
std::shared_ptr<const linalg::BlockPattern> springPattern(const ClothModel& model);

/// The particle of every outside number: outsideNumber the other way round.
std::vector<Index> particlesByOutsideNumber(const ClothModel& model);

/// The material with this number. A list that is too short ends with what all others are made of.
inline const MaterialSettings& materialAt(std::span<const MaterialSettings> materials, std::size_t number) {
    return materials[std::min(number, materials.size() - 1)];
}
/// Says what each particle is made of; `takeMaterials` is to follow.
void setMaterials(ClothModel& model, std::vector<std::uint16_t> materials);
/// Gives the masses and the springs what the list says, after a live change of it or of what particles are made of. A
/// spring whose ends differ is of the softer of both materials, by the stiffness of its family: a seam holds together
/// no better than what it joins. Of two that are equally stiff the one with the lower number counts.
void takeMaterials(ClothModel& model, std::span<const MaterialSettings> materials);

}  // namespace clothlab::cloth
