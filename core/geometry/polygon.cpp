#include "geometry/polygon.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "geometry/triangle_mesh.hpp"

namespace clothlab::geometry {
namespace {

using Vec2 = Eigen::Vector2d;

constexpr double kFlattest = 1e-9;  // height over length: below it, corners lie on a line

/// Twice the area of a triangle, over the square of its longest side: positive counter-clockwise. How well it is
/// shaped.
double shapeQuality(const Vec2& a, const Vec2& b, const Vec2& c) {
    const Vec2 u = b - a, v = c - a;
    const double longest = std::max({u.squaredNorm(), v.squaredNorm(), (c - b).squaredNorm()});
    return longest > 0 ? (u.x() * v.y() - u.y() * v.x()) / longest : 0;
}

/// Which side of the line from a to b a point lies on: 1 left, -1 right, 0 on it.
int orientationSign(const Vec2& a, const Vec2& b, const Vec2& p) {
    const double shape = shapeQuality(a, b, p);
    return shape > kFlattest ? 1 : shape < -kFlattest ? -1 : 0;
}

/// For p on the line through a and b: whether it lies between them or is one of them.
bool isBetween(const Vec2& a, const Vec2& b, const Vec2& p) { return (p - a).dot(p - b) <= 0; }

bool touch(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    for (int k = 0; k < 2; ++k)
        if (std::max(a[k], b[k]) < std::min(c[k], d[k]) || std::max(c[k], d[k]) < std::min(a[k], b[k])) return false;
    const int cSide = orientationSign(a, b, c), dSide = orientationSign(a, b, d), aSide = orientationSign(c, d, a),
              bSide = orientationSign(c, d, b);
    if (cSide * dSide < 0 && aSide * bSide < 0) return true;
    return (cSide == 0 && isBetween(a, b, c)) || (dSide == 0 && isBetween(a, b, d)) ||
           (aSide == 0 && isBetween(c, d, a)) || (bSide == 0 && isBetween(c, d, b));
}

/// A polygon seen in the plane of its area vector, counter-clockwise.
class Polygon {
public:
    Polygon(std::span<const Vec3> corners, const Vec3& area) : corners_(corners) {
        const Vec3 normal = area.normalized();
        const Vec3 across = std::abs(normal.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
        const Vec3 u = (across - across.dot(normal) * normal).normalized(), v = normal.cross(u);
        for (const Vec3& corner : corners) flat_.emplace_back(u.dot(corner - corners[0]), v.dot(corner - corners[0]));
    }

    /// Whether the fan around the first corner has no fold: it turns one way, and less than once around.
    bool fanCovers() const {
        double turned = 0;
        for (std::size_t k = 2; k < flat_.size(); ++k) {
            if (!(shapeQuality(flat_[0], flat_[k - 1], flat_[k]) > kFlattest)) return false;
            if (isDegenerate(corners_[0], corners_[k - 1], corners_[k])) return false;
            const Vec2 a = flat_[k - 1] - flat_[0], b = flat_[k] - flat_[0];
            turned += std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b));
        }
        return turned < 2 * std::numbers::pi - kFlattest;
    }
    bool crossesItself() const {
        const std::size_t n = flat_.size();
        for (std::size_t i = 0; i < n; ++i) {
            // Neighbours share a corner; they touch beside it where the outline turns back on itself.
            const Vec2 &a = flat_[i], &b = flat_[(i + 1) % n], &c = flat_[(i + 2) % n];
            if (orientationSign(a, b, c) == 0 && (b - a).dot(c - b) <= 0) return true;
            for (std::size_t j = i + 2; j < n; ++j)
                if (!(i == 0 && j == n - 1) && touch(a, b, flat_[j], flat_[(j + 1) % n])) return true;
        }
        return false;
    }
    /// Cuts off ears; nullopt where rounding leaves none.
    std::optional<std::vector<PolygonTriangle>> cutEars();

private:
    /// The triangle at a corner that is left: how well it is shaped; 0 when it is no ear, and why.
    struct Ear {
        double shape = 0;
        std::size_t blocker = std::size_t(-1);  // the corner that lies in it
    };
    Ear earAt(std::size_t at) const;

    std::span<const Vec3> corners_;
    std::vector<Vec2> flat_;
    std::vector<std::size_t> left_;  // corners that are not cut off yet, in order
};

Polygon::Ear Polygon::earAt(std::size_t at) const {
    const std::size_t n = left_.size(), before = left_[(at + n - 1) % n], here = left_[at], after = left_[(at + 1) % n];
    const Vec2 &a = flat_[before], &b = flat_[here], &c = flat_[after];
    const double shape = shapeQuality(a, b, c);
    if (!(shape > kFlattest) || isDegenerate(corners_[before], corners_[here], corners_[after])) return {};
    for (const std::size_t k : left_) {
        if (k == before || k == here || k == after) continue;
        const Vec2& p = flat_[k];
        if (orientationSign(a, b, p) >= 0 && orientationSign(b, c, p) >= 0 && orientationSign(c, a, p) >= 0)
            return {0, k};
    }
    return {shape};
}

std::optional<std::vector<PolygonTriangle>> Polygon::cutEars() {
    left_.resize(flat_.size());
    std::iota(left_.begin(), left_.end(), std::size_t{0});
    std::vector<Ear> ears;
    for (std::size_t at = 0; at < left_.size(); ++at) ears.push_back(earAt(at));
    std::vector<PolygonTriangle> triangles;
    while (left_.size() > 3) {
        const auto best = std::ranges::max_element(ears, {}, &Ear::shape);
        if (!(best->shape > 0)) return {};
        const std::size_t at = std::size_t(best - ears.begin()), n = left_.size(), gone = left_[at];
        triangles.push_back({left_[(at + n - 1) % n], gone, left_[(at + 1) % n]});
        left_.erase(left_.begin() + std::ptrdiff_t(at));
        ears.erase(best);
        // Only its neighbours have another triangle now, and the corners whose triangle it lay in.
        for (std::size_t k = 0; k < left_.size(); ++k)
            if (k == at % left_.size() || k == (at + left_.size() - 1) % left_.size() || ears[k].blocker == gone)
                ears[k] = earAt(k);
    }
    if (!(shapeQuality(flat_[left_[0]], flat_[left_[1]], flat_[left_[2]]) > kFlattest)) return {};
    triangles.push_back({left_[0], left_[1], left_[2]});
    return triangles;
}

std::vector<PolygonTriangle> makeFan(std::size_t corners) {
    std::vector<PolygonTriangle> fan;
    for (std::size_t k = 2; k < corners; ++k) fan.push_back({0, k - 1, k});
    return fan;
}

bool lieOnALine(std::span<const Vec3> corners) {
    const auto far = [&](const Vec3& from) {
        return *std::max_element(corners.begin(), corners.end(), [&](const Vec3& p, const Vec3& q) {
            return (p - from).squaredNorm() < (q - from).squaredNorm();
        });
    };
    const Vec3 a = far(corners[0]), b = far(a);
    return std::all_of(corners.begin(), corners.end(), [&](const Vec3& p) { return isDegenerate(a, b, p); });
}

}  // namespace

Expected<std::vector<PolygonTriangle>> triangulatePolygon(std::span<const Vec3> corners) {
    assert(corners.size() >= 3);
    std::vector<PolygonTriangle> triangles = makeFan(corners.size());
    if (corners.size() == 3 || lieOnALine(corners)) return triangles;
    Vec3 area = Vec3::Zero();  // twice
    for (const auto& [a, b, c] : triangles) area += areaVector(corners[a], corners[b], corners[c]);
    double extent = 0;
    for (const Vec3& corner : corners) extent = std::max(extent, (corner - corners[0]).squaredNorm());
    constexpr std::string_view kCrosses = "the face crosses or touches itself";
    if (!(area.norm() > kFlattest * extent)) return fail(std::string(kCrosses));
    Polygon polygon(corners, area);
    if (!polygon.fanCovers()) {
        if (corners.size() > kMostPolygonCorners)
            return fail(fmt::format("the face has {} corners and is not convex: at most {} then", corners.size(),
                                    kMostPolygonCorners));
        if (polygon.crossesItself()) return fail(std::string(kCrosses));
        auto ears = polygon.cutEars();
        if (!ears) return fail(std::string(kCrosses));
        triangles = std::move(*ears);
    }
    constexpr double kMost = 1.5;
    double sum = 0;
    for (const auto& [a, b, c] : triangles) sum += areaVector(corners[a], corners[b], corners[c]).norm();
    if (sum > kMost * area.norm())
        return fail(
            fmt::format("the face is far from a plane: its triangles have {:.3g} times the area that it has "
                        "seen from the front",
                        sum / area.norm()));
    return triangles;
}

}  // namespace clothlab::geometry
