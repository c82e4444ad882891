#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "geometry/fillings/lattice_filling.hpp"

namespace clothlab::geometry {
namespace {

/// A tetrahedron of at least this quality may become somewhat worse for the good of a point's place.
constexpr double kGood = 0.45;
/// One below this is to become better by kGain whatever it takes.
constexpr double kPoor = 0.2, kGain = 0.01;

double worstQuality(const TetrahedralMesh& mesh, std::span<const Index> around) {
    double worst = INFINITY;
    for (const Index t : around) worst = std::min(worst, computeQuality(mesh.points, mesh.tetrahedra[t]));
    return worst;
}

/// The neighbours of each point: of one on the surface those along the surface.
std::vector<std::vector<Index>> findGuides(const TetrahedralMesh& mesh, std::vector<char>& outer) {
    outer.assign(mesh.points.size(), 0);
    for (const Triangle& t : mesh.triangles)
        for (const Index corner : t) outer[corner] = 1;
    std::vector<std::vector<Index>> guides(mesh.points.size());
    for (const Triangle& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) guides[t[k]].push_back(t[(k + 1) % 3]);  // each edge once from either end
    for (const auto& [a, b] : collectEdges(mesh.tetrahedra)) {
        if (!outer[a]) guides[a].push_back(b);
        if (!outer[b]) guides[b].push_back(a);
    }
    return guides;
}

/// A mesh whose edges of the surface are being halved.
class Halving {
public:
    Halving(const Body& body, TetrahedralMesh& mesh) : body_(body), mesh_(mesh), around_(tetrahedraOfPoints(mesh)) {
        for (const Triangle& t : mesh.triangles)
            for (std::size_t k = 0; k < 3; ++k) join(t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
        for (const auto& [ends, opposite] : surface_) queue(ends.first, ends.second);
    }

    double longest() const { return std::sqrt(-std::get<0>(*queue_.begin())); }
    void halveLongest() {
        const auto [negative, a, b] = *queue_.begin();
        queue_.erase(queue_.begin());
        const auto found = surface_.find({a, b});
        const std::array<Index, 2> opposite = found->second;
        surface_.erase(found);
        const Index middle = splitTetrahedra(a, b);
        for (const Index end : {a, b}) {
            surface_[std::minmax(end, middle)] = opposite;
            queue(end, middle);
        }
        for (const Index corner : opposite) {
            surface_[std::minmax(corner, middle)] = {a, b};
            queue(corner, middle);
            replaceOpposite(a, corner, b, middle);
            replaceOpposite(b, corner, a, middle);
        }
    }

private:
    using Edge = std::pair<Index, Index>;

    void join(Index a, Index b, Index opposite) {
        const auto [at, isNew] = surface_.try_emplace(std::minmax(a, b), std::array<Index, 2>{opposite, opposite});
        if (!isNew) at->second[1] = opposite;
    }
    void queue(Index a, Index b) {
        const auto [low, high] = std::minmax(a, b);
        queue_.insert({-(mesh_.points[a] - mesh_.points[b]).squaredNorm(), low, high});
    }
    void replaceOpposite(Index end, Index corner, Index from, Index to) {
        std::array<Index, 2>& list = surface_.at(std::minmax(end, corner));
        (list[0] == from ? list[0] : list[1]) = to;
    }
    Index splitTetrahedra(Index a, Index b) {
        const auto middle = Index(mesh_.points.size());
        mesh_.points.push_back(0.5 * (mesh_.points[a] + mesh_.points[b]));
        around_.emplace_back();
        std::vector<Index> shared;
        std::ranges::set_intersection(around_[a], around_[b], std::back_inserter(shared));
        for (const Index first : shared) {
            const auto second = Index(mesh_.tetrahedra.size());
            Tetrahedron half = mesh_.tetrahedra[first];
            std::ranges::replace(half, a, middle);
            std::ranges::replace(mesh_.tetrahedra[first], b, middle);
            for (const Index corner : half)
                if (corner != middle) around_[corner].push_back(second);  // the largest number: the list stays sorted
            around_[b].erase(std::ranges::lower_bound(around_[b], first));
            around_[middle].push_back(first);
            mesh_.tetrahedra.push_back(half);
        }
        for (std::size_t k = 0, n = shared.size(); k < n; ++k)
            around_[middle].push_back(Index(mesh_.tetrahedra.size() - n + k));
        place(middle);
        return middle;
    }
    /// Onto the surface, or as far toward it as the tetrahedra stay sound.
    void place(Index middle) {
        constexpr double kSound = 0.15;
        const Vec3 chord = mesh_.points[middle], target = body_.onSurface(chord);
        const double before = worstQuality(mesh_, around_[middle]);
        for (const double share : {1.0, 0.5, 0.0}) {
            mesh_.points[middle] = chord + share * (target - chord);
            if (worstQuality(mesh_, around_[middle]) >= std::min(before, kSound)) return;
        }
    }

    const Body& body_;
    TetrahedralMesh& mesh_;
    std::vector<std::vector<Index>> around_;            // tetrahedra of each point, ascending
    std::map<Edge, std::array<Index, 2>> surface_;      // edge a < b -> the third corners of its two triangles
    std::set<std::tuple<double, Index, Index>> queue_;  // minus the squared length, a, b
};

}  // namespace

void evenOut(const Body& body, int sweeps, TetrahedralMesh& mesh) {
    std::vector<char> outer;
    const auto guides = findGuides(mesh, outer);
    const auto around = tetrahedraOfPoints(mesh);
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t i = 0; i < mesh.points.size(); ++i) {
            Vec3 middle = Vec3::Zero();
            for (const Index j : guides[i]) middle += mesh.points[j];
            const Vec3 old = mesh.points[i], wanted = 0.5 * (old + middle / double(guides[i].size()));
            const double before = worstQuality(mesh, around[i]);
            const auto takes = [&](const Vec3& place, double least) {
                mesh.points[i] = place;
                const bool good = worstQuality(mesh, around[i]) >= least;
                if (!good) mesh.points[i] = old;
                return good;
            };
            if (takes(outer[i] ? body.onSurface(wanted) : wanted, std::min(before, kGood))) continue;
            if (outer[i] && before < kPoor)
                takes(wanted, before + kGain);  // in a fold, better off the surface than flat
        }
}

void refineSurface(const Body& body, double longest, Index mostPoints, TetrahedralMesh& mesh) {
    Halving halving(body, mesh);
    while (halving.longest() > longest && Index(mesh.points.size()) < mostPoints) halving.halveLongest();
    mesh.triangles = findBoundary(mesh.tetrahedra);
}

}  // namespace clothlab::geometry
