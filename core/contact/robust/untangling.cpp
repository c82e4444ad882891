#include "contact/robust/untangling.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "geometry/intersections.hpp"

namespace clothlab::contact {
namespace {

using geometry::PairKind;
using geometry::Triangle;
using linalg::BlockVector;

/// Least sine of the angle between an edge and the plane of a triangle: a flatter edge counts as this steep.
constexpr double kFlattest = 0.1;

std::array<Index, 2> triangleEdge(const Triangle& t, int k) {
    return {std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])};
}

Vec3 computeNormal(const Triangle& t, const BlockVector& x) {
    return Vec3(x[t[1]] - x[t[0]]).cross(Vec3(x[t[2]] - x[t[0]])).normalized();
}

/// R_i - 2 (E.R_i)/(E.N) N of one triangle beside the edge e.
Vec3 shortening(const std::array<Index, 2>& e, const Triangle& beside, const Vec3& N, const BlockVector& x) {
    const Vec3 E = (x[e[1]] - x[e[0]]).normalized();
    Vec3 R = N.cross(computeNormal(beside, x));
    if (!(R.norm() > 1e-12)) return Vec3::Zero();
    R.normalize();
    const auto tip = std::ranges::find_if(beside, [&](Index i) { return i != e[0] && i != e[1]; });
    Vec3 inward = x[*tip] - x[e[0]];
    inward -= inward.dot(E) * E;
    if (R.dot(inward) < 0) R = -R;
    const double across = E.dot(N);
    return R - 2 * E.dot(R) / std::copysign(std::max(std::abs(across), kFlattest), across) * N;
}

/// What the cut edges separate: the smaller part of the cloth has strayed to the wrong side.
class Islands {
public:
    Islands(Index particles, std::span<const std::array<Index, 2>> edges, std::span<const geometry::Intersection> cuts)
        : parent_(std::size_t(particles)), size_(std::size_t(particles), 1) {
        for (Index i = 0; i < particles; ++i) parent_[i] = i;
        std::vector<std::array<Index, 2>> cut;
        for (const geometry::Intersection& one : cuts) cut.push_back(one.edge);
        std::ranges::sort(cut);
        for (const std::array<Index, 2>& edge : edges) {
            if (std::ranges::binary_search(cut, edge)) continue;
            Index a = root(edge[0]), b = root(edge[1]);
            if (a == b) continue;
            if (size_[a] < size_[b]) std::swap(a, b);
            parent_[b] = a;
            size_[a] += size_[b];
        }
        some_ = std::ranges::any_of(cut, [&](const auto& edge) { return strayed(edge) >= 0; });
    }
    /// Whether there are any: a slit separates nothing.
    bool some() const { return some_; }
    /// The end of an edge that lies in the smaller of two parts; -1: its ends are connected.
    Index strayed(const std::array<Index, 2>& edge) const {
        const Index a = root(edge[0]), b = root(edge[1]);
        if (a == b) return -1;
        return size_[a] < size_[b] || (size_[a] == size_[b] && a < b) ? edge[0] : edge[1];
    }

private:
    Index root(Index i) const {
        while (parent_[i] != i) i = parent_[i];
        return i;
    }
    std::vector<Index> parent_, size_;
    bool some_ = false;
};

}  // namespace

/// Marks the rings of triangles around the edge and around the triangle of a cut: as they come apart the cut moves
/// through neighbours.
void Untangling::mark(std::span<const Triangle> triangles, Index particles) {
    marks_.assign(std::size_t(particles), {});
    std::vector<std::vector<Index>> own(marks_.size());
    for (std::size_t k = 0; k < cuts_.size(); ++k)
        for (int corner = 0; corner < 5; ++corner) own[cuts_[k].corners[corner]].push_back(Index(2 * k + (corner > 1)));
    for (const Triangle& t : triangles)
        for (const Index from : t)
            for (const Index to : t) marks_[to].insert(marks_[to].end(), own[from].begin(), own[from].end());
    for (std::vector<Index>& of : marks_) {
        std::ranges::sort(of);
        of.erase(std::unique(of.begin(), of.end()), of.end());
    }
}

void Untangling::find(const BlockVector& x, std::span<const Triangle> triangles,
                      std::span<const std::array<Index, 2>> edges, std::span<const Index> seam) {
    cuts_.clear();
    marks_.clear();
    std::vector<Vec3> points;
    for (Index i = 0; i < x.size(); ++i) points.push_back(x[i]);
    const auto found = geometry::findIntersections(points, triangles, seam);
    if (found.empty()) return;
    std::vector<std::vector<Index>> beside(edges.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int k = 0; k < 3; ++k)
            beside[std::size_t(std::ranges::lower_bound(edges, triangleEdge(triangles[t], k)) - edges.begin())]
                .push_back(Index(t));
    const Islands islands(x.size(), edges, found);
    for (const geometry::Intersection& one : found) {
        const Triangle& through = triangles[one.triangle];
        const auto& [p, q] = one.edge;
        const Vec3 N = computeNormal(through, x);
        Vec3 G = Vec3::Zero();
        if (const Index strayed = islands.strayed(one.edge); strayed >= 0)
            G = N.dot(x[p] + x[q] - 2 * x[strayed]) > 0 ? N : Vec3(-N);
        else if (!islands.some())
            for (const Index t : beside[std::size_t(std::ranges::lower_bound(edges, one.edge) - edges.begin())])
                G += shortening(one.edge, triangles[t], N, x);
        const double before = N.dot(x[p] - x[through[0]]), after = N.dot(x[q] - x[through[0]]);
        const double share = before / (before - after);  // of the edge, up to the plane
        const Vec3 meeting = (1 - share) * x[p] + share * x[q];
        const auto on = geometry::closestPoints(PairKind::VertexTriangle,
                                                {meeting, points[through[0]], points[through[1]], points[through[2]]});
        cuts_.push_back({{p, q, through[0], through[1], through[2]},
                         {1 - share, share, on.weights[1], on.weights[2], on.weights[3]},
                         G.norm() > 1e-9 ? G.normalized() : Vec3(Vec3::Zero())});
    }
    mark(triangles, x.size());
}

bool Untangling::tangled(const std::array<Index, 4>& corners, PairKind kind) const {
    if (marks_.empty()) return false;
    const int second = kind == PairKind::VertexTriangle ? 1 : 2;
    const auto all = [&](int from, int to, Index mark) {
        return std::all_of(corners.begin() + from, corners.begin() + to,
                           [&](Index i) { return std::ranges::binary_search(marks_[i], mark); });
    };
    return std::ranges::any_of(marks_[corners[0]],
                               [&](Index mark) { return all(1, second, mark) && all(second, 4, mark ^ 1); });
}

void Untangling::draw(double by, const Mobility& mobility, BlockVector& u) const {
    for (const Cut& cut : cuts_) {
        double moved = 0, compliance = 0;
        for (int k = 0; k < 5; ++k) {
            moved += cut.weights[k] * cut.direction.dot(u[cut.corners[k]]);
            compliance +=
                cut.weights[k] * cut.weights[k] * cut.direction.dot(mobility.moved(cut.corners[k], cut.direction));
        }
        if (moved >= by || !(compliance > 0)) continue;
        const Vec3 impulse = (by - moved) / compliance * cut.direction;
        for (int k = 0; k < 5; ++k) u[cut.corners[k]] += mobility.moved(cut.corners[k], cut.weights[k] * impulse);
    }
}

}  // namespace clothlab::contact
