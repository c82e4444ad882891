#include "integrators/descent/vertex_block_descent.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <numeric>

#include "cloth/membrane.hpp"
#include "cloth/springs.hpp"

namespace clothlab::integrators {
namespace {

constexpr int kMostHalvings = 20;

}  // namespace

Descent::Plan VertexBlockDescent::plan() const {
    return {.iterations = settings().vbd.iterations, .velocityKept = settings().fastMassSpring.velocityKept};
}

void VertexBlockDescent::indexPairs(const StepObjective& objective) {
    paired_.assign(objective.pairTerms().empty() ? 0 : std::size_t(objective.model().particles()), 0);
    for (const mechanics::PairTerm& p : objective.pairTerms())
        for (const Index i : {p.i, p.j})
            if (i != mechanics::PairTerm::kOutside) ++paired_[i];
    termsFrom_.assign(paired_.size() + 1, 0);
    std::partial_sum(paired_.begin(), paired_.end(), termsFrom_.begin() + 1);
    terms_.resize(std::size_t(termsFrom_.back()));
    std::vector<Index> next(termsFrom_.begin(), termsFrom_.end() - 1);
    for (Index k = 0; k < Index(objective.pairTerms().size()); ++k)
        for (const Index i : {objective.pairTerms()[k].i, objective.pairTerms()[k].j})
            if (i != mechanics::PairTerm::kOutside) terms_[next[i]++] = k;
    alone_.clear();
    for (std::size_t i = 0; i < paired_.size(); ++i)
        if (paired_[i] != 0) alone_.push_back(Index(i));
}

std::string VertexBlockDescent::start(const Way& way, bool /*again*/) {
    const cloth::ClothModel& model = way.objective.model();
    if (links_.configure(model))
        colors_ = colorGreedily(model.particles(), [&](Index i) {
            std::vector<Index> others;
            for (const SpringLinks::Link& link : links_.of(i)) others.push_back(link.other);
            return others;
        });
    indexPairs(way.objective);
    way.objective.constantForce(constant_, way.context.pool);
    acceleration_ = FixedPointAcceleration(settings().vbd.chebyshev ? Acceleration::Chebyshev : Acceleration::None,
                                           settings().vbd.chebyshevRho);
    if (settings().vbd.chebyshev) value_ = way.objective.value(way.x, way.context.pool);
    return {};
}

VertexBlockDescent::Local VertexBlockDescent::assembleLocal(const StepObjective& objective,
                                                            const linalg::BlockVector& x, Index i) const {
    const double a = objective.a(), m = objective.model().mass[i];
    Local local{.b = m * (x[i] - objective.inertia()[i]) - a * a * constant_[i], .Q = m * Mat3::Identity()};
    if (const linalg::BlockMatrix* C = objective.damping()) {  // C + M
        const linalg::BlockPattern& pattern = C->pattern();
        const auto moved = [&](Index j) -> Vec3 { return x[j] - objective.past()[j]; };
        for (Index k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k)
            local.b += a * (C->block(k) * moved(pattern.column[k]));
        local.b -= a * m * moved(i);
        local.Q += a * (C->diagonal(i) - m * Mat3::Identity());
    }
    for (const cloth::AnchorSpring& s : objective.anchors()) {
        if (s.particle != i) continue;
        local.b += a * a * s.stiffness * (x[i] - s.target);
        local.Q.diagonal().array() += a * a * s.stiffness;
    }
    if (paired_.empty() || paired_[i] == 0) return local;
    for (Index k = termsFrom_[i]; k < termsFrom_[i + 1]; ++k) {
        const mechanics::PairTerm& p = objective.pairTerms()[terms_[k]];
        const Vec3 u = p.across(x, objective.start());
        const Vec3 force = a * a * (p.force + p.stiffness * u);  // on i
        local.b += p.i == i ? Vec3(-force) : force;
        local.Q += a * a * p.stiffness;
    }
    return local;
}

double VertexBlockDescent::elasticEnergy(const StepObjective& objective, const linalg::BlockVector& x, Index i,
                                         const Vec3& at) const {
    double sum = objective.forces().membrane().energyAt(x, i, at);
    for (const SpringLinks::Link& link : links_.of(i))
        sum += objective.forces().springEnergy(std::size_t(link.spring), (x[link.other] - at).squaredNorm());
    return objective.a() * objective.a() * sum;
}

bool VertexBlockDescent::move(const StepObjective& objective, linalg::BlockVector& x, Index i) const {
    const linalg::DofConstraint* held = objective.stage().constraints().find(i);
    if (held && held->ndof == 0) return true;
    const Local local = assembleLocal(objective, x, i);
    const double square = objective.a() * objective.a();
    Vec3 force = Vec3::Zero();
    Mat3 ofMembrane = Mat3::Zero();
    objective.forces().membrane().addLocal(x, i, force, ofMembrane);
    Vec3 gradient = local.b - square * force;
    Mat3 H = local.Q + square * ofMembrane;
    for (const SpringLinks::Link& link : links_.of(i)) {
        const Vec3 d = x[link.other] - x[i];
        const double restLength = objective.model().springs[link.spring].restLength;
        const cloth::ElasticTerms terms =
            cloth::elasticTerms(objective.forces().springLaw(std::size_t(link.spring)), restLength, d.squaredNorm());
        if (!terms.active) continue;
        gradient -= square * terms.tension * d;
        H += square * (terms.isotropic * Mat3::Identity() + terms.axial * d * d.transpose());
    }
    if (held) {  // S H S + (I - S), in the units of H
        const Mat3 S = held->S();
        H = S * H * S + H.trace() * (Mat3::Identity() - S);
        gradient = S * gradient;
    }
    const Eigen::LLT<Mat3> factor(H);
    if (factor.info() != Eigen::Success) return false;
    const Vec3 whole = factor.solve(-gradient);
    if (!whole.allFinite()) return false;
    const Vec3 from = x[i];
    if (!settings().vbd.halving) {
        x[i] = from + whole;
        return true;
    }
    const double here = elasticEnergy(objective, x, i, from);
    double share = 1;
    for (int k = 0; k < kMostHalvings; ++k, share /= 2) {
        const Vec3 d = share * whole;
        const double change =
            local.b.dot(d) + 0.5 * d.dot(local.Q * d) + elasticEnergy(objective, x, i, from + d) - here;
        if (!(change <= 0)) continue;
        x[i] = from + d;
        break;
    }
    return true;
}

bool VertexBlockDescent::sweep(const StepObjective& objective, linalg::BlockVector& x, WorkerPool& pool) const {
    int lost = 0;
    for (Index color = 0; color < colors_.count(); ++color) {
        const std::span<const Index> group = colors_.group(color);
        lost += parallelSum(pool, Index(group.size()), 0, [&](Index begin, Index end) {
            int failed = 0;
            for (const Index i : group.subspan(begin, end - begin))
                if (paired_.empty() || paired_[i] == 0) failed += !move(objective, x, i);
            return failed;
        });
    }
    for (const Index i : alone_) lost += !move(objective, x, i);
    return lost == 0;
}

Descent::Pass VertexBlockDescent::advance(const Way& way) {
    WorkerPool& pool = way.context.pool;
    before_ = way.x;
    if (!sweep(way.objective, way.x, pool))
        return {.merit = 1,
                .problem = "a particle without mass that no spring holds, or a stiffness or force that is not finite"};
    increment_ = way.x;
    increment_.flat() -= before_.flat();
    const double merit = increment_.flat().norm();
    if (settings().vbd.chebyshev) {
        const bool proposed = acceleration_.propose(before_, increment_, next_, pool);
        double reached = way.objective.value(next_, pool);
        if (proposed && !(reached <= value_)) {  // the safeguard: the plain sweep never rises
            acceleration_.restart();
            reached = way.objective.value(way.x, pool);
        } else {
            std::swap(way.x, next_);
        }
        value_ = reached;
    }
    return {.merit = merit};
}

}  // namespace clothlab::integrators
