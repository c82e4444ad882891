#include "contact/robust/layer_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace clothlab::contact {
namespace {

/// Largest share of an overlap that a step removes.
constexpr double kRepelledShare = 0.1;
/// Stiffness of a sliding pair against its slip, as a share of the secant's.
constexpr double kDrag = 0.2;
/// Factor of the stiffness beyond inertia when springs are softened.
constexpr double kSofter = 0.3;

/// kg: effective mass of a pair along its normal.
double effectiveMass(const LayerPair& p, std::span<const double> mass) {
    double compliance = 0;
    for (int k = 0; k < 4; ++k) compliance += p.weights[k] * p.weights[k] / mass[p.corners[k]];
    return 1 / compliance;
}

}  // namespace

void LayerPair::weigh(const LayerLaw& law, std::span<const double> mass) {
    stiffness = law.stiffness * (law.softness * law.repulsion + effectiveMass(*this, mass) / (law.dt * law.dt));
    const double most = law.friction * push;
    slides = false;
    hold.setZero();
    steady.setZero();
    if (!(most > 0)) return;
    const Mat3 plane = Mat3::Identity() - normal * normal.transpose();
    const Vec3 wanted = friction - stiffness * slip;
    const double size = wanted.norm();
    slides = size > most;
    if (slides) {
        const Vec3 t = wanted / size;
        hold = stiffness * most / size * (plane - (1 - kDrag) * Mat3(t * t.transpose()));
        steady = most * t + hold * slip;
    } else {
        hold = stiffness * plane;
        steady = friction;
    }
}

Vec3 LayerPair::cone(const Vec3& wanted, double mu) const {
    const double most = mu * push, size = wanted.norm();
    return size > most ? Vec3(most / size * wanted) : wanted;
}

double layerBound(const LayerLaw& law, double distance, double resistance) {
    const double overlap = law.thickness - distance;
    if (overlap < 0) return overlap;
    // A spring h k overlap, but no faster than a tenth of the overlap per step.
    return std::min(kRepelledShare, law.dt * law.dt * law.repulsion / resistance) * overlap;
}

void LayerPairs::begin(const LayerLaw& law, std::span<const LayerForce> forces, const linalg::BlockVector& x,
                       const linalg::BlockVector& v, std::span<const double> mass) {
    law_ = law;
    pairs_.clear();
    for (const LayerForce& force : forces) {
        const auto& [a, b, c, d] = force.corners;
        const geometry::ClosestPoints closest = closestPoints(force.kind, {x[a], x[b], x[c], x[d]});
        const double distance = closest.distance();
        if (!(distance > 0) || !(distance < kCarriedWithin * law.thickness) || !(force.push > 0)) continue;
        LayerPair p{.corners = force.corners,
                    .kind = force.kind,
                    .weights = closest.weights,
                    .normal = closest.apart / distance,
                    .push = double(force.push)};
        p.bound = layerBound(law, distance, effectiveMass(p, mass));
        p.friction = p.cone(p.alongPlane(force.friction.cast<double>()), law.friction);
        p.slip = law.dt * p.alongPlane(p.apart(v));
        p.weigh(law, mass);
        pairs_.push_back(p);
    }
}

void LayerPairs::take(std::vector<LayerPair> pairs, std::span<const double> mass) {
    const auto key = [](const LayerPair& p) { return std::tuple{p.corners, p.kind, p.impact}; };
    std::ranges::stable_sort(pairs, {}, key);
    pairs_.clear();
    for (LayerPair& p : pairs) {
        if (pairs_.empty() || key(pairs_.back()) != key(p)) {
            pairs_.push_back(p);
            continue;
        }
        LayerPair& same = pairs_.back();  // met in several passes: the last pass counts
        const Vec3 force = same.push * same.normal + same.friction + p.push * p.normal + p.friction;
        p.push = std::max(p.normal.dot(force), 0.0);
        p.friction = p.alongPlane(force);
        same = p;
    }
    for (LayerPair& p : pairs_) {
        p.friction = p.cone(p.friction, law_.friction);
        p.weigh(law_, mass);
    }
}

void LayerPairs::soften(std::span<const double> mass) {
    law_.softness *= kSofter;
    for (LayerPair& p : pairs_) p.weigh(law_, mass);
}

void LayerPairs::update(const linalg::BlockVector& u) {
    for (LayerPair& p : pairs_) {
        const Vec3 w = p.apart(u);
        p.slip = p.alongPlane(w);
        const double push = p.push + p.stiffness * (p.bound - p.normal.dot(w));
        const Vec3 acted = push * p.normal + p.steady - p.hold * p.slip;
        p.push = std::max(push, 0.0);
        p.friction = p.cone(p.friction - p.stiffness * p.slip, law_.friction);
        p.excess = acted - p.push * p.normal - p.friction;
    }
}

void LayerPairs::addTerms(std::vector<mechanics::PairTerm>& terms) const {
    terms.reserve(terms.size() + 6 * pairs_.size());
    for (const LayerPair& p : pairs_) {
        // The product of the directions first: symmetric to the last bit.
        const Mat3 J = p.stiffness * Mat3(p.normal * p.normal.transpose()) + p.hold;
        const Vec3 F = (p.push + p.stiffness * p.bound) * p.normal + p.steady;
        double squares = 0;
        for (const double w : p.weights) squares += w * w;
        for (int a = 0; a < 4; ++a)
            for (int b = a + 1; b < 4; ++b) {
                const double laplacian = -p.weights[a] * p.weights[b];
                if (laplacian == 0) continue;
                const Index first = p.corners[a], second = p.corners[b];
                const double difference = p.weights[a] - p.weights[b];
                terms.push_back({.i = std::min(first, second),
                                 .j = std::max(first, second),
                                 .force = (first < second ? 1 : -1) * laplacian * difference / squares * F,
                                 .stiffness = laplacian * J,
                                 .ofLayers = true});
            }
    }
    std::ranges::stable_sort(terms, {}, [](const mechanics::PairTerm& p) { return std::pair{p.i, p.j}; });
    std::size_t kept = 0;
    for (const mechanics::PairTerm& term : terms) {
        if (kept > 0 && terms[kept - 1].i == term.i && terms[kept - 1].j == term.j && terms[kept - 1].ofLayers &&
            term.ofLayers) {
            terms[kept - 1].force += term.force;
            terms[kept - 1].stiffness += term.stiffness;
        } else {
            terms[kept++] = term;
        }
    }
    terms.resize(kept);
}

std::vector<LayerForce> LayerPairs::nearForces() const {
    std::vector<LayerForce> out;
    for (const LayerPair& p : pairs_)
        if (!p.impact && p.push > 0) out.push_back({p.corners, p.kind, float(p.push), p.friction.cast<float>()});
    joinLayerForces(out);
    return out;
}

double LayerPairs::energy(const linalg::BlockVector& u) const {
    double sum = 0;
    for (const LayerPair& p : pairs_) {
        const double missing = std::max(p.bound - p.normal.dot(p.apart(u)), 0.0);
        sum += 0.5 * p.stiffness * missing * missing;
    }
    return sum;
}

}  // namespace clothlab::contact
