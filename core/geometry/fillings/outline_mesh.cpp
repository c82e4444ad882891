#include "geometry/fillings/outline_mesh.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace clothlab::geometry {
namespace {

constexpr double kClearance = 0.65;  // of the spacing: from the outline to the nearest point of the lattice
constexpr int kSweeps = 6;           // of points to the middle of the triangles around them

/// Twice the area of a triangle, positive counter-clockwise.
double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
    const Vec2 p = b - a, q = c - a;
    return p.x() * q.y() - p.y() * q.x();
}

double squaredDistance(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 side = b - a;
    const double along = std::clamp(side.dot(p - a) / side.squaredNorm(), 0.0, 1.0);
    return (p - a - along * side).squaredNorm();
}

/// Inside the polygon, and at least `clearance` from each of its sides.
bool isWellInside(const Vec2& p, std::span<const Vec2> outline, double clearance) {
    bool inside = false;
    for (std::size_t k = 0; k < outline.size(); ++k) {
        const Vec2 &a = outline[k], &b = outline[(k + 1) % outline.size()];
        if (squaredDistance(p, a, b) < clearance * clearance) return false;
        if ((a.y() > p.y()) != (b.y() > p.y())) inside ^= (turn(a, b, p) > 0) == (b.y() > a.y());
    }
    return inside;
}

/// Columns of a lattice of regular triangles, up and down in turn, so that each point is near the one before.
std::vector<Vec2> latticeInside(std::span<const Vec2> outline, double spacing) {
    Vec2 low = outline.front(), high = low;
    for (const Vec2& p : outline) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    const double pitch = std::sqrt(0.75) * spacing;
    const int columns = int((high.x() - low.x()) / pitch), rows = int((high.y() - low.y()) / spacing);
    std::vector<Vec2> points;
    for (int c = 0; c <= columns; ++c)
        for (int k = 0; k <= rows; ++k) {
            const int r = c % 2 == 0 ? k : rows - k;
            const Vec2 p = low + Vec2(c * pitch, (r + 0.5 * (c % 2)) * spacing);
            if (isWellInside(p, outline, kClearance * spacing)) points.push_back(p);
        }
    return points;
}

/// Cuts a polygon into triangles, one corner after the other, each where nothing lies in what is cut off.
std::vector<Triangle> clipEars(std::span<const Vec2> outline) {
    std::vector<Index> left(outline.size());
    for (std::size_t k = 0; k < left.size(); ++k) left[k] = Index(k);
    const auto isEar = [&](const Triangle& t) {
        const Vec2 &a = outline[t[0]], &b = outline[t[1]], &c = outline[t[2]];
        const double flat = 1e-9 * (c - a).squaredNorm();
        if (turn(a, b, c) <= flat) return false;
        return std::none_of(left.begin(), left.end(), [&](Index k) {
            if (k == t[0] || k == t[1] || k == t[2]) return false;
            const Vec2& p = outline[k];
            return turn(a, b, p) >= -flat && turn(b, c, p) >= -flat && turn(c, a, p) >= -flat;
        });
    };
    std::vector<Triangle> ears;
    for (std::size_t at = 0, tried = 0; left.size() > 2 && tried <= left.size(); ++at, ++tried) {
        const std::size_t n = left.size(), middle = (at + 1) % n;
        const Triangle ear{left[at % n], left[middle], left[(at + 2) % n]};
        if (!isEar(ear)) continue;
        ears.push_back(ear);
        left.erase(left.begin() + std::ptrdiff_t(middle));
        tried = 0;
    }
    assert(left.size() == 2 && "the outline crosses itself, or runs clockwise");
    return ears;
}

/// Whether the angles opposite to the side a - b of triangles a, b, c and b, a, d sum to more than two right ones. A
/// tie is left as it is.
bool isBetterFlipped(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    const Vec2 ca = a - c, cb = b - c, da = a - d, db = b - d;
    const double sine = turn(c, a, b) * db.dot(da) + ca.dot(cb) * turn(d, b, a);
    return sine < -1e-9 * std::sqrt(ca.squaredNorm() * cb.squaredNorm() * da.squaredNorm() * db.squaredNorm());
}

/// Triangles that know their neighbours. Side k of a triangle runs from its corner k to the next.
class Triangulation {
public:
    explicit Triangulation(std::span<const Vec2> outline)
        : points_(outline.begin(), outline.end()), onOutline_(outline.size()), triangles_(clipEars(outline)) {
        across_.assign(triangles_.size(), {-1, -1, -1});
        join();
        flipAll();
    }

    /// A point that is inside, and on no side of the outline.
    void insert(const Vec2& p) {
        const Index t = find(p), c = Index(points_.size());
        points_.push_back(p);
        const Triangle corners = triangles_[t];
        const std::array<Index, 3> out = across_[t], parts{t, Index(triangles_.size()), Index(triangles_.size()) + 1};
        triangles_.resize(triangles_.size() + 2);
        across_.resize(triangles_.size());
        for (int k = 0; k < 3; ++k) {
            triangles_[parts[k]] = {corners[k], corners[(k + 1) % 3], c};
            across_[parts[k]] = {out[k], parts[(k + 1) % 3], parts[(k + 2) % 3]};
            if (out[k] >= 0) across_[out[k]][sideTo(out[k], corners[(k + 1) % 3])] = parts[k];
            doubtful_.push_back({parts[k], 0});
        }
        flipDoubtful();
        last_ = t;
    }

    void evenOut() {
        std::vector<Vec2> sum(points_.size(), Vec2::Zero());
        std::vector<double> weight(points_.size(), 0);
        for (const Triangle& t : triangles_) {
            const Vec2 &a = points_[t[0]], &b = points_[t[1]], &c = points_[t[2]];
            const double area = turn(a, b, c);
            for (const Index corner : t) {
                sum[corner] += area * (a + b + c) / 3;
                weight[corner] += area;
            }
        }
        for (std::size_t k = onOutline_; k < points_.size(); ++k) points_[k] = sum[k] / weight[k];
        flipAll();
    }

    FlatMesh done() && { return {std::move(points_), std::move(triangles_)}; }

private:
    struct Side {
        Index triangle;
        int k;
    };

    /// The side of a triangle that starts at this corner.
    int sideTo(Index triangle, Index corner) const {
        const Triangle& t = triangles_[triangle];
        return t[0] == corner ? 0 : t[1] == corner ? 1 : 2;
    }

    /// Neighbours of triangles that came without.
    void join() {
        struct Directed {
            Index a, b;
            Side side;
        };
        std::vector<Directed> all;
        for (std::size_t t = 0; t < triangles_.size(); ++t)
            for (int k = 0; k < 3; ++k) all.push_back({triangles_[t][k], triangles_[t][(k + 1) % 3], {Index(t), k}});
        const auto ends = [](const Directed& d) { return std::pair(d.a, d.b); };
        std::sort(all.begin(), all.end(), [&](const Directed& p, const Directed& q) { return ends(p) < ends(q); });
        for (const Directed& d : all) {
            const auto twin = std::lower_bound(all.begin(), all.end(), std::pair(d.b, d.a),
                                               [&](const Directed& p, const auto& key) { return ends(p) < key; });
            if (twin != all.end() && ends(*twin) == std::pair(d.b, d.a))
                across_[d.side.triangle][d.side.k] = twin->side.triangle;
        }
    }

    /// A side of the triangle beyond which the point is by more than rounding; 3: none.
    int sideToward(Index triangle, const Vec2& p) const {
        const Triangle& t = triangles_[triangle];
        for (int k = 0; k < 3; ++k) {
            const Vec2 &a = points_[t[k]], &b = points_[t[(k + 1) % 3]];
            if (turn(a, b, p) < -1e-12 * (b - a).squaredNorm()) return k;
        }
        return 3;
    }

    /// A walk from the triangle of the point before, which is near; where the outline stops it, a search of all.
    Index find(const Vec2& p) const {
        Index at = last_;
        for (std::size_t steps = 0; at >= 0 && steps < triangles_.size(); ++steps) {
            const int k = sideToward(at, p);
            if (k == 3) return at;
            at = across_[at][k];
        }
        for (at = 0; at < Index(triangles_.size()); ++at)
            if (sideToward(at, p) == 3) return at;
        assert(false && "a point outside");
        return last_;
    }

    /// Two triangles over a - b become two over c - d, and their outer sides doubtful.
    void flipDoubtful() {
        while (!doubtful_.empty()) {
            const auto [t, k] = doubtful_.back();
            doubtful_.pop_back();
            const Index n = across_[t][k];
            if (n < 0) continue;
            const Index a = triangles_[t][k], b = triangles_[t][(k + 1) % 3], c = triangles_[t][(k + 2) % 3];
            const int j = sideTo(n, b);
            const Index d = triangles_[n][(j + 2) % 3];
            if (!isBetterFlipped(points_[a], points_[b], points_[c], points_[d])) continue;
            const Index bc = across_[t][(k + 1) % 3], ca = across_[t][(k + 2) % 3];
            const Index ad = across_[n][(j + 1) % 3], db = across_[n][(j + 2) % 3];
            triangles_[t] = {c, a, d};
            across_[t] = {ca, ad, n};
            triangles_[n] = {d, b, c};
            across_[n] = {db, bc, t};
            if (ad >= 0) across_[ad][sideTo(ad, d)] = t;
            if (bc >= 0) across_[bc][sideTo(bc, c)] = n;
            for (const Side& side : {Side{t, 0}, Side{t, 1}, Side{n, 0}, Side{n, 1}}) doubtful_.push_back(side);
        }
    }

    void flipAll() {
        for (Index t = 0; t < Index(triangles_.size()); ++t)
            for (int k = 0; k < 3; ++k) doubtful_.push_back({t, k});
        flipDoubtful();
    }

    std::vector<Vec2> points_;
    std::size_t onOutline_;
    std::vector<Triangle> triangles_;
    std::vector<std::array<Index, 3>> across_;  // the triangle beyond each side; -1 on the outline
    std::vector<Side> doubtful_;
    Index last_ = 0;
};

}  // namespace

FlatMesh fillOutline(std::span<const Vec2> outline, double spacing) {
    assert(outline.size() > 2 && spacing > 0);
    Triangulation mesh(outline);
    for (const Vec2& p : latticeInside(outline, spacing)) mesh.insert(p);
    for (int sweep = 0; sweep < kSweeps; ++sweep) mesh.evenOut();
    return std::move(mesh).done();
}

}  // namespace clothlab::geometry
