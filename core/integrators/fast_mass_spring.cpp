#include "integrators/fast_mass_spring.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/stage_timer.hpp"
#include "cloth/springs.hpp"
#include "integrators/acceleration.hpp"
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

void FastMassSpring::chooseBase(const SimulationState& state) {
    base_ = state.factorBase;
    std::vector<Index> changed;
    std::ranges::set_symmetric_difference(held_, base_.pinned, std::back_inserter(changed));
    if (base_.made && Index(changed.size() + pulled_.size()) <= factors::ChangedFactor::kManyColumns) return;
    base_ = {.made = true, .pinned = {}};
    for (const Pin& pin : state.pins)
        if (pin.hold.ndof == 0) base_.pinned.push_back(pin.particle);
    std::ranges::sort(base_.pinned);
}

std::string FastMassSpring::prepare(const StepObjective& objective, const SimulationState& state,
                                    StepContext& context) {
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

    chooseBase(state);
    const Key key{.mesh = context.model.revision,
                  .laws = context.forces.lawRevision(),
                  .a = a,
                  .drag = context.environment.wind.linearDrag,
                  .pinned = base_.pinned};
    if (!factor_.ready() || !(key == key_)) {
        if (!graph_ || graphOf_ != key.mesh) {
            graph_ = cloth::springPattern(context.model);
            graphOf_ = key.mesh;
        }
        factors::FactoredMatrix matrix = factor_.give();
        const bool made =
            matrix.make({.pattern = graph_, .values = entries(context, key), .pinned = key.pinned}, context.pool);
        analyzeSeconds_ += matrix.seconds().analysis;
        factorSeconds_ += matrix.seconds().factorization;
        std::string message = matrix.message();
        if (!made) return message + ": a particle without mass, or a stiffness that is not finite";
        factor_.take(std::move(matrix));
        key_ = key;
    }
    StageTimer timer;
    const bool follows =
        factor_.follow({.pinned = held_, .added = pulled_}, settings_.fastMassSpring.factorChange, context.pool);
    factorSeconds_ += timer.lap();
    return follows ? std::string() : factor_.message();
}

/// q = S (F + extra) p, for p in range(S).
void FastMassSpring::multiply(const StepObjective& objective, const linalg::BlockVector& p, linalg::BlockVector& q,
                              WorkerPool& pool) const {
    const linalg::BlockPattern& graph = *graph_;
    parallelRows(pool, graph.rows, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            Vec3 sum = Vec3::Zero();
            for (Index k = graph.rowStart[i]; k < graph.rowStart[i + 1]; ++k)
                sum += factor_.matrix().value(k) * p[graph.column[k]];
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
    if (!problem.empty()) {
        const bool stopped = context.control.stop.stop_requested();
        outcome.solve.status = stopped ? solvers::SolveStatus::Cancelled : solvers::SolveStatus::Breakdown;
        outcome.status = StepStatus::SolveFailed;
        outcome.message = std::move(problem);
        return;
    }
    objective_.finish(x_, state, context, out);
    out.factorBase = base_;
    outcome.contactSeconds += timer.lap();
}

}  // namespace clothlab::integrators
