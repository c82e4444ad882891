#include "contact/robust/layer_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace clothlab::contact {
namespace {

/// Share of an overlap that a step takes away at most.
constexpr double kRepelledShare = 0.1;
/// Share of the cone beyond which friction belongs to a pair that slides.
constexpr double kSticksWithin = 0.999;

/// kg: what the masses of a pair make of a displacement along its normal.
double resistanceOf(const LayerPair& p, std::span<const double> mass) {
    double compliance = 0;
    for (int k = 0; k < 4; ++k) compliance += p.weights[k] * p.weights[k] / mass[p.corners[k]];
    return 1 / compliance;
}

Vec3 along(const LayerPair& p, const Vec3& w) { return w - p.normal.dot(w) * p.normal; }

}  // namespace

void LayerPair::weigh(const LayerLaw& law, std::span<const double> mass) {
    inertia = resistanceOf(*this, mass) / (law.dt * law.dt);
    stiffness = law.stiffness * (law.repulsion + inertia);
}

void LayerPair::limitFriction(double mu) {
    const double most = mu * push, size = friction.norm();
    slides = size > kSticksWithin * most;
    if (size > most) friction *= most / size;
}

double layerBound(const LayerLaw& law, double distance, double resistance) {
    const double overlap = law.thickness - distance;
    if (overlap < 0) return overlap;
    // A spring h k overlap, but no faster than a tenth of the overlap a step.
    return std::min(kRepelledShare, law.dt * law.dt * law.repulsion / resistance) * overlap;
}

void LayerPairs::begin(const LayerLaw& law, std::span<const LayerForce> forces, const linalg::BlockVector& x,
                       std::span<const double> mass) {
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
        p.weigh(law, mass);
        p.bound = layerBound(law, distance, resistanceOf(p, mass));
        p.friction = along(p, force.friction.cast<double>());
        p.limitFriction(law.friction);
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
        LayerPair& same = pairs_.back();  // met in several passes: the last way in which it met counts
        const Vec3 force = same.push * same.normal + same.friction + p.push * p.normal + p.friction;
        p.push = std::max(p.normal.dot(force), 0.0);
        p.friction = along(p, force);
        same = p;
    }
    for (LayerPair& p : pairs_) {
        p.weigh(law_, mass);
        p.limitFriction(law_.friction);
    }
}

void LayerPairs::update(const linalg::BlockVector& u) {
    for (LayerPair& p : pairs_) {
        const Vec3 w = p.apart(u), slip = along(p, w);
        const double push = p.push + p.stiffness * (p.bound - p.normal.dot(w));
        const bool held = law_.friction > 0 && !p.slides;
        const Vec3 acted = push * p.normal + p.friction - (held ? p.stiffness : 0.0) * slip;
        p.push = std::max(push, 0.0);
        if (law_.friction > 0) p.friction -= (p.slides ? p.inertia : p.stiffness) * slip;
        p.limitFriction(law_.friction);
        p.excess = acted - p.push * p.normal - p.friction;
    }
}

void LayerPairs::addTerms(std::vector<mechanics::PairTerm>& terms) const {
    terms.reserve(terms.size() + 6 * pairs_.size());
    for (const LayerPair& p : pairs_) {
        const Mat3 n = p.normal * p.normal.transpose();
        const double held = p.slides || !(law_.friction > 0) ? 0 : p.stiffness;
        const Mat3 J = p.stiffness * n + held * (Mat3::Identity() - n);
        const Vec3 F = (p.push + p.stiffness * p.bound) * p.normal + p.friction;
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
