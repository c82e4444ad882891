#include <algorithm>
#include <cassert>
#include <cmath>

#include "cloth/force_model_impl.hpp"

namespace clothlab::cloth {
namespace {

/// Energy of one spring, J: its negative gradient is the elastic force of elasticTerms.
double lawEnergy(const SpringLaw& law, const BendEnergy& bend, double L, double squared) {
    const double l = std::sqrt(squared);
    const double hooke = 0.5 * law.stiffness * (l - L) * (l - L);
    switch (law.kind) {
        case SpringKind::TensionOnly:
            return l >= L * kActivation ? hooke : 0;
        case SpringKind::Bilateral:
            return hooke;
        case SpringKind::CompressionOnly:
            return l < L ? hooke : 0;
        case SpringKind::ChoiKoPolynomial:
        case SpringKind::ChoiKoExact:
            return L > 0 ? law.stiffness * L * L * bend(l / L) : 0;
        case SpringKind::InMembrane:
            return 0;
    }
    return 0;
}

/// Partial sums of one chunk: kinetic, gravity, stretch, shear, bend; the strains are maxima.
struct Partial {
    double sum[5] = {};
    double strain = 0, shearStrain = 0;
    Partial& operator+=(const Partial& o) {
        for (int k = 0; k < 5; ++k) sum[k] += o.sum[k];
        strain = std::max(strain, o.strain);
        shearStrain = std::max(shearStrain, o.shearStrain);
        return *this;
    }
};

double lengthSquared(const linalg::BlockVector& x, const Spring& s) { return (x[s.j] - x[s.i]).squaredNorm(); }

double strain(const linalg::BlockVector& x, const Spring& s) {
    return s.restLength > 0 ? std::sqrt(lengthSquared(x, s)) / s.restLength - 1 : 0;
}

}  // namespace

double ForceModel::springEnergy(std::size_t e, double squared) const {
    const Impl& d = *impl_;
    const Spring& s = d.model->springs[e];
    return lawEnergy(d.law(d.links[e]), d.bendEnergies[s.material], s.restLength, squared);
}

ForceModel::Energies ForceModel::energies(const Environment& env, const linalg::BlockVector& x,
                                          const linalg::BlockVector& v, WorkerPool& pool) const {
    const Impl& d = *impl_;
    assert(d.model && x.size() == d.chunks.rows && v.size() == d.chunks.rows);
    const Partial total = parallelSum(pool, d.chunks.rows, Partial{}, [&](Index begin, Index end) {
        Partial p;
        for (Index i = begin; i < end; ++i) {
            const double m = d.model->mass[i];
            p.sum[0] += 0.5 * m * v[i].squaredNorm();
            p.sum[1] -= m * env.gravity.dot(x[i]);
        }
        const Index first = d.linkStart[begin], last = d.linkStart[end];
        for (Index e = first; e < last; ++e) {
            const auto k = std::size_t(e);
            const Spring& s = d.model->springs[k];
            const SpringLaw& law = d.law(d.links[k]);
            if (d.isBroken(k)) continue;
            p.sum[2 + int(s.family)] += lawEnergy(law, d.bendEnergies[s.material], s.restLength, lengthSquared(x, s));
            if (s.family == SpringFamily::Stretch) p.strain = std::max(p.strain, strain(x, s));
            if (s.family == SpringFamily::Shear) p.shearStrain = std::max(p.shearStrain, strain(x, s));
        }
        return p;
    });
    const double stretch = total.sum[2] + d.membrane.energy(x, pool);
    return {total.sum[0], total.sum[1], stretch, total.sum[3], total.sum[4], total.strain, total.shearStrain};
}

void ForceModel::springStates(const linalg::BlockVector& x, const linalg::BlockVector&,
                              std::vector<std::uint8_t>& out) const {
    const Impl& d = *impl_;
    assert(d.model && x.size() == d.chunks.rows);
    out.resize(d.model->springs.size());
    for (std::size_t e = 0; e < out.size(); ++e) {
        const SpringLaw& law = d.law(d.links[e]);
        const bool acts = !d.isBroken(e) && law.kind != SpringKind::InMembrane;
        const bool active =
            acts && elasticTerms(law, d.links[e].restLength, lengthSquared(x, d.model->springs[e])).active;
        out[e] = std::uint8_t((active ? kSpringActive : 0) | (acts && d.isImplicit(law) ? kSpringImplicit : 0));
    }
}

void ForceModel::springStrains(const linalg::BlockVector& x, std::vector<float>& out) const {
    const Impl& d = *impl_;
    assert(d.model && x.size() == d.chunks.rows);
    out.resize(d.model->springs.size());
    for (std::size_t e = 0; e < out.size(); ++e) out[e] = d.isBroken(e) ? 0 : float(strain(x, d.model->springs[e]));
}

}  // namespace clothlab::cloth
