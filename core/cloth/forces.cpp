#include "cloth/forces.hpp"

#include <algorithm>
#include <cassert>

#include "cloth/force_model_impl.hpp"
#include "cloth/wind.hpp"

namespace clothlab::cloth {
namespace {

constexpr int kForceSums = 3;

}  // namespace

ForceModel::ForceModel() : impl_(std::make_unique<Impl>()) {}
ForceModel::~ForceModel() = default;
ForceModel::ForceModel(ForceModel&&) noexcept = default;
ForceModel& ForceModel::operator=(ForceModel&&) noexcept = default;

std::shared_ptr<const linalg::BlockPattern> ForceModel::pattern() const { return impl_->pattern; }
const linalg::CoreMask& ForceModel::coreMask() const { return impl_->core; }

bool ForceModel::Impl::updatePressure(const Environment& env, const Vec3& wind, const linalg::BlockVector& x,
                                      const linalg::BlockVector& v, WorkerPool& pool) {
    const double factor = 0.5 * env.wind.airDensity * env.wind.dragCoefficient;
    if (factor == 0) return false;
    drag.evaluate(*model, x, v, {wind, factor}, pressure, pool);
    return true;
}

Vec3 ForceModel::Impl::bodyForce(const Environment& env, const Vec3& wind, bool pressureCounts,
                                 const linalg::BlockVector& v, Index i) const {
    Vec3 f = model->mass[i] * env.gravity - env.wind.linearDrag * (v[i] - wind);
    if (!absoluteDamping.empty()) f -= absoluteDamping[i] * v[i];
    if (pressureCounts) f += pressure[i];
    return f;
}

template <ForceModel::Part kPart>
void ForceModel::sumForces(const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                           linalg::BlockVector& f, WorkerPool& pool) const {
    constexpr bool kAll = kPart == Part::All;
    Impl& d = *impl_;
    assert(d.model && x.size() == d.chunks.rows && v.size() == d.chunks.rows && &f != &x && &f != &v);
    if (f.size() != d.chunks.rows) f.resize(d.chunks.rows);
    const Vec3 wind = windVelocity(env.wind, env.time);
    const bool pressure = d.updatePressure(env, wind, x, v, pool);

    pool.forChunks(d.chunks.count(), d.chunks.rows, [&](Index c) {
        const Index begin = d.chunks.begin(c), end = d.chunks.end(c);
        double* halo = d.haloData(c);
        std::fill_n(halo, kForceSums * (d.haloEnd[c] - end), 0.0);
        for (Index i = begin; i < end; ++i) f[i].setZero();
        for (Index i = begin; i < end; ++i) {
            const Vec3 xi = x[i], vi = v[i];
            Vec3 sum = Vec3::Zero();
            for (Index e = d.linkStart[i]; e < d.linkStart[i + 1]; ++e) {
                const Link& link = d.links[e];
                const SpringLaw& law = d.law(link);
                if (!kAll && law.elasticImplicit && law.dampingImplicit) continue;
                const Vec3 edge = x[link.j] - xi;
                const double squared = edge.squaredNorm();
                const ElasticTerms elastic = elasticTerms(law, link.restLength, squared);
                Vec3 g = kAll || !law.elasticImplicit ? Vec3(elastic.tension * edge) : Vec3(Vec3::Zero());
                if (law.damper != DamperKind::None && (kAll || !law.dampingImplicit)) {
                    const Vec3 velocity = v[link.j] - vi;
                    const DamperTerms damper = damperTerms(law, elastic.active, squared, edge.dot(velocity));
                    g += damper.alongD * edge + damper.alongV * velocity;
                }
                sum += g;
                double* other =
                    link.j < end ? f.data() + 3 * std::size_t(link.j) : halo + kForceSums * std::size_t(link.j - end);
                for (int k = 0; k < 3; ++k) other[k] -= g[k];
            }
            if constexpr (kAll)
                f[i] += sum + d.bodyForce(env, wind, pressure, v, i);
            else
                f[i] += pressure ? Vec3(sum + d.pressure[i]) : sum;
        }
    });
    pool.forChunks(d.chunks.count(), d.chunks.rows, [&](Index c) {
        d.addHalos<kForceSums>(c, [&](Index row, const double* sums) { f[row] += Eigen::Map<const Vec3>(sums); });
    });
    if (kAll || !d.implicitMembrane()) d.membrane.addForces(x, 1, f, pool);
}

void ForceModel::forces(const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                        linalg::BlockVector& f, WorkerPool& pool) const {
    sumForces<Part::All>(env, x, v, f, pool);
    for (const PointForce& p : env.pointForces) f[p.particle] += p.force;
    for (const AnchorSpring& a : env.anchors)
        f[a.particle] += a.stiffness * (a.target - x[a.particle]) + a.damping * (a.targetVelocity - v[a.particle]);
    impl_->addPairForces(f, false);
}

void ForceModel::explicitForces(const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                                linalg::BlockVector& f, WorkerPool& pool) const {
    sumForces<Part::Explicit>(env, x, v, f, pool);
    impl_->addPairForces(f, true);
}

Index ForceModel::changedSprings(const linalg::BlockVector& from, const linalg::BlockVector& to,
                                 WorkerPool& pool) const {
    const Impl& d = *impl_;
    const Index ofSprings = parallelSum(pool, d.chunks.rows, Index(0), [&](Index begin, Index end) {
        Index count = 0;
        for (Index i = begin; i < end; ++i) {
            const Vec3 fromHere = from[i], toHere = to[i];
            for (Index e = d.linkStart[i]; e < d.linkStart[i + 1]; ++e) {
                const Link& link = d.links[e];
                const SpringLaw& law = d.law(link);
                if (!law.elasticImplicit || !oneSidedHooke(law)) continue;
                const bool before = acts(law, link.restLength, (from[link.j] - fromHere).squaredNorm());
                count += before != acts(law, link.restLength, (to[link.j] - toHere).squaredNorm());
            }
        }
        return count;
    });
    return d.implicitMembrane() ? ofSprings + d.membrane.changed(from, to, pool) : ofSprings;
}

}  // namespace clothlab::cloth
