#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <tuple>

#include "cloth/cloth_model.hpp"

namespace clothlab::cloth {
namespace {

/// Neighbour at (row + down, column + right). Only offsets toward larger vertex numbers: each spring once.
struct Offset {
    int down, right;
    SpringFamily family;
};

constexpr std::array kProvot{
    Offset{0, 1, SpringFamily::Stretch}, Offset{0, 2, SpringFamily::Bend},  Offset{1, -1, SpringFamily::Shear},
    Offset{1, 0, SpringFamily::Stretch}, Offset{1, 1, SpringFamily::Shear}, Offset{2, 0, SpringFamily::Bend},
};
constexpr std::array kChoiKo{
    Offset{0, 1, SpringFamily::Stretch}, Offset{0, 2, SpringFamily::Bend},  Offset{1, -1, SpringFamily::Shear},
    Offset{1, 0, SpringFamily::Stretch}, Offset{1, 1, SpringFamily::Shear}, Offset{2, -2, SpringFamily::Bend},
    Offset{2, 0, SpringFamily::Bend},    Offset{2, 2, SpringFamily::Bend},
};
constexpr std::array kLiu{
    Offset{0, 1, SpringFamily::Stretch}, Offset{0, 2, SpringFamily::Bend}, Offset{1, 0, SpringFamily::Stretch},
    Offset{1, 1, SpringFamily::Shear},   Offset{2, 0, SpringFamily::Bend},
};

std::span<const Offset> offsets(Topology topology) {
    switch (topology) {
        case Topology::ChoiKo16:
            return kChoiKo;
        case Topology::Liu:
            return kLiu;
        case Topology::Provot12:
            break;
    }
    return kProvot;
}

}  // namespace

std::vector<Spring> gridSprings(const geometry::GridPatch& grid, Topology topology, const linalg::BlockVector& rest,
                                Index firstParticle, std::uint16_t material) {
    assert(rest.size() >= firstParticle + grid.vertices());
    const std::span<const Offset> neighbours = offsets(topology);
    std::vector<Spring> springs;
    springs.reserve(grid.vertices() * neighbours.size());
    for (int r = 0; r < grid.rows; ++r)
        for (int c = 0; c < grid.columns; ++c) {
            const auto first = std::ptrdiff_t(springs.size());
            for (const Offset& o : neighbours) {
                if (!grid.contains(r + o.down, c + o.right)) continue;
                const Index i = firstParticle + grid.vertex(r, c);
                const Index j = firstParticle + grid.vertex(r + o.down, c + o.right);
                springs.push_back({i, j, (rest[j] - rest[i]).norm(), o.family, material});
            }
            // On a grid of two or three columns the offsets are not ascending in j.
            std::sort(springs.begin() + first, springs.end(),
                      [](const Spring& a, const Spring& b) { return a.j < b.j; });
        }
    return springs;
}

std::vector<Spring> meshSprings(std::span<const geometry::MeshEdge> edges, const linalg::BlockVector& rest,
                                std::uint16_t material) {
    std::vector<Spring> springs;
    springs.reserve(2 * edges.size());
    const auto join = [&](Index a, Index b, SpringFamily family) {
        const Index i = std::min(a, b), j = std::max(a, b);
        const double length = (rest[j] - rest[i]).norm();
        // A sheet folded flat onto itself lays the corners of a hinge on each other: no spring, which would have no
        // length.
        if (length > 0) springs.push_back({i, j, length, family, material});
    };
    for (const geometry::MeshEdge& edge : edges) {
        join(edge.a, edge.b, SpringFamily::Stretch);
        if (edge.isHinge() && edge.opposite[0] != edge.opposite[1])
            join(edge.opposite[0], edge.opposite[1], SpringFamily::Bend);
    }
    // A pair that is joined twice keeps the first: Stretch comes before Bend.
    const auto byPair = [](const Spring& a, const Spring& b) {
        return std::tuple(a.i, a.j, a.family) < std::tuple(b.i, b.j, b.family);
    };
    const auto samePair = [](const Spring& a, const Spring& b) { return a.i == b.i && a.j == b.j; };
    std::sort(springs.begin(), springs.end(), byPair);
    springs.erase(std::unique(springs.begin(), springs.end(), samePair), springs.end());
    return springs;
}

}  // namespace clothlab::cloth
