#include "geometry/fillings/lattice_filling.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace clothlab::geometry {
namespace {

/// Corners and centres of cells x cells x cells cubes around a body, the corners first. z = 0 is a plane of corners, so
/// that the lattice is its own mirror image, as the body is.
class Lattice {
public:
    /// `shift` moves it along x and y, in spacings.
    Lattice(const Body& body, double spacing, const std::array<double, 2>& shift)
        : spacing_(spacing), shift_(shift[0], shift[1], 0) {
        const Vec3 low = body.low() / spacing, high = body.high() / spacing;
        for (int k = 0; k < 3; ++k) {
            first_[k] = int(std::floor(low[k])) - 1;
            cells_[k] = int(std::ceil(high[k])) + 1 - first_[k];
        }
    }

    static double estimatePoints(const Body& body, double spacing) {
        return 2 * ((body.high() - body.low()) / spacing + Vec3::Constant(4)).prod();
    }
    Index points() const { return corners() + cells_[0] * cells_[1] * cells_[2]; }
    Vec3 place(Index point) const {
        const bool center = point >= corners();
        const Index number = center ? point - corners() : point;
        const int nx = cells_[0] + !center, ny = cells_[1] + !center;
        const int layer = number / nx / ny;
        const Vec3 cell(number % nx + first_[0], number / nx % ny + first_[1], layer + first_[2]);
        return spacing_ * (cell + Vec3::Constant(center ? 0.5 : 0.0) + shift_);
    }
    /// Calls visit(tetrahedron) for all of them, each turned to a positive volume.
    template <class Visit>
    void forTetrahedra(Visit&& visit) const {
        for (int z = 0; z < cells_[2]; ++z)
            for (int y = 0; y < cells_[1]; ++y)
                for (int x = 0; x < cells_[0]; ++x)
                    for (int axis = 0; axis < 3; ++axis) around({x, y, z}, axis, visit);
    }

private:
    using Cell = std::array<int, 3>;

    Index corners() const { return (cells_[0] + 1) * (cells_[1] + 1) * (cells_[2] + 1); }
    Index corner(const Cell& c) const { return (c[2] * (cells_[1] + 1) + c[1]) * (cells_[0] + 1) + c[0]; }
    Index center(const Cell& c) const { return corners() + (c[2] * cells_[1] + c[1]) * cells_[0] + c[0]; }

    /// The four around the edge from a cell's centre to that of the next cell along an axis.
    template <class Visit>
    void around(const Cell& cell, int axis, Visit&& visit) const {
        Cell next = cell;
        if (++next[axis] >= cells_[axis]) return;
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        std::array<Cell, 4> ring{next, next, next, next};  // counter-clockwise seen against the axis
        ++ring[1][u], ++ring[2][u], ++ring[2][v], ++ring[3][v];
        for (std::size_t k = 0; k < 4; ++k)
            visit(Tetrahedron{center(cell), corner(ring[k]), corner(ring[(k + 1) % 4]), center(next)});
    }

    double spacing_;
    Vec3 shift_;
    Cell first_, cells_;
};

/// Where the points of a lattice are, and on which side of a body's surface.
struct Field {
    std::vector<Vec3> place;
    std::vector<double> distance;
};

Field makeField(const Body& body, const Lattice& lattice) {
    Field field;
    field.place.reserve(lattice.points());
    field.distance.reserve(lattice.points());
    for (Index i = 0; i < lattice.points(); ++i) {
        field.place.push_back(lattice.place(i));
        field.distance.push_back(body.sample(field.place.back()).distance);
    }
    return field;
}

/// Moves the nearer end of each edge that passes through the surface onto it: then no edge does.
void snap(const Body& body, const Lattice& lattice, Field& field) {
    std::vector<char> moves(field.place.size(), 0);
    lattice.forTetrahedra([&](const Tetrahedron& t) {
        for (const Index inside : t)
            for (const Index outside : t) {
                const double in = field.distance[inside], out = field.distance[outside];
                if (in < 0 && out > 0) moves[-in < out ? inside : outside] = 1;
            }
    });
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (moves[i]) {
            field.place[i] = body.onSurface(field.place[i]);
            field.distance[i] = 0;
        }
}

/// The tetrahedra that reach inside and not outside, in the numbering of the lattice.
std::vector<Tetrahedron> selectInside(const Lattice& lattice, const Field& field) {
    std::vector<Tetrahedron> kept;
    lattice.forTetrahedra([&](const Tetrahedron& t) {
        double most = -HUGE_VAL, least = HUGE_VAL;
        for (const Index i : t) {
            most = std::max(most, field.distance[i]);
            least = std::min(least, field.distance[i]);
        }
        if (most <= 0 && least < 0) kept.push_back(t);
    });
    return kept;
}

/// Only the largest part of those that hang together by faces.
std::vector<Tetrahedron> largestPart(const std::vector<Tetrahedron>& all) {
    if (all.empty()) return {};
    std::vector<std::pair<Triangle, Index>> faces;
    for (std::size_t k = 0; k < all.size(); ++k)
        for (std::size_t left = 0; left < 4; ++left) {
            Triangle face;
            for (std::size_t i = 0, n = 0; i < 4; ++i)
                if (i != left) face[n++] = all[k][i];
            std::ranges::sort(face);
            faces.emplace_back(face, Index(k));
        }
    std::ranges::sort(faces);
    std::vector<Index> root(all.size());
    std::iota(root.begin(), root.end(), 0);
    const auto findRoot = [&](Index k) {
        while (root[k] != k) k = root[k] = root[root[k]];
        return k;
    };
    for (std::size_t f = 1; f < faces.size(); ++f)
        if (faces[f].first == faces[f - 1].first) root[findRoot(faces[f].second)] = findRoot(faces[f - 1].second);
    std::vector<Index> size(all.size(), 0);
    for (std::size_t k = 0; k < all.size(); ++k) ++size[findRoot(Index(k))];
    const auto largest = Index(std::ranges::max_element(size) - size.begin());
    std::vector<Tetrahedron> kept;
    for (std::size_t k = 0; k < all.size(); ++k)
        if (findRoot(Index(k)) == largest) kept.push_back(all[k]);
    return kept;
}

/// Where two parts of a surface are nearer to each other than the lattice tells, they may touch along an edge or in a
/// point. There the gap is filled.
std::vector<Tetrahedron> withoutTouching(const Lattice& lattice, Field& field) {
    constexpr int kRounds = 12;
    std::vector<Tetrahedron> inside = largestPart(selectInside(lattice, field));
    for (int round = 0; round < kRounds; ++round) {
        const SurfaceFaults faults = findFaults(findBoundary(inside), lattice.points());
        if (faults.none()) break;
        std::vector<char> touching(field.place.size(), 0);
        for (const auto& [a, b] : faults.edges) touching[a] = touching[b] = 1;
        if (faults.edges.empty())
            for (const Index i : faults.points) touching[i] = 2;
        lattice.forTetrahedra([&](const Tetrahedron& t) {
            int sum = 0;
            for (const Index i : t) sum += touching[i];
            if (sum < 2) return;
            for (const Index i : t)
                if (field.distance[i] >= 0 && !touching[i]) field.distance[i] = -1e-12;
        });
        inside = largestPart(selectInside(lattice, field));
    }
    return inside;
}

/// With only the points that tetrahedra have, in the order of the lattice.
TetrahedralMesh compact(std::vector<Tetrahedron> tetrahedra, const std::vector<Vec3>& places) {
    std::vector<Index> number(places.size(), -1);
    for (const Tetrahedron& t : tetrahedra)
        for (const Index i : t) number[i] = 0;
    TetrahedralMesh mesh;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (number[i] == 0) {
            number[i] = Index(mesh.points.size());
            mesh.points.push_back(places[i]);
        }
    for (Tetrahedron& t : tetrahedra)
        for (Index& i : t) i = number[i];
    mesh.tetrahedra = std::move(tetrahedra);
    mesh.triangles = findBoundary(mesh.tetrahedra);
    return mesh;
}

bool isSound(const TetrahedralMesh& mesh) {
    constexpr double kFlattest = 0.05;
    return isClosedSphere(mesh.triangles, Index(mesh.points.size())) &&
           std::ranges::all_of(mesh.tetrahedra,
                               [&](const Tetrahedron& t) { return computeQuality(mesh.points, t) > kFlattest; });
}

/// Nothing where the lattice does not suit the body.
std::optional<TetrahedralMesh> filled(const Body& body, const FillingSettings& settings,
                                      const std::array<double, 2>& shift) {
    constexpr int kSweepsBefore = 12, kSweepsAfter = 6;
    const Lattice lattice(body, settings.spacing, shift);
    Field field = makeField(body, lattice);
    snap(body, lattice, field);
    std::vector<Tetrahedron> inside = withoutTouching(lattice, field);
    if (inside.empty()) return std::nullopt;
    TetrahedralMesh mesh = compact(std::move(inside), field.place);
    if (!isClosedSphere(mesh.triangles, Index(mesh.points.size()))) return std::nullopt;
    evenOut(body, kSweepsBefore, mesh);
    if (!isSound(mesh)) return std::nullopt;
    if (settings.surfaceSpacing > 0) {
        refineSurface(body, settings.surfaceSpacing, settings.mostPoints, mesh);
        evenOut(body, kSweepsAfter, mesh);
    }
    if (!isSound(mesh)) return std::nullopt;
    return mesh;
}

}  // namespace

Expected<TetrahedralMesh> fillBody(const Body& body, const FillingSettings& settings) {
    constexpr double kShareInside = 0.04;  // of the box that a body fills at least
    if (!(kShareInside * Lattice::estimatePoints(body, settings.spacing) < settings.mostPoints))
        return fail(fmt::format("a lattice of {:.3g} m is too fine: more than {} points", settings.spacing,
                                settings.mostPoints));
    // Where limbs fold, a lattice may find a tunnel that another place of the same lattice does not.
    const Body smooth = body.blended(settings.spacing);
    constexpr double kShifts[]{0, 0.25, 0.125, 0.375};
    for (const double y : kShifts)
        for (const double x : kShifts) {
            auto mesh = filled(smooth, settings, {x, y});
            if (!mesh) continue;
            if (Index(mesh->points.size()) < settings.mostPoints) return std::move(*mesh);
            return fail(fmt::format("with edges of {:.3g} m at most on the surface there are {} points or more",
                                    settings.surfaceSpacing, settings.mostPoints));
        }
    return fail(
        fmt::format("a lattice of {:.3g} m does not fill this body: its surface is not closed, or tetrahedra are "
                    "flat; another spacing may do",
                    settings.spacing));
}

}  // namespace clothlab::geometry
