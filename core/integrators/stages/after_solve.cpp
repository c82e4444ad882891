#include "integrators/stages/after_solve.hpp"

#include <algorithm>
#include <cmath>

#include "integrators/stages/constraint_stage.hpp"

namespace clothlab::integrators {
void HeldParticles::take(const SimulationState& state, const StepContext& context, const SimulationState& candidate) {
    prescribePinsAndGrab(state, context.model, context.grab, context.colliders, state.time, context.dt, held_);
    free_.clear();
    at_.assign(std::size_t(candidate.x.size()), -1);
    const auto add = [&](Index particle, int ndof, const Vec3& p, const Vec3& q) {
        if (holds(particle)) return;  // by a stronger hold
        Mat3 free = ndof == 0 ? Mat3(Mat3::Zero()) : Mat3(Mat3::Identity());
        if (ndof > 0) free -= p * p.transpose();
        if (ndof == 1) free -= q * q.transpose();
        at_[particle] = int(free_.size());
        free_.push_back(free);
    };
    for (const mechanics::Prescribed& p : held_) add(p.particle, p.ndof, p.p, p.q);
    for (const contact::ParticleContact& c : candidate.contacts.contacts) {
        const Vec3 across = c.secondNormal - c.normal.dot(c.secondNormal) * c.normal;
        add(c.particle, c.ndof, c.normal, across.normalized());
    }
}

bool HeldParticles::still() const {
    constexpr double kRounding = 1e-9;  // m/s, of a pin that is at its place
    return std::ranges::all_of(held_, [](const auto& p) { return p.velocity.norm() < kRounding; });
}

Vec3 HeldParticles::freePart(Index i, const Vec3& move) const { return holds(i) ? free_[at_[i]] * move : move; }

void StrainLimitStage::resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                               StepOutcome& outcome) {
    const double limit = context.afterSolve.strainLimit;
    if (!(limit > 0)) return;
    held_.take(state, context, candidate);
    const cloth::ClothModel& model = context.model;
    const auto shorten = [&](const cloth::Spring& s) {
        const Vec3 d = candidate.x[s.j] - candidate.x[s.i];
        const double squared = d.squaredNorm(), longest = (1 + limit) * s.restLength;
        constexpr double kRounding = 1 + 1e-9;  // a spring that was shortened is not longer
        if (squared <= longest * longest * kRounding) return false;
        const Vec3 n = d / std::sqrt(squared);
        const Vec3 ofI = held_.freePart(s.i, n / model.mass[s.i]), ofJ = held_.freePart(s.j, n / model.mass[s.j]);
        const double both = n.dot(ofI) + n.dot(ofJ);
        if (!(both > 0)) return true;
        const double share = (std::sqrt(squared) - longest) / both;
        candidate.x[s.i] += share * ofI;
        candidate.x[s.j] -= share * ofJ;
        return true;
    };
    const auto pass = [&](auto&& each) {
        Index found = 0;
        for (std::size_t e = 0; e < model.springs.size(); ++e)
            if (model.springs[e].family != cloth::SpringFamily::Bend && !context.forces.isBroken(e))
                found += each(model.springs[e]);
        return found;
    };
    const auto isBeyond = [&](const cloth::Spring& s) {
        constexpr double kLittle = 1e-3;  // of the limit: passes never remove it
        return (candidate.x[s.j] - candidate.x[s.i]).norm() > (1 + (1 + kLittle) * limit) * s.restLength;
    };
    moved_ = candidate.x;
    outcome.limited.springs = pass(isBeyond);
    while (outcome.limited.passes < context.afterSolve.strainPasses && pass(shorten) > 0) ++outcome.limited.passes;
    if (outcome.limited.passes == 0) return;
    outcome.limited.left = pass(isBeyond);
    candidate.v.flat() += (candidate.x.flat() - moved_.flat()) / context.dt;
}

void RigidDragStage::resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                             StepOutcome&) {
    const double rate = context.afterSolve.rigidDrag;
    if (!(rate > 0)) return;
    held_.take(state, context, candidate);
    pieces_.find(context.model, candidate.brokenSprings);
    const double kept = std::exp(-rate * context.dt);
    for (const std::vector<Index>& piece : pieces_.each()) {
        const RigidMotion rigid = fitRigidMotion(piece, context.model.mass, candidate);
        for (const Index i : piece) {
            const Vec3 rest = Vec3(candidate.v[i]) - rigid.at(candidate.x[i]);
            candidate.v[i] -= held_.freePart(i, (1 - kept) * rest);
        }
    }
}

}  // namespace clothlab::integrators
