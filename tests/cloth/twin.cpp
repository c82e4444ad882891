#include "twin.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/random_systems.hpp"

namespace clothlab::cloth::twin {
namespace {

struct Edge {
    double l, L;
    Vec3 n, velocity;
    Mat3 along, across;
};

struct Answer {
    Vec3 force = Vec3::Zero();
    Mat3 J = Mat3::Zero(), V = Mat3::Zero();
    bool active = false;
};

Answer hooke(const Edge& e, double k) {
    const double t = k * (1 - e.L / e.l);
    return {k * (e.l - e.L) * e.n, k * e.along + std::max(t, 0.0) * e.across, Mat3::Zero(), true};
}

Answer buckling(const Edge& e, const MaterialSettings& m) {
    const double s = e.l / e.L, kb = m.bendStiffness * e.L * e.L * e.L / 4, cb = m.bendLinearBranch * m.bendStiffness;
    double phi, slope;
    if (m.bendModel == BendModel::ChoiKoExact) {
        double low = 1e-6, high = std::numbers::pi;
        for (int k = 0; k < 100; ++k) {
            const double middle = (low + high) / 2;
            (std::sin(middle) / middle > s ? low : high) = middle;
        }
        const double u = low, d = std::cos(u) - std::sin(u) / u, dSlope = -std::sin(u) - d / u;
        phi = u * u / d;
        slope = u * (2 * u * d - u * u * dSlope) / (d * d * d);
    } else {
        phi = -11.541 * std::pow(s, 4) + 34.193 * std::pow(s, 3) - 39.083 * s * s + 23.116 * s - 9.713;
        slope = -46.164 * std::pow(s, 3) + 102.579 * s * s - 78.166 * s + 23.116;
    }
    double f = 4 * kb / (e.L * e.L) * phi, df = 4 * kb / (e.L * e.L * e.L) * slope;
    if (cb * (e.l - e.L) > f) f = cb * (e.l - e.L), df = cb;
    return {f * e.n, df * e.along, Mat3::Zero(), true};
}

Answer elastic(const Edge& e, const MaterialSettings& m, SpringFamily family) {
    const bool tight = e.l >= e.L * (1 - 1e-9);
    if (family != SpringFamily::Bend) {
        const double k = family == SpringFamily::Stretch ? m.stretchStiffness : m.shearStiffness;
        if (!m.tensionOnly || tight) return hooke(e, k);
        Answer slack;
        if (m.jacSlack) slack.J = k * e.along;
        return slack;
    }
    switch (m.bendModel) {
        case BendModel::Linear:
            return hooke(e, m.bendStiffness);
        case BendModel::LinearTension:
            return tight ? hooke(e, m.bendStiffness) : Answer{};
        case BendModel::LinearCompression:
            if (e.l >= e.L) return {};
            return {m.bendStiffness * (e.l - e.L) * e.n, m.bendStiffness * e.along, Mat3::Zero(), true};
        default:
            return e.l < e.L ? buckling(e, m) : Answer{};
    }
}

void addDamper(Answer& a, const Edge& e, const MaterialSettings& m, SpringFamily family) {
    if (m.dampingModel == DampingModel::Absolute) return;
    if (m.dampGate == DampGate::SpringActive && !a.active) return;
    if (m.dampGate == DampGate::Elongating && e.n.dot(e.velocity) <= 0) return;
    const double k = family == SpringFamily::Stretch ? m.stretchDamping
                     : family == SpringFamily::Shear ? m.shearDamping
                                                     : m.bendDamping;
    a.V = m.dampingModel == DampingModel::Projected ? Mat3(k * e.along) : Mat3(k * Mat3::Identity());
    a.force += a.V * e.velocity;
}

/// The material of a spring between two: the softer one, of equal ones the first.
const MaterialSettings& softer(const ClothModel& model, std::span<const MaterialSettings> materials, const Spring& e) {
    double MaterialSettings::*const stiffness[] = {&MaterialSettings::stretchStiffness,
                                                   &MaterialSettings::shearStiffness, &MaterialSettings::bendStiffness};
    const auto [first, second] = std::minmax({model.material[e.i], model.material[e.j]});
    const MaterialSettings &a = materials[first], &b = materials[second];
    const auto k = stiffness[int(e.family)];
    return b.*k < a.*k ? b : a;
}

}  // namespace

System assemble(const ClothModel& model, std::span<const MaterialSettings> materials, const ImplicitSplit& split,
                const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                const linalg::BlockVector& u, const AssemblyCoefficients& c,
                std::shared_ptr<const linalg::BlockPattern> pattern) {
    System s{linalg::BlockMatrix(std::move(pattern)), linalg::BlockVector(x.size()), linalg::BlockVector(x.size())};
    const auto diagonal = [&](Index i, const Mat3& block) { s.A.diagonal(i) += block; };
    for (const Spring& e : model.springs) {
        const MaterialSettings& m = softer(model, materials, e);
        const Vec3 d = x[e.j] - x[e.i];
        const double l = d.norm();
        if (l < 1e-12) continue;
        const Vec3 n = d / l;
        const Edge edge{l, e.restLength, n, v[e.j] - v[e.i], n * n.transpose(), Mat3::Identity() - n * n.transpose()};
        Answer a = elastic(edge, m, e.family);
        addDamper(a, edge, m, e.family);
        s.f[e.i] += a.force;
        s.f[e.j] -= a.force;
        if (!split.elastic[int(e.family)]) a.J.setZero();
        if (!split.damping[int(e.family)]) a.V.setZero();
        const Mat3 block = c.stiffness * a.J + c.damping * a.V;
        if (!block.isZero(0)) linalg::addPair(s.A, e.i, e.j, -block);
        diagonal(e.i, block);
        diagonal(e.j, block);
        const Vec3 Ku = a.J * (u[e.j] - u[e.i]);
        s.b[e.i] += c.stiffnessVector * Ku;
        s.b[e.j] -= c.stiffnessVector * Ku;
    }
    for (Index i = 0; i < model.particles(); ++i) {
        const double mass = model.mass[i];
        const MaterialSettings& m = materials[model.material[i]];
        const double absolute = m.dampingModel == DampingModel::Absolute ? m.stretchDamping : 0;
        s.f[i] += mass * env.gravity - absolute * v[i] - env.wind.linearDrag * (v[i] - env.wind.velocity);
        diagonal(i, (mass + c.damping * (env.wind.linearDrag + (split.damping[0] ? absolute : 0))) * Mat3::Identity());
    }
    for (const PointForce& p : env.pointForces) s.f[p.particle] += p.force;
    for (const AnchorSpring& a : env.anchors) {
        s.f[a.particle] += a.stiffness * (a.target - x[a.particle]) + a.damping * (a.targetVelocity - v[a.particle]);
        diagonal(a.particle, (c.stiffness * a.stiffness + c.damping * a.damping) * Mat3::Identity());
        s.b[a.particle] += c.stiffnessVector * a.stiffness * (a.targetVelocity - u[a.particle]);
    }
    s.b.flat() += c.force * s.f.flat();
    return s;
}

}  // namespace clothlab::cloth::twin
