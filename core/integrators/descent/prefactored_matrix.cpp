#include "integrators/descent/prefactored_matrix.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/stage_timer.hpp"
#include "cloth/membrane.hpp"
#include "cloth/springs.hpp"
#include "factors/factor_maker.hpp"
#include "integrators/stages/holding_pins.hpp"
#include "linalg/vector_kernels.hpp"

namespace clothlab::integrators {
namespace {

/// A solve beside F is this exact; its model bounds g from above, so that g falls anyway.
constexpr double kInnerTolerance = 0.1;
constexpr int kInnerIterations = 10;

/// kg, of spring e in F.
double springWeight(const StepContext& context, std::size_t e, double a) {
    const cloth::SpringLaw& law = context.forces.intactSpringLaw(e);
    const double damping = law.damper == cloth::DamperKind::None ? 0 : law.damping;
    return a * a * law.explicitStiffness + a * damping;
}

std::vector<Index> findBrokenSprings(const SimulationState& state) {
    std::vector<Index> broken;
    for (std::size_t e = 0; e < state.brokenSprings.size(); ++e)
        if (state.brokenSprings[e] != 0) broken.push_back(Index(e));
    return broken;
}

std::vector<Index> stickingIn(const SimulationState& state) {
    std::vector<Index> sticking;
    for (const contact::ParticleContact& c : state.contacts.contacts)
        if (c.ndof == 0) sticking.push_back(c.particle);
    return sticking;
}

std::vector<Index> together(const std::vector<Index>& some, const std::vector<Index>& others) {
    std::vector<Index> all;
    std::ranges::set_union(some, others, std::back_inserter(all));
    return all;
}

std::vector<Index> apart(const std::vector<Index>& some, const std::vector<Index>& others) {
    std::vector<Index> changed;
    std::ranges::set_symmetric_difference(some, others, std::back_inserter(changed));
    return changed;
}

}  // namespace

std::vector<double> PrefactoredMatrix::entries(const StepContext& context, const Key& key,
                                               std::span<const Index> broken) const {
    const linalg::BlockPattern& graph = *graph_;
    const std::vector<cloth::Spring>& springs = context.model.springs;
    std::vector<double> values(std::size_t(graph.blocks()), 0.0);
    for (Index i = 0; i < graph.rows; ++i)
        values[graph.diagonal[i]] = context.model.mass[i] + key.a * (key.drag + context.forces.absoluteDamping(i));
    auto next = broken.begin();
    for (std::size_t e = 0; e < springs.size(); ++e) {
        if (next != broken.end() && std::size_t(*next) == e) {
            ++next;
            continue;
        }
        const auto [i, j] = std::pair{springs[e].i, springs[e].j};
        const double value = springWeight(context, e, key.a);
        values[graph.diagonal[i]] += value;
        values[graph.diagonal[j]] += value;
        values[graph.find(i, j)] -= value;
        values[graph.find(j, i)] -= value;
    }
    for (const cloth::Membrane::Triangle& t : context.forces.membrane().triangles())
        for (int c = 0; c < 3; ++c)
            for (int d = 0; d < 3; ++d)
                values[graph.find(t.corners[c], t.corners[d])] +=
                    key.a * key.a * t.measure * t.gradient[c].dot(t.gradient[d]);
    return values;
}

void PrefactoredMatrix::collectHolds(const StepObjective& objective) {
    const double a = objective.a();
    held_.clear();
    sticking_.clear();
    beside_ = !objective.pairTerms().empty();
    for (const mechanics::Prescribed& p : objective.stage().prescribed()) {
        if (p.ndof != 0 || p.source == mechanics::PrescribedBy::ImpactZone)  // zones come and go
            beside_ = true;
        else
            (p.source == mechanics::PrescribedBy::Contact ? sticking_ : held_).push_back(p.particle);
    }
    std::ranges::sort(held_);
    std::ranges::sort(sticking_);
    pulled_.clear();
    for (const cloth::AnchorSpring& s : objective.anchors())
        pulled_.emplace_back(s.particle, a * (a * s.stiffness + s.damping));
}

std::size_t PrefactoredMatrix::rowsApart(const factors::FactorSource& from) const {
    return std::min(apart(held_, from.pinned).size(), apart(together(held_, sticking_), from.pinned).size());
}

PrefactoredMatrix::LeftOut PrefactoredMatrix::leftOut(const SimulationState& state, const StepContext& context) const {
    LeftOut now{.pinned = {}, .broken = findBrokenSprings(state)};
    const std::size_t dragged = pulled_.size(), many = factors::ChangedFactor::kManyColumns;
    const auto& serves = state.factorBase.serves;
    const std::size_t breaks = serves ? apart(now.broken, serves->broken).size() : 0;
    const bool stays = !sticking_.empty() && apart(sticking_, stickingIn(state)).size() <= many;
    // What sticks and stays is worth a factor of its own; else it is left to the conjugate gradients.
    const std::vector<Index> wanted = stays ? together(held_, sticking_) : held_;
    // A triangle that tears is no column: it takes a new factor.
    if (serves && !(!context.forces.membrane().empty() && breaks > 0) &&
        apart(wanted, serves->pinned).size() + dragged + breaks <= many)
        return {serves->pinned, serves->broken};
    forEachHoldingPin(state, context.model, [&](const Pin& pin) {
        if (pin.hold.ndof == 0) now.pinned.push_back(pin.particle);
    });
    std::ranges::sort(now.pinned);
    if (stays) now.pinned = together(now.pinned, sticking_);
    return now;
}

void PrefactoredMatrix::joinSticking() {
    if (sticking_.empty()) return;
    const std::vector<Index> all = together(held_, sticking_);
    const std::vector<Index>& pinned = base_.serves->pinned;
    if (apart(all, pinned).size() <= apart(held_, pinned).size())
        held_ = all;
    else
        beside_ = true;
}

void PrefactoredMatrix::collectLinks(const SimulationState& state, const StepContext& context) {
    links_.clear();
    const std::vector<Index> broken = findBrokenSprings(state);
    for (const Index e : apart(broken, wanted_->broken)) {
        const cloth::Spring& s = context.model.springs[e];
        const double value = springWeight(context, std::size_t(e), key_.a);
        const bool breaks = std::ranges::binary_search(broken, e);
        if (value > 0) links_.push_back({s.i, s.j, breaks ? -value : value});
    }
}

void PrefactoredMatrix::updateSource(double a, const SimulationState& state, const StepContext& context) {
    const Key key{.mesh = context.model.revision,
                  .laws = context.forces.lawRevision(),
                  .a = a,
                  .drag = context.environment.wind.linearDrag};
    LeftOut now = leftOut(state, context);
    if (wanted_ && key == key_ && wanted_->pinned == now.pinned && wanted_->broken == now.broken) return;
    if (!graph_ || key_.mesh != key.mesh) graph_ = cloth::springPattern(context.model);
    key_ = key;
    wanted_ =
        std::make_shared<const factors::FactorSource>(factors::FactorSource{.pattern = graph_,
                                                                            .values = entries(context, key, now.broken),
                                                                            .pinned = std::move(now.pinned),
                                                                            .broken = std::move(now.broken)});
}

void PrefactoredMatrix::chooseFactor(const SimulationState& state, const StepContext& context) {
    base_ = state.factorBase;
    adopted_ = false;
    const bool waits = context.factorMaker || context.adoption != FactorAdoption::WhenReady;
    // A body that leaves the ground would be as many columns as it had particles there.
    constexpr std::size_t kTooMany = 3ul * factors::ChangedFactor::kManyColumns;
    const bool atOnce = !waits || (base_.serves && rowsApart(*base_.serves) > kTooMany);
    if (atOnce || !base_.serves || base_.serves->pattern->rows != wanted_->pattern->rows) {
        base_ = {.serves = wanted_, .coming = {}};
        return;
    }
    if (*base_.serves == *wanted_) {
        base_.coming.reset();
    } else {
        if (!base_.coming) base_.coming = wanted_;
        if (context.factorMaker) context.factorMaker->order(base_.coming);
        adopted_ = context.adoption == FactorAdoption::Now ||
                   (context.adoption == FactorAdoption::WhenReady && context.factorMaker->ready(*base_.coming));
    }
    if (adopted_) {
        base_.serves = std::exchange(base_.coming, nullptr);
        if (!(*base_.serves == *wanted_)) base_.coming = wanted_;
    }
    base_.stepsBehind = base_.serves->sameEntries(*wanted_) ? 0 : base_.stepsBehind + 1;
}

std::string PrefactoredMatrix::makeFactor(const StepContext& context) {
    if (factor_.ready() && *factor_.matrix().source() == *base_.serves) return {};
    factors::FactoredMatrix matrix = factor_.give();
    if (adopted_ && context.factorMaker) {
        context.factorMaker->giveBack(std::exchange(matrix, context.factorMaker->take()));
    } else {
        matrix.make(base_.serves, context.pool);
        analyzeSeconds_ += matrix.seconds().analysis;
        factorSeconds_ += matrix.seconds().factorization;
    }
    times_.anew = matrix.seconds().analysis + matrix.seconds().factorization;
    if (!matrix.made()) return matrix.message() + ": a particle without mass, or a stiffness that is not finite";
    factor_.take(std::move(matrix));
    return {};
}

std::string PrefactoredMatrix::followChanges(WorkerPool& pool) {
    const StageTimer timer;
    const factors::ChangedFactor::Times before = factor_.times();
    // A factor that is behind knows other entries than those that a link would change.
    const std::span<const factors::ChangedFactor::Link> links{links_.data(), base_.stepsBehind > 0 ? 0 : links_.size()};
    const bool follows = factor_.follow({.pinned = held_, .added = pulled_, .links = links}, pool);
    const factors::ChangedFactor::Times& now = factor_.times();
    if (now.changes > before.changes) times_.columns = now.change;
    factorSeconds_ += timer.seconds();
    return follows ? std::string() : factor_.message();
}

std::string PrefactoredMatrix::prepare(const StepObjective& objective, const SimulationState& state,
                                       const StepContext& context, bool again) {
    if (again) {  // the same factor: what holds the particles is another
        collectHolds(objective);
        joinSticking();
        if (base_.stepsBehind > 0) beside_ = true;
        return followChanges(context.pool);
    }
    analyzeSeconds_ = factorSeconds_ = 0;
    collectHolds(objective);
    updateSource(objective.a(), state, context);
    collectLinks(state, context);
    chooseFactor(state, context);
    joinSticking();
    if (base_.stepsBehind > 0) beside_ = true;
    std::string problem = makeFactor(context);
    return problem.empty() ? followChanges(context.pool) : problem;
}

/// q = S (F + extra) p, for p in range(S).
void PrefactoredMatrix::multiply(const StepObjective& objective, const linalg::BlockVector& p, linalg::BlockVector& q,
                                 WorkerPool& pool) const {
    const linalg::BlockPattern& graph = *graph_;
    parallelRows(pool, graph.rows, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            Vec3 sum = Vec3::Zero();
            for (Index k = graph.rowStart[i]; k < graph.rowStart[i + 1]; ++k)
                sum += wanted_->values[k] * p[graph.column[k]];
            q[i] = sum;
        }
    });
    for (const auto& [i, j, value] : links_) {
        const Vec3 pull = value * (p[i] - p[j]);
        q[i] += pull;
        q[j] -= pull;
    }
    const double a = objective.a();
    for (const cloth::AnchorSpring& s : objective.anchors())
        q[s.particle] += a * (a * s.stiffness + s.damping) * p[s.particle];
    for (const mechanics::PairTerm& t : objective.pairTerms())
        t.add(-a * (a * t.stiffness + t.damping) * t.across(p), q);
    objective.filter(q);
}

int PrefactoredMatrix::solve(const StepObjective& objective, linalg::BlockVector& r, linalg::BlockVector& dx,
                             WorkerPool& pool) {
    if (!beside_) return factor_.solve(r, dx, pool) ? 1 : 0;
    // Conjugate gradients from 0; every iterate makes the model of g smaller.
    const Index n = r.size();
    for (linalg::BlockVector* v : {&dx, &q_})
        if (v->size() != n) v->resize(n);
    dx.setZero();
    double first = 0, before = 0;
    int k = 0;
    while (k < kInnerIterations) {
        if (!factor_.solve(r, z_, pool)) return 0;
        objective.filter(z_);
        const double now = linalg::dot(r, z_, pool);
        if (k == 0) {
            first = now;
            p_ = z_;
        } else {
            p_.flat() = z_.flat() + now / before * p_.flat();
        }
        if (!(now > kInnerTolerance * kInnerTolerance * first)) break;
        before = now;
        multiply(objective, p_, q_, pool);
        const double alpha = now / linalg::dot(p_, q_, pool);
        dx.flat() += alpha * p_.flat();
        r.flat() -= alpha * q_.flat();
        ++k;
    }
    return std::max(k, 1);
}

void PrefactoredMatrix::report(StepOutcome& outcome) const {
    outcome.solve.analyzeSeconds = analyzeSeconds_;
    outcome.solve.factorSeconds = factorSeconds_;
    outcome.solve.fill = factor_.matrix().factor().fill();
    outcome.solve.flops = factor_.matrix().factor().flops();
    outcome.solve.factorAge = base_.stepsBehind;
    outcome.factorTimes = times_;
    outcome.factorAdopted = adopted_;
}

}  // namespace clothlab::integrators
