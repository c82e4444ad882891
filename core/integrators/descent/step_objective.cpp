#include "integrators/descent/step_objective.hpp"

#include <algorithm>
#include <cmath>

#include "base/stage_timer.hpp"
#include "cloth/membrane.hpp"
#include "cloth/springs.hpp"
#include "integrators/free_motion.hpp"
#include "integrators/schedule.hpp"
#include "integrators/two_steps.hpp"
#include "linalg/vector_kernels.hpp"

namespace clothlab::integrators {

void StepObjective::setInertia(const SimulationState& state, Index i) {
    xHat_[i] = state.x[i];
    vHat_[i] = state.v[i];
    if (twoSteps_) {
        const double past = coefficients_.past / coefficients_.over;
        xHat_[i] += past * deltaX_[i];
        vHat_[i] += past * deltaV_[i];
    }
    y_[i] = xHat_[i] + keep_ * a_ * vHat_[i];
}

void StepObjective::computeInertia(const SimulationState& state, const StepContext& context) {
    const Index n = state.x.size();
    for (linalg::BlockVector* v : {&xHat_, &vHat_, &y_})
        if (v->size() != n) v->resize(n);
    if (twoSteps_)
        computePast(state, h_, context.environment.gravity, context.model.mass, deltaX_, deltaV_, context.pool);
    parallelRows(context.pool, n, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) setInertia(state, i);
    });
}

/// In the directions that solids take, a step of two steps is one of backward Euler: the particle ends where the solid
/// has it, with the solid's velocity.
void StepObjective::adjustHeldInertia(const SimulationState& state) {
    if (!twoSteps_) return;
    const double past = coefficients_.past / coefficients_.over;
    for (const mechanics::Prescribed& p : stage_.prescribed()) {
        if (p.source != mechanics::PrescribedBy::Contact) continue;
        const Index i = p.particle;
        const Mat3 free = stage_.constraints().find(i)->S();
        const Vec3 x = state.x[i] + past * h_ * p.velocity;
        xHat_[i] = x + free * (xHat_[i] - x);
        vHat_[i] = state.v[i] + free * (vHat_[i] - state.v[i]);
        y_[i] = xHat_[i] + keep_ * a_ * vHat_[i];
    }
}

void StepObjective::freezeForces(const SimulationState& state, StepContext& context) {
    const Index n = state.x.size();
    damped_ = forces_->damps() || environment_.wind.linearDrag > 0 || forces_->implicitPairs() > 0 ||
              std::ranges::any_of(environment_.anchors, [](const auto& a) { return a.damping > 0; });
    if (damped_)
        forces_->assemble(environment_, {state.x, state.v, state.v}, {.damping = 1, .clamped = true}, {C_, lambda_},
                          context.pool);
    pushed_ = environment_.wind.dragCoefficient > 0 || environment_.wind.linearDrag > 0 || !forces_->pairs().empty();
    phi_.resize(n);
    if (!pushed_) return;
    // phi = f + grad E + C v: what is left of the forces without potential and damping.
    forces_->forces(environment_, state.x, state.v, phi_, context.pool);
    potential_->gradient(state.x, lambda_, context.pool);
    phi_.flat() += lambda_.flat();
    if (!damped_) return;
    multiply(C_, state.v, lambda_, context.pool);
    for (Index i = 0; i < n; ++i) phi_[i] += lambda_[i] - model_->mass[i] * state.v[i];
}

void StepObjective::begin(const SimulationState& state, StepContext& context, const IntegratorSettings& settings,
                          double keep, SimulationState& out, StepOutcome& outcome) {
    StageTimer timer;
    model_ = &context.model;
    forces_ = &context.forces;
    coefficients_ = traitsFor(settings.kind).coefficients;
    h_ = context.dt;
    twoSteps_ = coefficients_.past != 0 && !startsAnew(coefficients_, state, h_);
    midpoint_ = coefficients_.acting != coefficients_.implicit;
    a_ = twoSteps_ || midpoint_ ? coefficients_.implicit * h_ / coefficients_.over : h_;
    start_ = state.x;

    forces_->setExplicit({});
    pairs_.find(context, state.x, {.end = state.time + h_, .dt = h_});
    pairs_.giveImplicit({settings, h_, {}, context.model}, state.x, state.v, *forces_, context.pool);
    context.environment.anchors = stage_.anchors(state, context.grab);
    context.environment.time = windTime(coefficients_, state, h_);
    environment_ = context.environment;
    potential_.emplace(*model_, *forces_, environment_, springs_.configure(*model_, *forces_) ? &springs_ : nullptr);
    keep_ = keep;
    computeInertia(state, context);
    freezeForces(state, context);
    b_.resize(state.x.size());
    // What contacts and impact zones are asked about: the linear step.
    const bool asksForMatrix = !solvedSolids(context).empty() || !state.zones.ends.empty();
    if (asksForMatrix)
        forces_->assemble(
            environment_, {state.x, state.v, state.v},
            {.damping = a_, .stiffness = a_ * a_, .force = a_, .stiffnessVector = a_ * a_, .clamped = true}, {A_, b_},
            context.pool);
    outcome.contactSeconds += pairs_.edgeSeconds();
    outcome.assembleSeconds += timer.lap() - pairs_.edgeSeconds();

    out = state;
    span_ = {.time = state.time, .dt = h_, .forceTime = a_};
    lambda_ = b_;
    // Held particles reach their positions; their velocity follows from them.
    stage_.begin(state, context, span_, b_, out.contacts, asksForMatrix ? &A_ : nullptr);
    if (!out.contacts.contacts.empty() || !state.layerForces.empty())  // friction, and layers that push
        for (Index i = 0; i < phi_.size(); ++i) phi_[i] += (b_[i] - lambda_[i]) / a_;
    adjustHeldInertia(state);
    stage_.constraints().counts(outcome.ndofCounts);
    outcome.contactSeconds += timer.lap();
    outcome.repulsionPairs = pairs_.count();
    outcome.implicitSprings = forces_->implicitSprings();
}

bool StepObjective::reconsider(const linalg::BlockVector& x, const SimulationState& state, StepContext& context,
                               SimulationState& out, StepOutcome& outcome) {
    if (!ConstraintStage::looksAgain(context)) return false;
    const StageTimer timer;
    const linalg::BlockVector& lambda = impulseAt(x, context.pool);
    finishState(x, state, context.pool, out);
    Cw_ = b_;
    const bool changed = stage_.reconsider(state, context, span_, {.lambda = lambda, .x = out.x, .v = out.v}, b_,
                                           out.contacts, A_.hasPattern() ? &A_ : nullptr, outcome.contactRepeats);
    if (changed) {
        for (Index i = 0; i < phi_.size(); ++i) phi_[i] += (b_[i] - Cw_[i]) / a_;
        for (const mechanics::Prescribed& p : stage_.prescribed()) setInertia(state, p.particle);
        adjustHeldInertia(state);
        stage_.constraints().counts(outcome.ndofCounts);
    }
    outcome.contactSeconds += timer.seconds();
    return changed;
}

void StepObjective::keepMomentum(linalg::BlockVector& x, WorkerPool& pool) {
    const std::vector<FreeBody> bodies = freeBodies(*model_, stage_.constraints(), joinsPatches(*model_, *forces_));
    if (bodies.empty()) return;
    gradient(x, lambda_, pool);
    for (const FreeBody& body : bodies) {
        Vec3 left = Vec3::Zero();
        double mass = 0;
        for (Index i = body.begin; i < body.end; ++i) {
            left += lambda_[i];
            mass += model_->mass[i];
        }
        const Vec3 by = -(body.free * body.along(left)) / mass;
        for (Index i = body.begin; i < body.end; ++i) x[i] += by;
    }
}

void StepObjective::project(linalg::BlockVector& x) const {
    if (!midpoint_) return stage_.place(x);
    for (const mechanics::Prescribed& p : stage_.prescribed()) {
        const Vec3 off = (start_[p.particle] + p.target) / 2 - x[p.particle];
        x[p.particle] += off - stage_.constraints().find(p.particle)->S() * off;
    }
}

void StepObjective::measureDamping(const linalg::BlockVector& x, WorkerPool& pool) {
    if (w_.size() != x.size()) w_.resize(x.size());
    if (Cw_.size() != x.size()) Cw_.resize(x.size());
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) w_[i] = x[i] - xHat_[i];
    });
    multiply(C_, w_, Cw_, pool);
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) Cw_[i] -= model_->mass[i] * w_[i];
    });
}

/// -f.(u_i - u_j) + 1/2 (u_j - u_i)^T J (u_j - u_i), u = x - x_n.
double StepObjective::pairEnergy(const linalg::BlockVector& x) const {
    double sum = 0;
    for (const mechanics::PairTerm& p : forces_->pairs()) {
        const Vec3 u = p.across(x, start_);
        sum += p.force.dot(u) + 0.5 * u.dot(p.stiffness * u);
    }
    return sum;
}

/// Their constant part is in the gradient of the potential, which holds all forces at rest.
void StepObjective::addPairs(const linalg::BlockVector& x, linalg::BlockVector& gradient) const {
    for (const mechanics::PairTerm& p : forces_->pairs()) p.add(-a_ * a_ * p.stiffness * p.across(x, start_), gradient);
}

double StepObjective::value(const linalg::BlockVector& x, WorkerPool& pool) {
    if (damped_) measureDamping(x, pool);
    const double quadratic = parallelSum(pool, x.size(), 0.0, [&](Index begin, Index end) {
        double sum = 0;
        for (Index i = begin; i < end; ++i) {
            sum += 0.5 * model_->mass[i] * (x[i] - y_[i]).squaredNorm() - a_ * a_ * phi_[i].dot(x[i] - start_[i]);
            if (damped_) sum += 0.5 * a_ * w_[i].dot(Cw_[i]);
        }
        return sum;
    });
    return quadratic + a_ * a_ * (potential_->value(x, pool) + pairEnergy(x));
}

void StepObjective::gradient(const linalg::BlockVector& x, linalg::BlockVector& out, WorkerPool& pool) {
    if (damped_) measureDamping(x, pool);
    potential_->force(x, out, pool);
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            out[i] = a_ * a_ * (-out[i] - phi_[i]) + model_->mass[i] * (x[i] - y_[i]);
            if (damped_) out[i] += a_ * Cw_[i];
        }
    });
    addPairs(x, out);
}

double StepObjective::residual(const linalg::BlockVector& x, WorkerPool& pool) {
    gradient(x, lambda_, pool);
    filter(lambda_);
    return std::sqrt(linalg::dot(lambda_, lambda_, pool));
}

void StepObjective::constantForce(linalg::BlockVector& out, WorkerPool& pool) const {
    if (out.size() != phi_.size()) out.resize(phi_.size());
    parallelRows(pool, phi_.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) out[i] = model_->mass[i] * environment_.gravity + phi_[i];
    });
    for (const cloth::PointForce& p : environment_.pointForces) out[p.particle] += p.force;
}

double StepObjective::curvature(const linalg::BlockVector& x, const linalg::BlockVector& direction, WorkerPool& pool) {
    if (damped_) {
        if (Cw_.size() != x.size()) Cw_.resize(x.size());
        multiply(C_, direction, Cw_, pool);  // of C + M
    }
    const double ofRows = parallelSum(pool, x.size(), 0.0, [&](Index begin, Index end) {
        double sum = 0;
        for (Index i = begin; i < end; ++i) {
            const double mass = model_->mass[i] * (damped_ ? 1 - a_ : 1);
            sum += mass * direction[i].squaredNorm();
            if (damped_) sum += a_ * direction[i].dot(Cw_[i]);
        }
        return sum;
    });
    double pairs = 0;
    for (const mechanics::PairTerm& p : forces_->pairs()) {
        const Vec3 u = p.across(direction);
        pairs += u.dot(p.stiffness * u);
    }
    return ofRows + a_ * a_ * (potential_->curvature(x, direction, pool) + pairs);
}

void StepObjective::hessian(const linalg::BlockVector& x, Curvature curvature, linalg::BlockMatrix& out,
                            WorkerPool& pool) {
    forces_->assemble(environment_, {x, xHat_, xHat_}, {.stiffness = a_ * a_, .clamped = true}, {out, lambda_}, pool);
    const linalg::BlockPattern& pattern = out.pattern();
    if (damped_)
        parallelRows(pool, pattern.rows, [&](Index begin, Index end) {
            for (Index k = pattern.rowStart[begin]; k < pattern.rowStart[end]; ++k) {
                if (!C_.occupied(k)) continue;
                out.block(k) += a_ * C_.block(k);
                out.setOccupied(k, true);
            }
            for (Index i = begin; i < end; ++i) out.diagonal(i).diagonal().array() -= a_ * model_->mass[i];
        });
    if (curvature == Curvature::Definite) return;
    for (std::size_t e = 0; e < model_->springs.size(); ++e) {
        const cloth::Spring& s = model_->springs[e];
        const Vec3 d = x[s.j] - x[s.i];
        const double squared = d.squaredNorm();
        const cloth::ElasticTerms terms = cloth::elasticTerms(forces_->springLaw(e), s.restLength, squared);
        if (!terms.active || !(terms.tension < 0)) continue;
        const Mat3 H = a_ * a_ * terms.tension * (Mat3::Identity() - d * d.transpose() / squared);
        linalg::addPair(out, s.i, s.j, -H);
        out.diagonal(s.i) += H;
        out.diagonal(s.j) += H;
    }
    forces_->membrane().addHessian(x, a_ * a_, cloth::Membrane::Part::Negative, out, pool);
}

/// Velocities of held particles are those that they are held with: the midpoint's would swing about them for ever.
void StepObjective::settleHeld(const SimulationState& state, SimulationState& out) const {
    stage_.place(out.x);
    for (const mechanics::Prescribed& p : stage_.prescribed()) {
        const Vec3 off = p.velocity - out.v[p.particle];
        out.v[p.particle] += off - stage_.constraints().find(p.particle)->S() * off;
        out.deltaV[p.particle] = out.v[p.particle] - state.v[p.particle];
    }
}

const linalg::BlockVector& StepObjective::impulseAt(const linalg::BlockVector& x, WorkerPool& pool) {
    gradient(x, lambda_, pool);
    lambda_.flat() /= a_;
    return lambda_;
}

void StepObjective::finishState(const linalg::BlockVector& x, const SimulationState& state, WorkerPool& pool,
                                SimulationState& out) const {
    const Index n = x.size();
    if (out.deltaV.size() != n) out.deltaV.resize(n);
    parallelRows(pool, n, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            out.x[i] = x[i];
            out.v[i] = (x[i] - xHat_[i]) / a_;
            if (midpoint_) {
                out.x[i] += x[i] - start_[i];
                out.v[i] += out.v[i] - state.v[i];
            }
            out.deltaV[i] = out.v[i] - state.v[i];
        }
    });
    if (midpoint_) settleHeld(state, out);
}

void StepObjective::finish(const linalg::BlockVector& x, const SimulationState& state, StepContext& context,
                           SimulationState& out) {
    finishState(x, state, context.pool, out);
    stage_.finish([&]() -> const linalg::BlockVector& { return impulseAt(x, context.pool); }, span_, context, out);
    out.time = state.time + h_;
    out.step = state.step + 1;
    if (coefficients_.past == 0) return forget(out, StateRole::Past);
    out.xPrevious = state.x;
    out.vPrevious = state.v;
    out.dtPrevious = h_;
    out.previousValid = true;
}

}  // namespace clothlab::integrators
