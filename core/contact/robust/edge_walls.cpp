#include "contact/robust/edge_walls.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace clothlab::contact {
namespace {

constexpr int kParts = 8;           ///< of an edge, whose ends are sampled first
constexpr int kSearches = 5;        ///< golden-section steps in the deepest part
constexpr int kRounds = 6;          ///< at most, until the whole edge is outside
constexpr int kMarches = 12;        ///< steps of a point on its way out
constexpr double kOutside = 2e-3;   ///< of the length: smaller depths count as outside
constexpr double kSlowSlip = 1e-3;  ///< m/s
constexpr double kNoNormal = 0.05;  ///< a shorter sum of two normals has no direction

struct Segment {
    const geometry::Shape& shape;
    Vec3 a, along;  ///< m; b = a + along

    Vec3 at(double share) const { return a + share * along; }
    double distance(double share, const Vec3& shift) const {
        return geometry::signedDistance(shape, at(share) + shift).distance;
    }
};

/// Share and distance of the deepest point of a shifted segment.
std::pair<double, double> deepest(const Segment& segment, const Vec3& shift) {
    double share = 0, least = segment.distance(0, shift);
    for (int k = 1; k <= kParts; ++k)
        if (const double d = segment.distance(double(k) / kParts, shift); d < least) {
            least = d;
            share = double(k) / kParts;
        }
    constexpr double kGolden = 0.6180339887498949;
    double low = std::max(share - 1.0 / kParts, 0.0), high = std::min(share + 1.0 / kParts, 1.0);
    for (int k = 0; k < kSearches; ++k) {
        const double p = high - kGolden * (high - low), q = low + kGolden * (high - low);
        const double atP = segment.distance(p, shift), atQ = segment.distance(q, shift);
        (atP < atQ ? high : low) = atP < atQ ? q : p;
        if (std::min(atP, atQ) < least) {
            least = std::min(atP, atQ);
            share = atP < atQ ? p : q;
        }
    }
    return {share, least};
}

/// How far a point inside must move along a direction to be outside, m; at most `most`. Steps of the distance never
/// exceed the way that is left.
double wayOut(const geometry::Shape& shape, const Vec3& point, const Vec3& direction, double outside, double most) {
    double way = 0;
    for (int k = 0; k < kMarches && way < most; ++k) {
        const double d = geometry::signedDistance(shape, point + way * direction).distance;
        if (d > -outside) break;
        way -= d;
    }
    return way;
}

}  // namespace

void featureTerms(std::span<const FeatureWall> walls, std::span<const double> stiffness, const linalg::BlockVector& v,
                  double dt, std::span<const double> mass, std::vector<mechanics::PairTerm>& terms) {
    std::vector<mechanics::PairTerm> added;
    for (const FeatureWall& wall : walls) {
        const double depth = -wall.gap - kFreeDepth * wall.length;
        if (!(depth > 0)) continue;
        const std::size_t corners = wall.ofEdge() ? 2 : 3;
        double k = stiffness[wall.corners[0]];
        for (std::size_t c = 1; c < corners; ++c) k = std::min(k, stiffness[wall.corners[c]]);
        const double push = depth * k;
        const Mat3 along = wall.normal * wall.normal.transpose();
        const Vec3 relative = wall.mean(v) - wall.drift / dt;
        const Vec3 slip = relative - wall.normal.dot(relative) * wall.normal;
        const double drag = wall.mu * push / std::max(slip.norm(), kSlowSlip);
        for (std::size_t c = 0; c < corners; ++c) {
            const Index i = wall.corners[c];
            const double share = wall.weights[c];
            const double drags = mass.empty() ? share * drag : std::min(share * drag, 0.25 * mass[i] / dt);
            added.push_back({.i = i,
                             .j = mechanics::PairTerm::kOutside,
                             .force = share * push * wall.normal - drags * slip,
                             .stiffness = share * k * along,
                             .damping = drags * (Mat3::Identity() - along)});
        }
    }
    std::ranges::stable_sort(added, {}, &mechanics::PairTerm::i);
    const auto ofPairs = std::exchange(terms, {});
    auto pair = ofPairs.begin();
    for (const mechanics::PairTerm& term : added) {
        while (pair != ofPairs.end() && pair->i < term.i) terms.push_back(*pair++);
        if (!terms.empty() && terms.back().i == term.i && terms.back().outside()) {
            terms.back().force += term.force;
            terms.back().stiffness += term.stiffness;
            terms.back().damping += term.damping;
        } else {
            terms.push_back(term);
        }
    }
    terms.insert(terms.end(), pair, ofPairs.end());
}

double featureEnergy(std::span<const FeatureWall> walls, double stiffness) {
    double sum = 0;
    for (const FeatureWall& wall : walls) {
        const double depth = std::max(-wall.gap - kFreeDepth * wall.length, 0.0);
        sum += 0.5 * stiffness * depth * depth;
    }
    return sum;
}

std::optional<EdgeTouch> findTouch(const geometry::Shape& shape, const std::array<Vec3, 2>& ends,
                                   const std::array<Vec3, 2>& normals, double reach) {
    const Segment segment{shape, ends[0], ends[1] - ends[0]};
    const double length = segment.along.norm();
    if (!(length > 0)) return {};
    const Vec3 along = segment.along / length;
    const auto across = [&](const Vec3& n) { return Vec3(n - along.dot(n) * along); };
    Vec3 normal = across(normals[0] + normals[1]);
    if (normal.norm() < kNoNormal) {  // the ends are on opposite sides of something thin
        const double share = deepest(segment, Vec3::Zero()).first;
        normal = across(geometry::signedDistance(shape, segment.at(share)).normal);
        if (normal.norm() < kNoNormal) return {};
    }
    normal.normalize();
    const double outside = kOutside * length;
    EdgeTouch touch{0.5, normal, reach};
    bool inside = false;
    for (int round = 0; round < kRounds; ++round) {
        const Vec3 shift = -touch.gap * normal;
        const auto [share, distance] = deepest(segment, shift);
        if (distance > -outside) break;
        inside = true;
        touch.share = share;
        touch.gap -= wayOut(shape, segment.at(share) + shift, normal, outside, 2 * length);
        if (touch.gap < -length) return {};  // no way out along the normal
    }
    if (!inside) return {};
    return touch;
}

}  // namespace clothlab::contact
