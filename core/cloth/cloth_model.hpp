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

/// The springs of a grid, by the particles (o) that a particle (*) is joined with; rows go down, columns to the right:
///
///      stretch     both shear    one shear     straight      diagonal
///                  diagonals     diagonal        bend          bend
///     . . . . .    . . . . .    . . . . .    . . o . .    o . . . o
///     . . o . .    . o . o .    . o . . .    . . | . .    . \ . / .
///     . o * o .    . . * . .    . . * . .    o - * - o    . . * . .
///     . . o . .    . o . o .    . . . o .    . . | . .    . / . \ .
///     . . . . .    . . . . .    . . . . .    . . o . .    o . . . o
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

/// Spring between particles i < j with rest length restLength (m).
///
///     i o--/\/\/--o j        force on i: f_i = +g(x_j - x_i, v_j - v_i), on j: f_j = -f_i
struct Spring {
    Index i, j;
    double restLength;  ///< m
    SpringFamily family;
    std::uint16_t material;  ///< into the list of materials; applyMaterials decides
};

/// A triangle in which the air meets the cloth, and the share of its area that counts. On a mesh the facets are the
/// triangles, with share 1. A grid has both diagonals of every quad at half weight, so that a particle represents its
/// cell (spacing^2 inside, half of it at edges, a quarter at corners), whichever diagonal is drawn:
///
///     o-----o     o-----o
///     | \   |     |   / |
///     |   \ |  +  | /   |     four facets per quad, each with share 1/2
///     o-----o     o-----o
struct Facet {
    geometry::Triangle corners;
    double share;
};

/// Two particles i < j that are sewn together (cloth/sewing.hpp).
struct SewingThread {
    Index i, j;
    double length;     ///< m, at the start
    double time;       ///< s, after which its rest length is 0
    double stiffness;  ///< of the stretch springs at its ends
    double spacing;    ///< m, of the mesh
    bool welds;        ///< once closed, its ends are one point
};

/// The mass of a particle when the material gives a density.
enum class MassRule : std::uint8_t {
    Cell,       ///< density * spacing^2, every particle the same ([B]): grids
    RestArea,   ///< density * its rest area: meshes and graded grids
    RestVolume  ///< volume density * its rest volume: solids
};

/// Particles, triangles, edges and springs of all cloths in the scene, in one numbering. It changes only with the mesh.
/// It does not depend on how a cloth was made: grid, triangle mesh and solid are three makers (below), and a fourth
/// appends its share to the same lists. A solid has its surface as triangles, and particles in none of them. Springs
/// are sorted by i, then j, at most one per pair: assembly walks them row by row, and only the spring of a pair writes
/// its blocks.
struct ClothModel {
    /// One cloth's share: particles [firstParticle, firstParticle + particles).
    struct Patch {
        Index firstParticle = 0, particles = 0;
        double spacing = 0;  ///< m, between neighbours; mean edge of a mesh, least of a graded grid
        double area = 0;     ///< m^2, at rest; for a solid its surface
        double volume = 0;   ///< m^3, at rest; 0 unless a solid
        MassRule massRule = MassRule::Cell;

        bool isSolid() const { return massRule == MassRule::RestVolume; }
        /// The factor from density (volume density of a solid) to the mass of a particle, m^2 (m^3); the mean over a
        /// mesh or a solid.
        double measurePerParticle() const {
            return massRule == MassRule::Cell ? spacing * spacing : (isSolid() ? volume : area) / particles;
        }
    };

    std::vector<Patch> patches;
    std::vector<double> mass;        ///< kg, per particle
    std::vector<double> restArea;    ///< m^2, per particle: a third of the rest area of its facets
    std::vector<double> restVolume;  ///< m^3, per particle: a quarter of its tetrahedra; 0 outside solids
    linalg::BlockVector rest;        ///< m, rest (= start) positions
    std::vector<Spring> springs;
    std::vector<SewingThread> threads;                  ///< sorted by i, then j
    std::vector<geometry::Triangle> triangles;          ///< the surface as it is drawn
    std::vector<geometry::MeshEdge> edges;              ///< of the triangles, sorted by a, then b
    std::vector<Facet> facets;                          ///< the surface as the air meets it
    std::vector<geometry::TextureCoordinate> textures;  ///< per particle; m along columns and rows of a grid
    /// The number of each particle in scenes and files, where it differs from its own: a mesh is renumbered, and the
    /// vertex v of its file (from 0) is called firstParticle + v outside. Empty: every particle has its own number.
    std::vector<Index> outsideNumber;
    /// The material of each particle, an index into the list of materials. A cloth's own material has the number of the
    /// cloth; those of its regions come after them.
    std::vector<std::uint16_t> material;
    std::uint64_t revision = 0;          ///< topology revision
    std::uint64_t materialRevision = 0;  ///< changes when a particle or a spring gets another material

    Index particles() const { return Index(mass.size()); }
};

/// Springs of a grid of the given topology in grid numbering, rest lengths from `rest`, sorted by i then j.
std::vector<Spring> gridSprings(const geometry::GridPatch& grid, Topology topology, const linalg::BlockVector& rest,
                                Index firstParticle, std::uint16_t material);

/// Appends a grid cloth with the given start positions (grid.vertices() of them) and rest lengths taken from them; mass
/// by the material: density * spacing^2 per particle ([B]) or the particle mass. A graded grid gives the places of its
/// columns, m from the first on, and `spacing` is that of its rows; a particle then weighs density * rest area.
void appendGrid(ClothModel& model, const geometry::GridPatch& grid, Topology topology, double spacing,
                const linalg::BlockVector& positions, const MaterialSettings& material,
                std::span<const double> columns = {});

/// Appends a mesh with these start positions, which are its rest positions; particle k is the mesh's point order[k].
/// Its springs are those of meshSprings. Mass is density * rest area, or the particle mass. Without texture coordinates
/// the mesh gets planar ones.
void appendMesh(ClothModel& model, const geometry::TriangleMesh& mesh, std::span<const Index> order,
                const MaterialSettings& material);

/// Appends a solid with its points as rest positions; particle k is the solid's point order[k]. Every edge of a
/// tetrahedron is a stretch spring. Mass is volume density * rest volume, or the particle mass.
void appendSolid(ClothModel& model, const geometry::TetrahedralMesh& solid, std::span<const Index> order,
                 const MaterialSettings& material);

/// Springs of a mesh in its own numbering, sorted by i, then j. Every edge is a stretch spring. Every hinge has a bend
/// spring between its opposite corners, unless an edge or another hinge joins them already; when it is flat at rest, a
/// fold to either side shortens the spring.
///
///              a
///            / | \                    a b
///           c  |  d      from b:    /     \     ~ bend spring
///            \ | /                 c ~~~~~ d
///              b
std::vector<Spring> meshSprings(std::span<const geometry::MeshEdge> edges, const linalg::BlockVector& rest,
                                std::uint16_t material);

/// The rest area of a facet times its share, m^2.
double facetRestArea(const ClothModel& model, const Facet& facet);

/// The graph of all springs.
std::shared_ptr<const linalg::BlockPattern> springPattern(const ClothModel& model);

/// The particle of every outside number: the inverse of outsideNumber.
std::vector<Index> particlesByOutsideNumber(const ClothModel& model);

/// The material with this number. The last of a list that is too short holds for all further numbers.
inline const MaterialSettings& materialAt(std::span<const MaterialSettings> materials, std::size_t number) {
    return materials[std::min(number, materials.size() - 1)];
}
/// Sets the material of each particle; call `applyMaterials` next.
void setMaterials(ClothModel& model, std::vector<std::uint16_t> materials);
/// Updates masses and springs from the list, after a live change of it or of the particles' materials. A spring whose
/// ends differ has the softer of both materials, by the stiffness of its family: a seam is no stiffer than what it
/// joins. If both are equally stiff, the lower number counts.
void applyMaterials(ClothModel& model, std::span<const MaterialSettings> materials);

}  // namespace clothlab::cloth
