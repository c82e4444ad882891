#include "integrators/descent/potential.hpp"

#include <algorithm>

#include "cloth/membrane.hpp"
#include "cloth/springs.hpp"

namespace clothlab::integrators {
namespace {

bool isDamped(const cloth::MaterialSettings& m) {
    return m.stretchDamping > 0 || m.shearDamping > 0 || m.bendDamping > 0;
}

/// H of one spring with d = x_j - x_i, from what its law says of E' and E''.
Mat3 springHessian(const cloth::SpringLaw& law, double restLength, const Vec3& d, Potential::Curvature curvature) {
    const double squared = d.squaredNorm();
    const cloth::ElasticTerms terms = cloth::elasticTerms(law, restLength, squared);
    if (!terms.active) return Mat3::Zero();
    const double along = terms.isotropic + terms.axial * squared;
    const double across = curvature == Potential::Curvature::Exact ? terms.tension : std::max(terms.tension, 0.0);
    return across * Mat3::Identity() + (along - across) / squared * d * d.transpose();
}

}  // namespace

std::string whyNoPotential(std::span<const cloth::MaterialSettings> materials, const cloth::WindSettings& wind,
                           const contact::ContactSettings& contact, bool colliders) {
    if (std::ranges::any_of(materials, isDamped))
        return "damping depends on velocities and has no potential energy: set the dampings of the material to 0";
    if (wind.dragCoefficient > 0 || wind.linearDrag > 0)
        return "drag of the air depends on velocities and has no potential energy: set wind.drag_coefficient and "
               "wind.linear_drag to 0";
    if (colliders && (contact.muS > 0 || contact.muK > 0))
        return "friction depends on the way of the motion and has no potential energy: set contact.mu_s and "
               "contact.mu_k to 0";
    if (contact.selfCollision == contact::SelfCollision::Repulsion)
        return "repulsion acts between other particles in every step, and is not part of the potential energy: set "
               "contact.self_collision to off";
    return {};
}

Potential::Potential(const cloth::ClothModel& model, const cloth::ForceModel& forces,
                     const cloth::Environment& environment, const cloth::SpringGradient* springs)
    : model_(model), forces_(forces), environment_(environment), springs_(springs), rest_(model.particles()) {
    environment_.wind = {};
}

double Potential::value(const linalg::BlockVector& x, WorkerPool& pool) {
    const cloth::ForceModel::Energies energies = forces_.energies(environment_, x, rest_, pool);
    double sum = energies.gravity + energies.stretch + energies.shear + energies.bend;
    for (const cloth::PointForce& p : environment_.pointForces) sum -= p.force.dot(x[p.particle]);
    for (const cloth::AnchorSpring& a : environment_.anchors)
        sum += 0.5 * a.stiffness * (x[a.particle] - a.target).squaredNorm();
    return sum;
}

void Potential::force(const linalg::BlockVector& x, linalg::BlockVector& out, WorkerPool& pool) const {
    if (!springs_) {
        forces_.forces(environment_, x, rest_, out, pool);
    } else {
        if (out.size() != x.size()) out.resize(x.size());
        parallelRows(pool, x.size(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) out[i] = model_.mass[i] * environment_.gravity;
        });
        springs_->add(x, out, pool);
        forces_.membrane().addForces(x, 1, out, pool);
        for (const cloth::PointForce& p : environment_.pointForces) out[p.particle] += p.force;
        for (const cloth::AnchorSpring& a : environment_.anchors)
            out[a.particle] += a.stiffness * (a.target - x[a.particle]);
        for (const mechanics::PairTerm& p : forces_.pairs()) p.add(p.force, out);
    }
}

void Potential::gradient(const linalg::BlockVector& x, linalg::BlockVector& out, WorkerPool& pool) const {
    force(x, out, pool);
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) out[i] *= -1.0;
    });
}

double Potential::curvature(const linalg::BlockVector& x, const linalg::BlockVector& direction,
                            WorkerPool& pool) const {
    double sum = parallelSum(pool, Index(model_.springs.size()), 0.0, [&](Index begin, Index end) {
        double part = 0;
        for (Index e = begin; e < end; ++e) {
            const cloth::Spring& s = model_.springs[e];
            const Vec3 d = x[s.j] - x[s.i], u = direction[s.j] - direction[s.i];
            const double squared = d.squaredNorm();
            const cloth::ElasticTerms terms =
                cloth::elasticTerms(forces_.springLaw(std::size_t(e)), s.restLength, squared);
            if (!terms.active) continue;
            const double along = d.dot(u);
            part += terms.isotropic * u.squaredNorm() + terms.axial * along * along;
        }
        return part;
    });
    sum += forces_.membrane().curvature(x, direction, pool);
    for (const cloth::AnchorSpring& a : environment_.anchors) sum += a.stiffness * direction[a.particle].squaredNorm();
    return sum;
}

void Potential::hessian(const linalg::BlockVector& x, Curvature curvature, linalg::BlockMatrix& out) {
    if (!pattern_) pattern_ = cloth::springPattern(model_);
    out.reset(pattern_);
    for (std::size_t e = 0; e < model_.springs.size(); ++e) {
        const cloth::Spring& s = model_.springs[e];
        const Mat3 H = springHessian(forces_.springLaw(e), s.restLength, x[s.j] - x[s.i], curvature);
        if (H.isZero(0.0)) continue;
        linalg::addPair(out, s.i, s.j, -H);
        out.diagonal(s.i) += H;
        out.diagonal(s.j) += H;
    }
    for (const cloth::AnchorSpring& a : environment_.anchors)
        out.diagonal(a.particle) += a.stiffness * Mat3::Identity();
    out.setSymmetricBlocks(true);
    WorkerPool alone(1);
    for (const auto part : {cloth::Membrane::Part::Positive, cloth::Membrane::Part::Negative})
        if (part == cloth::Membrane::Part::Positive || curvature == Curvature::Exact)
            forces_.membrane().addHessian(x, 1, part, out, alone);
}

}  // namespace clothlab::integrators
