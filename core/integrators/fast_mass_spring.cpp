#include "integrators/fast_mass_spring.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/stage_timer.hpp"
#include "cloth/springs.hpp"
#include "factors/factor_maker.hpp"
#include "integrators/acceleration.hpp"
#include "integrators/kind.hpp"
#include "linalg/vector_kernels.hpp"

namespace clothlab::integrators {
namespace {

/// The global step beside F is solved this exactly; its model bounds g from above, so that g falls anyway.
constexpr double kInnerTolerance = 0.1;
constexpr int kInnerIterations = 10;

}  // namespace

std::vector<double> FastMassSpring::entries(const StepContext& context, const Key& key) const {
    const linalg::BlockPattern& graph = *graph_;
    const std::vector<cloth::Spring>& springs = context.model.springs;
    std::vector<double> values(std::size_t(graph.blocks()), 0.0);
    for (Index i = 0; i < graph.rows; ++i)
        values[graph.diagonal[i]] = context.model.mass[i] + key.a * (key.drag + context.forces.absoluteDamping(i));
    for (std::size_t e = 0; e < springs.size(); ++e) {
        const auto [i, j] = std::pair{springs[e].i, springs[e].j};
        const cloth::SpringLaw& law = context.forces.lawOf(e);
        const double damping = law.damper == cloth::DamperKind::None ? 0 : law.damping;
        const double value = key.a * key.a * law.explicitStiffness + key.a * damping;
        values[graph.diagonal[i]] += value;
        values[graph.diagonal[j]] += value;
        values[graph.find(i, j)] -= value;
        values[graph.find(j, i)] -= value;
    }
    return values;
}

bool FastMassSpring::take(const IntegratorSettings& settings) {
    if (settings.kind != IntegratorKind::FastMassSpring) return false;
    settings_ = settings;
    return true;
}

void FastMassSpring::takeHolds(const StepObjective& objective) {
    const double a = objective.a();
    held_.clear();
    beside_ = !objective.pairTerms().empty();
    for (const mechanics::Prescribed& p : objective.stage().prescribed()) {
        const bool lasts = p.ndof == 0 && p.source != mechanics::PrescribedBy::Contact;
        if (lasts)
            held_.push_back(p.particle);
        else
            beside_ = true;
    }
    std::ranges::sort(held_);
    pulled_.clear();
    for (const cloth::AnchorSpring& s : objective.anchors())
        pulled_.emplace_back(s.particle, a * (a * s.stiffness + s.damping));
}

std::vector<Index> FastMassSpring::leftOut(const SimulationState& state) const {
    if (const auto& serves = state.factorBase.serves) {
        std::vector<Index> changed;
        std::ranges::set_symmetric_difference(held_, serves->pinned, std::back_inserter(changed));
        if (Index(changed.size() + pulled_.size()) <= factors::ChangedFactor::kManyColumns) return serves->pinned;
    }
    std::vector<Index> pinned;
    for (const Pin& pin : state.pins)
        if (pin.hold.ndof == 0) pinned.push_back(pin.particle);
    std::ranges::sort(pinned);
    return pinned;
}

void FastMassSpring::takeSource(double a, const SimulationState& state, const StepContext& context) {
    const Key key{.mesh = context.model.revision,
                  .laws = context.forces.lawRevision(),
                  .a = a,
                  .drag = context.environment.wind.linearDrag};
    std::vector<Index> pinned = leftOut(state);
    if (wanted_ && key == key_ && wanted_->pinned == pinned) return;
    if (!graph_ || key_.mesh != key.mesh) graph_ = cloth::springPattern(context.model);
    key_ = key;
    wanted_ = std::make_shared<const factors::FactorSource>(
        factors::FactorSource{.pattern = graph_, .values = entries(context, key), .pinned = std::move(pinned)});
}

void FastMassSpring::chooseFactor(const SimulationState& state, const StepContext& context) {
    base_ = state.factorBase;
    adopted_ = false;
    const bool atOnce = !context.factorMaker && context.adoption == FactorAdoption::WhenReady;
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

std::string FastMassSpring::makeFactor(const StepContext& context) {
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

std::string FastMassSpring::followChanges(WorkerPool& pool) {
    const StageTimer timer;
    const factors::FactorChange how = settings_.fastMassSpring.factorChange;
    const factors::ChangedFactor::Times before = factor_.times();
    const bool follows = factor_.follow({.pinned = held_, .added = pulled_}, how, pool);
    const factors::ChangedFactor::Times& now = factor_.times();
    if (now.changes > before.changes)
        (how == factors::FactorChange::Bordered ? times_.columns : times_.rows) = now.change;
    if (now.conversions > before.conversions) times_.conversion = now.conversion;
    factorSeconds_ += timer.seconds();
    return follows ? std::string() : factor_.message();
}

std::string FastMassSpring::prepare(const StepObjective& objective, const SimulationState& state,
                                    const StepContext& context) {
    takeHolds(objective);
    takeSource(objective.a(), state, context);
    chooseFactor(state, context);
    if (base_.stepsBehind > 0) beside_ = true;
    std::string problem = makeFactor(context);
    return problem.empty() ? followChanges(context.pool) : problem;
}

/// q = S (F + extra) p, for p in range(S).
void FastMassSpring::multiply(const StepObjective& objective, const linalg::BlockVector& p, linalg::BlockVector& q,
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
    const double a = objective.a();
    for (const cloth::AnchorSpring& s : objective.anchors())
        q[s.particle] += a * (a * s.stiffness + s.damping) * p[s.particle];
    for (const mechanics::PairTerm& t : objective.pairTerms()) {
        const Vec3 force = a * (a * t.stiffness + t.damping) * (p[t.j] - p[t.i]);
        q[t.j] += force;
        q[t.i] -= force;
    }
    objective.filter(q);
}

int FastMassSpring::globalStep(const StepObjective& objective, WorkerPool& pool) {
    if (!beside_) return factor_.solve(rest_, increment_, pool) ? 1 : 0;
    // Conjugate gradients from 0; every iterate makes the model of g smaller.
    const Index n = rest_.size();
    for (linalg::BlockVector* v : {&increment_, &q_})
        if (v->size() != n) v->resize(n);
    increment_.setZero();
    double first = 0, before = 0;
    int k = 0;
    while (k < kInnerIterations) {
        if (!factor_.solve(rest_, z_, pool)) return 0;
        objective.filter(z_);
        const double now = linalg::dot(rest_, z_, pool);
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
        increment_.flat() += alpha * p_.flat();
        rest_.flat() -= alpha * q_.flat();
        ++k;
    }
    return std::max(k, 1);
}

std::string FastMassSpring::iterate(StepObjective& objective, const SimulationState& state, int count,
                                    linalg::BlockVector& x, StepContext& context, StepOutcome* outcome) {
    if (std::string why = prepare(objective, state, context); !why.empty()) return why;
    FixedPointAcceleration acceleration(settings_.fastMassSpring);
    const bool accelerated = settings_.fastMassSpring.acceleration != Acceleration::None;
    double value = accelerated ? objective.value(x, context.pool) : 0, first = 0;
    StageTimer timer;
    for (int k = 0; k < count; ++k) {
        if (context.control.stop.stop_requested()) return "stopped";
        objective.gradient(x, rest_, context.pool);
        objective.filter(rest_);
        parallelRows(context.pool, rest_.size(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) rest_[i] *= -1;
        });
        const double norm = std::sqrt(linalg::dot(rest_, rest_, context.pool));
        if (!std::isfinite(norm)) return "a force or a position of the step is not finite";
        if (k == 0) first = norm;
        if (norm == 0) return {};
        const int solves = globalStep(objective, context.pool);
        if (solves == 0) return factor_.message();
        bool proposed = acceleration.propose(x, increment_, next_, context.pool);
        if (accelerated) {
            double reached = objective.value(next_, context.pool);
            if (proposed && !(reached <= value)) {  // the safeguard: the plain iterate never rises
                acceleration.restart();
                next_.flat() = x.flat() + increment_.flat();
                reached = objective.value(next_, context.pool);
            }
            value = reached;
        }
        std::swap(x, next_);
        if (outcome)
            outcome->outer.push_back({.merit = norm / first, .solveIterations = solves, .seconds = timer.lap()});
        if (context.observeIterate) context.observeIterate(x, objective);
    }
    return {};
}

void FastMassSpring::step(const SimulationState& state, StepContext& context, SimulationState& out,
                          StepOutcome& outcome) {
    objective_.begin(state, context, settings_, settings_.fastMassSpring.velocityKept, out, outcome);
    StageTimer timer;
    analyzeSeconds_ = factorSeconds_ = 0;
    x_ = objective_.inertia();
    objective_.project(x_);
    if (context.observeIterate) context.observeIterate(x_, objective_);
    std::string problem = iterate(objective_, state, settings_.fastMassSpring.iterations, x_, context, &outcome);
    outcome.solveSeconds += timer.lap();
    outcome.solve.analyzeSeconds = analyzeSeconds_;
    outcome.solve.factorSeconds = factorSeconds_;
    outcome.solve.totalSeconds = outcome.solveSeconds;
    outcome.solve.fill = factor_.matrix().factor().fill();
    outcome.solve.flops = factor_.matrix().factor().flops();
    outcome.solve.factorAge = base_.stepsBehind;
    outcome.factorTimes = times_;
    if (!problem.empty()) {
        const bool stopped = context.control.stop.stop_requested();
        outcome.solve.status = stopped ? solvers::SolveStatus::Cancelled : solvers::SolveStatus::Breakdown;
        outcome.status = StepStatus::SolveFailed;
        outcome.message = std::move(problem);
        return;
    }
    objective_.finish(x_, state, context, out);
    out.factorBase = base_;
    outcome.factorAdopted = adopted_;
    outcome.contactSeconds += timer.lap();
}

}  // namespace clothlab::integrators
