#include "geometry/fillings/t_shirt.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "geometry/fillings/outline_mesh.hpp"

namespace clothlab::geometry {
namespace {

// The half of a panel at u >= 0, m. Top (shoulder and sleeve) and underarm slope as the triangles 5-12-13 and 7-24-25.
constexpr double kHalfWidth = 0.25;              // of the torso
constexpr double kTop = 0.74;                    // where both tops would meet
constexpr double kTopRounding = 0.03;            // half the width over which they do
constexpr double kArmpit = 0.42, kRound = 0.04;  // where side and underarm would meet, and how far the seam keeps off
constexpr double kSleeveEnd = 0.44;              // of the top
constexpr double kNeck = 0.085;                  // half the width of the neck
constexpr double kFrontNeck = 0.09, kBackNeck = 0.045;  // its depth

// The shirt on the form, m.
constexpr double kHem = 0.1;      // height of the hem
constexpr double kDepth = 0.115;  // of chest and back
constexpr double kReach = 0.25;   // from a seam to the place where the depth no longer grows

double square(double x) { return x * x; }
double topAt(double u) { return kTop - 5.0 / 12 * std::sqrt(square(u) + square(kTopRounding)); }
/// Below the top, m.
double belowTop(const Vec2& p) { return 12.0 / 13 * (topAt(p.x()) - p.y()); }

/// From the seam of side and underarm: the smooth greater one of the distances from both lines. The seam is where it
/// vanishes, one branch of a hyperbola.
struct FromSide {
    double distance;
    Vec2 gradient;
};
FromSide fromSide(const Vec2& p) {
    const double side = kHalfWidth - p.x(), underarm = (7 * (p.x() - kHalfWidth) + 24 * (p.y() - kArmpit)) / 25;
    const double difference = side - underarm, root = std::sqrt(square(difference) + 4 * square(kRound));
    const double share = 0.5 * (1 + difference / root);
    return {0.5 * (side + underarm + root), {(1 - share) * 0.28 - share, (1 - share) * 0.96}};
}

/// That seam by the difference of both distances: from hem to sleeve it falls.
Vec2 sideSeam(double difference) {
    const double root = std::sqrt(square(difference) + 4 * square(kRound));
    const double out = 0.5 * (root - difference), below = 0.5 * (root + difference);
    return {kHalfWidth + out, kArmpit - (25 * below + 7 * out) / 24};
}
double differenceAt(double out) { return square(kRound) / out - out; }

/// How far beyond the line of the side the seam meets the hem, and the end of the sleeve: roots of quadratics.
double outAtHem() {
    const double half = 12 * kArmpit;
    return (half - std::sqrt(square(half) - 7 * 25 * square(kRound))) / 7;
}
double outAtSleeve() {
    const double end = 12 * kSleeveEnd - 5 * topAt(kSleeveEnd), half = 12 * (end + 5 * kArmpit - 12 * kHalfWidth);
    return (half + std::sqrt(square(half) - 323 * 125 * square(kRound))) / 323;
}

/// The share of kDepth at this distance from a seam: a parabola, level at kReach.
double rise(double distance) {
    const double share = std::min(1.0, distance / kReach);
    return share * (2 - share);
}

/// By how much shorter than the cloth, laid along that profile, its shadow is, from here to where it is level: the
/// integral of 1 - sqrt(1 - slope^2), as a series.
double takenUp(double distance) {
    const double rest = 1 - std::min(1.0, distance / kReach), slope2 = square(2 * kDepth / kReach * rest);
    return kReach * rest * slope2 * (1.0 / 6 + slope2 * (1.0 / 40 + slope2 / 112));
}

/// Where a point of the front is: x forward, y up, z to the side. Below, the side moves inward by what the depth takes
/// up; above, a polynomial in height and u moves everything, with odd powers of u sideways and even ones up, so that it
/// is smooth across the middle. Its coefficients are those of least strain in the pattern, by least squares with
/// weights that even out the largest.
Vec3 worn(const Vec2& p) {
    constexpr double kPolynomialBegins = 0.43, kSideEnds = 0.1075;  // m below the top
    constexpr double kUpper[3][2][2] = {
        {{-0.402, -0.038}, {-0.044, -0.127}}, {{0.858, 0.156}, {0.079, 0.185}}, {{-0.462, -0.146}, {-0.035, -0.072}}};
    const double below = belowTop(p), u = p.x() / kHalfWidth, height = std::max(0.0, 1 - below / kPolynomialBegins);
    const double part = std::clamp((below - kSideEnds) / (kPolynomialBegins - kSideEnds), 0.0, 1.0);
    const FromSide side = fromSide(p);
    Vec2 place = p + square(part) * (3 - 2 * part) * takenUp(side.distance) * side.gradient;
    double power = square(height);
    for (const auto& c : kUpper) {
        place += power * Vec2(u * (c[0][0] + c[1][0] * square(u)), c[0][1] + c[1][1] * square(u));
        power *= height;
    }
    return {kDepth * rise(side.distance) * rise(below), place.y() + kHem, place.x()};
}

/// The outline of half a panel, counter-clockwise from the middle of the hem, and where its parts begin.
struct HalfOutline {
    std::vector<Vec2> points;
    std::size_t side = 0, sleeve = 0, top = 0, neck = 0, middle = 0;

    bool isOnSeam(std::size_t k) const { return (k >= side && k <= sleeve) || (k >= top && k <= neck); }
    bool isInMiddle(std::size_t k) const { return k == 0 || (k >= middle && k < points.size()); }
};

/// Adds a curve over 0 to 1 but its end, at equal lengths of about `spacing`. Returns where it begins.
template <class Curve>
std::size_t append(const Curve& curve, double spacing, std::vector<Vec2>& points) {
    constexpr int kChords = 1000;
    std::array<double, kChords + 1> length{};
    for (int k = 0; k < kChords; ++k)
        length[k + 1] = length[k] + (curve((k + 1.0) / kChords) - curve(double(k) / kChords)).norm();
    const std::size_t begin = points.size();
    const int pieces = std::max(2, (int(2 * length[kChords] / spacing) + 1) / 2);  // rounded
    for (int piece = 0, k = 0; piece < pieces; ++piece) {
        const double wanted = piece * length[kChords] / pieces;
        while (length[k + 1] <= wanted) ++k;
        points.push_back(curve((k + (wanted - length[k]) / (length[k + 1] - length[k])) / kChords));
    }
    return begin;
}

HalfOutline halfOutline(double neckDepth, double spacing) {
    const auto line = [](const Vec2& a, const Vec2& b) { return [=](double t) { return Vec2(a + t * (b - a)); }; };
    const double first = differenceAt(outAtHem()), last = differenceAt(outAtSleeve()), neckHeight = topAt(kNeck);
    const Vec2 hem(kHalfWidth + outAtHem(), 0), underarm = sideSeam(last), sleeveTop(kSleeveEnd, topAt(kSleeveEnd));
    const auto top = [](double t) {
        const double u = kSleeveEnd + t * (kNeck - kSleeveEnd);
        return Vec2(u, topAt(u));
    };
    const auto neck = [&](double t) {  // a quarter of an ellipse
        return Vec2(Vec2(kNeck * (1 - t * t), neckHeight * (1 + t * t) - neckDepth * 2 * t) / (1 + t * t));
    };
    HalfOutline out;
    append(line(Vec2::Zero(), hem), spacing, out.points);
    out.side = append([&](double t) { return sideSeam(first + t * (last - first)); }, spacing, out.points);
    out.sleeve = append(line(underarm, sleeveTop), spacing, out.points);
    out.top = append(top, spacing, out.points);
    out.neck = append(neck, spacing, out.points);
    out.middle = append(line({0, neckHeight - neckDepth}, Vec2::Zero()), spacing, out.points);
    return out;
}

/// Sews panels together.
class Seamstress {
public:
    /// One half of a panel on each side of the body, right and left. The back comes after the front.
    void addPanel(const HalfOutline& outline, double spacing, bool front) {
        const FlatMesh half = fillOutline(outline.points, spacing);
        std::array<std::vector<Index>, 2> numbers;
        for (int left = 0; left < 2; ++left) {
            for (std::size_t k = 0; k < half.points.size(); ++k) {
                const bool seam = outline.isOnSeam(k);
                if (seam && !front)
                    numbers[left].push_back(seams_[left][k]);
                else if (left && outline.isInMiddle(k))
                    numbers[left].push_back(numbers[0][k]);
                else
                    numbers[left].push_back(addPoint(half.points[k], seam ? 0 : front ? 1 : -1, left ? 1 : -1));
            }
            for (const auto& [a, b, c] : half.triangles) {
                const auto& n = numbers[left];
                const bool turned = front == bool(left);
                mesh_.triangles.push_back(turned ? Triangle{n[a], n[c], n[b]} : Triangle{n[a], n[b], n[c]});
            }
        }
        if (front) seams_ = std::move(numbers);
    }
    TriangleMesh done() && { return std::move(mesh_); }

private:
    Index addPoint(const Vec2& p, int forward, int side) {
        const Vec3 at = worn(p);
        // Adding zero takes the sign off one.
        mesh_.points.push_back({forward * at.x() + 0.0, at.y(), side * at.z() + 0.0});
        mesh_.textures.push_back({-side * p.x() + 0.0, p.y()});
        return Index(mesh_.points.size()) - 1;
    }

    TriangleMesh mesh_;
    std::array<std::vector<Index>, 2> seams_;  // numbers of the front's points, right and left
};

}  // namespace

TriangleMesh makeTShirt(double spacing) {
    assert(spacing > 0 && spacing <= kCoarsestTShirt);
    Seamstress seamstress;
    seamstress.addPanel(halfOutline(kFrontNeck, spacing), spacing, true);
    seamstress.addPanel(halfOutline(kBackNeck, spacing), spacing, false);
    return std::move(seamstress).done();
}

}  // namespace clothlab::geometry
