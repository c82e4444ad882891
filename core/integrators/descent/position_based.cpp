#include "integrators/descent/position_based.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "cloth/membrane.hpp"
#include "cloth/springs.hpp"
#include "integrators/kind.hpp"

namespace clothlab::integrators {

PositionBased::PositionBased(const IntegratorSettings& settings)
    : Descent(settings), compliant_(settings.kind == IntegratorKind::Xpbd) {}

Descent::Plan PositionBased::plan() const {
    const IntegratorSettings& s = settings();
    return {.iterations = compliant_ ? s.xpbd.iterations : s.pbd.iterations,
            .substeps = compliant_ ? s.xpbd.substeps : s.pbd.substeps,
            .velocityKept = s.fastMassSpring.velocityKept};
}

void PositionBased::updateColors(const cloth::ClothModel& model) {
    if (revision_ == model.revision && colors_.members.size() == model.springs.size()) return;
    revision_ = model.revision;
    // A spring's neighbours are those of its two ends that came before: the colors that the ends have seen.
    std::vector<std::vector<Index>> of(std::size_t(model.particles()));
    std::vector<Index> both;
    colors_ = colorGreedily(Index(model.springs.size()), [&](Index e) -> const std::vector<Index>& {
        const cloth::Spring& s = model.springs[e];
        both = of[s.i];
        both.insert(both.end(), of[s.j].begin(), of[s.j].end());
        of[s.i].push_back(e);
        of[s.j].push_back(e);
        return both;
    });
}

std::string PositionBased::start(const Way& way, bool /*again*/) {
    const StepObjective& objective = way.objective;
    const cloth::ClothModel& model = objective.model();
    if (!objective.forces().membrane().empty()) return whyNoMembrane(settings().kind);
    WorkerPool& pool = way.context.pool;
    updateColors(model);
    const PbdSettings& pbd = settings().pbd;
    share_[int(cloth::SpringFamily::Stretch)] = share_[int(cloth::SpringFamily::Shear)] =
        pbd.sharePerPass(pbd.stiffness);
    share_[int(cloth::SpringFamily::Bend)] = pbd.sharePerPass(pbd.bendStiffness);
    held_ = &objective.stage().constraints();
    lambda_.assign(compliant_ ? model.springs.size() : 0, 0.0);
    pairLambda_.assign(objective.pairTerms().size(), Vec3::Zero());
    anchorLambda_.assign(objective.anchors().size(), Vec3::Zero());
    inverseMass_.resize(std::size_t(model.particles()));
    objective.constantForce(force_, pool);
    const double a = objective.a(), drag = way.context.environment.wind.linearDrag;
    bool massless = false;
    for (Index i = 0; i < model.particles(); ++i) {
        const linalg::DofConstraint* constraint = held_->find(i);
        const bool fixed = constraint && constraint->ndof == 0;
        const double resists = a * (drag + objective.forces().absoluteDamping(i)), mass = model.mass[i] + resists;
        massless = massless || (!fixed && !(mass > 0));
        inverseMass_[i] = fixed ? 0 : 1 / mass;
        if (fixed) continue;
        // m (x - y) + resists (x - x^) = a^2 f
        const Vec3 to =
            (model.mass[i] * objective.inertia()[i] + resists * objective.past()[i] + a * a * force_[i]) / mass;
        const Vec3 by = to - Vec3(way.x[i]);
        way.x[i] += constraint ? Vec3(constraint->S() * by) : by;
    }
    return massless ? "a particle without mass: position based methods divide by it" : "";
}

double PositionBased::weight(Index i, const Vec3& n) const { return n.dot(moved(i, n)); }

Vec3 PositionBased::moved(Index i, const Vec3& n) const {
    const double w = inverseMass_[i];
    const linalg::DofConstraint* constraint = w > 0 ? held_->find(i) : nullptr;
    return constraint ? Vec3(w * (constraint->S() * n)) : Vec3(w * n);
}

double PositionBased::moveByShare(const StepObjective& objective, linalg::BlockVector& x, Index e) const {
    if (objective.forces().isBroken(std::size_t(e))) return 0;
    const cloth::Spring& s = objective.model().springs[e];
    const Vec3 d = x[s.j] - x[s.i];
    const double l = d.norm(), C = l - s.restLength;
    const cloth::SpringKind kind = objective.forces().springLaw(std::size_t(e)).kind;
    if (!(l * l >= cloth::kShortestSquared)) return 0;
    if (kind == cloth::SpringKind::TensionOnly ? C < 0 : kind != cloth::SpringKind::Bilateral && C > 0) return 0;
    const Vec3 n = d / l;
    const double W = weight(s.i, n) + weight(s.j, n);
    if (!(W > 0)) return 0;
    const double lambda = share_[int(s.family)] * C / W;
    x[s.i] += lambda * moved(s.i, n);
    x[s.j] -= lambda * moved(s.j, n);
    return C * C;
}

double PositionBased::moveByCompliance(const StepObjective& objective, linalg::BlockVector& x, Index e) {
    const cloth::Spring& s = objective.model().springs[e];
    const cloth::SpringLaw& law = objective.forces().springLaw(std::size_t(e));
    const Vec3 d = x[s.j] - x[s.i];
    const double squared = d.squaredNorm();
    if (!(squared >= cloth::kShortestSquared)) return 0;
    const cloth::ElasticTerms terms = cloth::elasticTerms(law, s.restLength, squared);
    if (!terms.active && lambda_[e] == 0) return 0;
    const double a = objective.a(), l = std::sqrt(squared);
    const Vec3 n = d / l;
    double tension = terms.tension * l, stiffness = terms.isotropic + terms.axial * squared, damping = 0, along = 0;
    if (terms.active) {  // along n, of J and of dampers that act in all directions too
        along = n.dot((x[s.j] - objective.past()[s.j]) - (x[s.i] - objective.past()[s.i]));
        const cloth::DamperTerms damper = cloth::damperTerms(law, true, squared, l * along / a);
        damping = damper.isotropic + damper.axial * squared;
    } else {  // beyond its end the law goes on as a line, and gives back what it has pulled or pushed too much
        stiffness = law.stiffness * (law.gamma > 0 ? law.gamma : 1);
        tension = stiffness * (l - s.restLength);
    }
    const double wanted = a * a * tension + a * damping * along, slope = a * a * stiffness + a * damping;
    const double W = weight(s.i, n) + weight(s.j, n);
    double next = lambda_[e] + (wanted - lambda_[e]) / (1 + slope * W);
    if (law.kind == cloth::SpringKind::TensionOnly)
        next = std::max(next, 0.0);
    else if (law.kind != cloth::SpringKind::Bilateral)
        next = std::min(next, 0.0);
    const double change = next - lambda_[e];
    lambda_[e] = next;
    x[s.i] += change * moved(s.i, n);
    x[s.j] -= change * moved(s.j, n);
    const double left = slope > 0 ? change * (1 + slope * W) / slope : 0;
    return left * left;
}

void PositionBased::movePairs(const StepObjective& objective, linalg::BlockVector& x) {
    const double a = objective.a();
    const auto pairs = objective.pairTerms();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        const mechanics::PairTerm& p = pairs[k];
        const double W = inverseMass_[p.i] + (p.outside() ? 0 : inverseMass_[p.j]);
        const auto apart = [&](const linalg::BlockVector& from) -> Vec3 { return p.across(x, from); };
        const Mat3 slope = a * a * p.stiffness + a * p.damping;
        const Vec3 wanted =
            a * a * (p.force + p.stiffness * apart(objective.start())) + a * (p.damping * apart(objective.past()));
        const Vec3 change = (Mat3::Identity() + W * slope).inverse() * (wanted - pairLambda_[k]);
        pairLambda_[k] += change;
        x[p.i] += moved(p.i, change);
        if (!p.outside()) x[p.j] -= moved(p.j, change);
    }
    const auto anchors = objective.anchors();
    for (std::size_t k = 0; k < anchors.size(); ++k) {
        const cloth::AnchorSpring& s = anchors[k];
        const Vec3 wanted = a * a * s.stiffness * (s.target - x[s.particle]) +
                            a * s.damping * (a * s.targetVelocity - (x[s.particle] - objective.past()[s.particle]));
        const double slope = a * a * s.stiffness + a * s.damping;
        const Vec3 change = (wanted - anchorLambda_[k]) / (1 + slope * inverseMass_[s.particle]);
        anchorLambda_[k] += change;
        x[s.particle] += moved(s.particle, change);
    }
}

Descent::Pass PositionBased::advance(const Way& way) {
    double left = 0;
    for (Index color = 0; color < colors_.count(); ++color) {
        const std::span<const Index> group = colors_.group(color);
        left += parallelSum(way.context.pool, Index(group.size()), 0.0, [&](Index begin, Index end) {
            double sum = 0;
            for (const Index e : group.subspan(begin, end - begin))
                sum += compliant_ ? moveByCompliance(way.objective, way.x, e) : moveByShare(way.objective, way.x, e);
            return sum;
        });
    }
    movePairs(way.objective, way.x);
    if (!way.x.flat().allFinite()) return {.merit = NAN};
    return {.merit = std::sqrt(left)};
}

}  // namespace clothlab::integrators
