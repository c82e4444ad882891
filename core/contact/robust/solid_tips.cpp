#include "contact/robust/solid_tips.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <variant>

#include "geometry/continuous_collision.hpp"
#include "geometry/triangle_mesh.hpp"

namespace clothlab::contact {
namespace {

using geometry::PairKind;

constexpr double kSharp = 0.6;     ///< cosine: faces turn away from the direction of a tip by more than 53 degrees
constexpr double kSideways = 0.2;  ///< cosine: a tip more parallel to a triangle decides no side
constexpr double kBeside = 0.02;   ///< of a triangle: a tip this far beside it still meets it

/// Points of a mesh around which all faces fall away steeply.
std::vector<SolidTip> tipsOfMesh(const geometry::TriangleMesh& mesh) {
    std::vector<Vec3> outward(mesh.points.size(), Vec3::Zero());
    for (const geometry::Triangle& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 a = (mesh.points[t[(k + 1) % 3]] - mesh.points[t[k]]).normalized();
            const Vec3 b = (mesh.points[t[(k + 2) % 3]] - mesh.points[t[k]]).normalized();
            const double angle = std::acos(std::clamp(a.dot(b), -1.0, 1.0));
            outward[t[k]] += angle * a.cross(b).normalized();
        }
    std::vector<std::uint8_t> isTip(mesh.points.size(), 1);
    for (std::size_t i = 0; i < isTip.size(); ++i) {
        isTip[i] = outward[i].norm() > 1e-9;
        outward[i].normalize();
    }
    for (const geometry::Triangle& t : mesh.triangles) {
        const Vec3 normal = geometry::areaVector(mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]).normalized();
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 &n = outward[t[k]], &p = mesh.points[t[k]];
            const bool falls = n.dot(mesh.points[t[(k + 1) % 3]] - p) < 0 && n.dot(mesh.points[t[(k + 2) % 3]] - p) < 0;
            if (!falls || n.dot(normal) > kSharp) isTip[t[k]] = 0;
        }
    }
    std::vector<SolidTip> tips;
    for (std::size_t i = 0; i < isTip.size(); ++i)
        if (isTip[i] != 0) tips.push_back({mesh.points[i], outward[i], 0});
    return tips;
}

/// Both ends of a thin shape along y.
std::vector<SolidTip> ends(double halfHeight, double radius) {
    return {{halfHeight * Vec3::UnitY(), Vec3::UnitY(), radius}, {-halfHeight * Vec3::UnitY(), -Vec3::UnitY(), radius}};
}

struct TipsOf {
    double thin;
    using Tips = std::vector<SolidTip>;

    Tips operator()(const geometry::Sphere& s) const {
        return s.radius < thin ? Tips{{Vec3::Zero(), Vec3::Zero(), s.radius}} : Tips{};
    }
    Tips operator()(const geometry::Box& s) const {
        Tips tips;
        for (int k = 0; k < 8; ++k) {
            const Vec3 sign((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1);
            tips.push_back({s.halfSize.cwiseProduct(sign), sign.normalized(), 0});
        }
        return tips;
    }
    Tips operator()(const geometry::Cylinder& s) const { return s.radius < thin ? ends(s.halfHeight, 0) : Tips{}; }
    Tips operator()(const geometry::Capsule& s) const {
        return s.radius < thin ? ends(s.halfHeight, s.radius) : Tips{};
    }
    Tips operator()(const geometry::Plane&) const { return {}; }
    Tips operator()(const geometry::MeshSolid& s) const { return s.surface ? tipsOfMesh(*s.surface) : Tips{}; }
};

struct RodsOf {
    double thin;
    using Rods = std::vector<SolidRod>;

    static Rods along(double half, double radius) { return {{{half * Vec3::UnitY(), -half * Vec3::UnitY()}, radius}}; }
    Rods operator()(const geometry::Capsule& s) const {
        return s.radius < thin ? along(s.halfHeight, s.radius) : Rods{};
    }
    Rods operator()(const geometry::Cylinder& s) const {
        if (!(s.radius < thin && s.halfHeight > s.radius)) return {};
        return along(s.halfHeight - s.radius, s.radius);  // within its caps
    }
    /// The box of their middles is smaller by the radius on all sides; without one or two of its sizes it has fewer
    /// edges.
    Rods operator()(const geometry::Box& s) const {
        const double radius = s.halfSize.minCoeff();
        Rods rods;
        if (!(radius < thin)) return rods;
        const Vec3 middles = s.halfSize - Vec3::Constant(radius);
        for (int axis = 0; axis < 3; ++axis) {
            if (!(middles[axis] > 0)) continue;
            const int a = (axis + 1) % 3, b = (axis + 2) % 3;
            for (int k = 0; k < 4; ++k) {
                if (((k & 1) != 0 && !(middles[a] > 0)) || ((k & 2) != 0 && !(middles[b] > 0))) continue;
                Vec3 end = middles;
                if ((k & 1) != 0) end[a] = -end[a];
                if ((k & 2) != 0) end[b] = -end[b];
                Vec3 other = end;
                other[axis] = -other[axis];
                rods.push_back({{end, other}, radius});
            }
        }
        return rods;
    }
    Rods operator()(const geometry::Sphere&) const { return {}; }
    Rods operator()(const geometry::Plane&) const { return {}; }
    Rods operator()(const geometry::MeshSolid&) const { return {}; }
};

/// Barycentric weights of the foot of a point on the plane of a triangle.
std::array<double, 3> footWeights(const Vec3& point, const std::array<Vec3, 3>& t, const Vec3& areaVector) {
    const double area = areaVector.squaredNorm();
    const double a = areaVector.dot((t[1] - point).cross(t[2] - point)) / area;
    const double b = areaVector.dot((t[2] - point).cross(t[0] - point)) / area;
    return {a, b, 1 - a - b};
}

Vec3 weightedMean(const std::array<double, 3>& weights, const std::array<Vec3, 3>& t) {
    return weights[0] * t[0] + weights[1] * t[1] + weights[2] * t[2];
}

}  // namespace

std::vector<SolidTip> findTips(const geometry::Shape& shape, double thin) { return std::visit(TipsOf{thin}, shape); }

std::optional<TipTouch> findTouch(const TipMotion& tip, const std::array<Vec3, 3>& start,
                                  const std::array<Vec3, 3>& end, double reach) {
    const geometry::PairMotion motion{
        PairKind::VertexTriangle, {tip.start, start[0], start[1], start[2]}, {tip.end, end[0], end[1], end[2]}};
    const auto meeting = geometry::firstMeeting(motion, tip.radius);
    const bool met = meeting && *meeting > 0;  // at 0: they were together already
    const auto [point, a, b, c] = motion.at(met ? *meeting : 1);
    const std::array<Vec3, 3> there{a, b, c};
    const Vec3 area = (b - a).cross(c - a);
    if (!(area.squaredNorm() > 0)) return {};
    TipTouch touch{footWeights(point, there, area), area.normalized(), 0, met};
    double sum = 0;
    for (double& w : touch.weights) {
        if (w < -kBeside) return {};
        sum += w = std::max(w, 0.0);
    }
    for (double& w : touch.weights) w /= sum;
    double side = touch.normal.dot(tip.outward);
    if (met || std::abs(side) < kSideways) side = touch.normal.dot(weightedMean(touch.weights, start) - tip.start);
    if (side < 0) touch.normal = -touch.normal;
    touch.gap = touch.normal.dot(weightedMean(touch.weights, end) - tip.end) - tip.radius;
    if (touch.gap > reach) return {};
    return touch;
}

std::vector<SolidRod> findRods(const geometry::Shape& shape, double thin) { return std::visit(RodsOf{thin}, shape); }

std::optional<RodTouch> findTouch(const RodMotion& rod, const std::array<Vec3, 2>& start,
                                  const std::array<Vec3, 2>& end, double reach) {
    const geometry::PairMotion motion{
        PairKind::EdgeEdge, {start[0], start[1], rod.start[0], rod.start[1]}, {end[0], end[1], rod.end[0], rod.end[1]}};
    const auto meeting = geometry::firstMeeting(motion, rod.radius);
    const geometry::ClosestPoints closest = closestPoints(PairKind::EdgeEdge, motion.at(meeting.value_or(1)));
    const double distance = closest.distance();
    if (!(distance > 0)) return {};
    RodTouch touch{closest.weights[1], -closest.weights[3], closest.apart / distance, 0};
    Vec3 apart = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) apart += closest.weights[k] * motion.end[k];
    touch.gap = touch.normal.dot(apart) - rod.radius;
    if (touch.gap > reach) return {};
    return touch;
}

}  // namespace clothlab::contact
