#include <cassert>
#include <cstring>

#include "cloth/force_model_impl.hpp"
#include "cloth/wind.hpp"

namespace clothlab::cloth {
namespace {

/// One law with the coefficients of this assembly multiplied in; 0 for what is explicit.
struct WeightedLaw {
    SpringLaw law;
    double stiffness, stiffnessVector, damping;
};

struct V3 {
    double x, y, z;
};
inline V3 load(const double* p) { return {p[0], p[1], p[2]}; }
inline V3 minus(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline double dot(const V3& a, const V3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// isotropic * I + axial * d d^T: xx xy xz yy yz zz.
struct SymmetricBlock {
    double xx, xy, xz, yy, yz, zz;
};
inline SymmetricBlock springBlock(double isotropic, double axial, const V3& d) {
    const double ax = axial * d.x, ay = axial * d.y, az = axial * d.z;
    return {isotropic + ax * d.x, ax * d.y, ax * d.z, isotropic + ay * d.y, ay * d.z, isotropic + az * d.z};
}
inline void storeNegative(double* out, const SymmetricBlock& b) {
    out[0] = -b.xx, out[1] = -b.xy, out[2] = -b.xz;
    out[3] = -b.xy, out[4] = -b.yy, out[5] = -b.yz;
    out[6] = -b.xz, out[7] = -b.yz, out[8] = -b.zz;
}
inline void addBlock(double* sums, const SymmetricBlock& b) {
    sums[0] += b.xx, sums[1] += b.xy, sums[2] += b.xz, sums[3] += b.yy, sums[4] += b.yz, sums[5] += b.zz;
}
inline void addToDiagonal(double* block, const double* sums) {
    block[0] += sums[0], block[1] += sums[1], block[2] += sums[2];
    block[3] += sums[1], block[4] += sums[3], block[5] += sums[4];
    block[6] += sums[2], block[7] += sums[4], block[8] += sums[5];
}

/// A slack spring's blocks stay zero; they are touched only if they were not.
inline void clearPair(linalg::BlockMatrix& A, Index upper, Index lower) {
    if (!A.occupied(upper)) return;
    std::memset(A.blockData(upper), 0, 9 * sizeof(double));
    std::memset(A.blockData(lower), 0, 9 * sizeof(double));
    A.setOccupied(upper, false);
    A.setOccupied(lower, false);
}

inline void storePair(linalg::BlockMatrix& A, Index upper, Index lower, const SymmetricBlock& block) {
    storeNegative(A.blockData(upper), block);
    storeNegative(A.blockData(lower), block);
    A.setOccupied(upper, true);
    A.setOccupied(lower, true);
}

/// The springs of one chunk of rows.
class ChunkAssembly {
public:
    ChunkAssembly(std::span<const WeightedLaw> laws, const linalg::BlockVector& x, const linalg::BlockVector& v,
                  const linalg::BlockVector& u, double force, linalg::BlockMatrix& A)
        : laws_(laws.data()), x_(x.data()), v_(v.data()), u_(u.data()), force_(force), A_(A) {}

    /// One spring from row i: writes its two blocks, adds to the sums of i and of j.
    void spring(const Link& link, const V3& xi, const V3& vi, const V3& ui, double* sumsI, double* sumsJ) const {
        const WeightedLaw& w = laws_[link.law];
        const std::size_t at = 3 * static_cast<std::size_t>(link.j);
        const V3 d = minus(load(x_ + at), xi);
        const double squared = dot(d, d);
        const ElasticTerms elastic = elasticTerms(w.law, link.restLength, squared);
        double isotropic = w.stiffness * elastic.isotropic, axial = w.stiffness * elastic.axial;
        const V3 du = minus(load(u_ + at), ui);
        double alongD = force_ * elastic.tension + w.stiffnessVector * elastic.axial * dot(d, du);
        const double alongU = w.stiffnessVector * elastic.isotropic;
        V3 g{alongU * du.x, alongU * du.y, alongU * du.z};
        if (w.law.damper != DamperKind::None) {
            const V3 dv = minus(load(v_ + at), vi);
            const DamperTerms damper = damperTerms(w.law, elastic.active, squared, dot(d, dv));
            isotropic += w.damping * damper.isotropic;
            axial += w.damping * damper.axial;
            alongD += force_ * damper.alongD;
            const double alongV = force_ * damper.alongV;
            g = {g.x + alongV * dv.x, g.y + alongV * dv.y, g.z + alongV * dv.z};
        }
        g = {g.x + alongD * d.x, g.y + alongD * d.y, g.z + alongD * d.z};
        sumsI[6] += g.x, sumsI[7] += g.y, sumsI[8] += g.z;
        sumsJ[6] -= g.x, sumsJ[7] -= g.y, sumsJ[8] -= g.z;
        if (!w.law.inPattern) return;
        if (isotropic == 0 && axial == 0) return clearPair(A_, link.upper, link.lower);
        const SymmetricBlock block = springBlock(isotropic, axial, d);
        addBlock(sumsI, block);
        addBlock(sumsJ, block);
        storePair(A_, link.upper, link.lower, block);
    }

private:
    const WeightedLaw* laws_;
    const double *x_, *v_, *u_;
    double force_;
    linalg::BlockMatrix& A_;
};

void addAnchors(const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                const linalg::BlockVector& u, const AssemblyCoefficients& c, linalg::BlockMatrix& A,
                linalg::BlockVector& b) {
    for (const AnchorSpring& a : env.anchors) {
        const Index i = a.particle;
        A.diagonal(i).diagonal().array() += c.stiffness * a.stiffness + c.damping * a.damping;
        b[i] += c.force * (a.stiffness * (a.target - x[i]) + a.damping * (a.targetVelocity - v[i])) +
                c.stiffnessVector * a.stiffness * (a.targetVelocity - u[i]);
    }
}

}  // namespace

void ForceModel::assemble(const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                          const linalg::BlockVector& u, const AssemblyCoefficients& c, linalg::BlockMatrix& A,
                          linalg::BlockVector& b, WorkerPool& pool) {
    Impl& d = *impl_;
    const Index rows = d.chunks.rows;
    assert(d.model && x.size() == rows && v.size() == rows && u.size() == rows && &b != &x && &b != &v && &b != &u);
    if (!A.hasPattern() || A.pattern().revision != d.pattern->revision) A.reset(d.pattern);
    if (b.size() != rows) b.resize(rows);

    std::vector<WeightedLaw> laws;
    for (const SpringLaw& law : d.laws)
        laws.push_back({law, law.elasticImplicit ? c.stiffness : 0, law.elasticImplicit ? c.stiffnessVector : 0,
                        law.dampingImplicit ? c.damping : 0});
    const Vec3 wind = windVelocity(env.wind, env.time);
    const bool pressure = d.updatePressure(env, wind, x, v, pool);
    const double implicitDrag = c.damping * env.wind.linearDrag;
    const bool absolute = d.absoluteImplicit && !d.absoluteDamping.empty();
    const ChunkAssembly assembly(laws, x, v, u, c.force, A);

    pool.forChunks(d.chunks.count(), rows, [&](Index chunk) {
        const Index begin = d.chunks.begin(chunk), end = d.chunks.end(chunk);
        double own[kRowSums * RowChunks::kRowsPerChunk];
        std::memset(own, 0, sizeof(double) * kRowSums * static_cast<std::size_t>(end - begin));
        double* halo = d.clearHalo(chunk, kRowSums);
        const Link* link = d.links.data() + d.linkStart[static_cast<std::size_t>(begin)];
        for (Index i = begin; i < end; ++i) {
            const auto row = static_cast<std::size_t>(i);
            const V3 xi = load(x.data() + 3 * row), vi = load(v.data() + 3 * row), ui = load(u.data() + 3 * row);
            double* sums = own + kRowSums * (i - begin);
            for (const Link* last = d.links.data() + d.linkStart[row + 1]; link != last; ++link)
                assembly.spring(*link, xi, vi, ui, sums,
                                link->j < end ? own + kRowSums * (link->j - begin) : halo + kRowSums * (link->j - end));
            // All springs from this chunk's lower rows have been added: the row is complete but for the halos.
            double* diagonal = A.blockData(d.pattern->diagonal[row]);
            std::memset(diagonal, 0, 9 * sizeof(double));
            diagonal[0] = diagonal[4] = diagonal[8] =
                d.model->mass[row] + implicitDrag + (absolute ? c.damping * d.absoluteDamping[row] : 0);
            addToDiagonal(diagonal, sums);
            b[i] = c.force * d.bodyForce(env, wind, pressure, v, i) + Vec3(sums[6], sums[7], sums[8]);
        }
    });
    pool.forChunks(d.chunks.count(), rows, [&](Index chunk) {
        d.addHalos<kRowSums>(chunk, [&](Index row, const double* sums) {
            addToDiagonal(A.blockData(d.pattern->diagonal[static_cast<std::size_t>(row)]), sums);
            b[row] += Vec3(sums[6], sums[7], sums[8]);
        });
    });
    addAnchors(env, x, v, u, c, A, b);
    for (const PointForce& p : env.pointForces) b[p.particle] += c.force * p.force;
    A.setSymmetricBlocks(true);
}

}  // namespace clothlab::cloth
