#include <cassert>
#include <cstring>

#include "base/simd.hpp"
#include "cloth/force_model_impl.hpp"
#include "cloth/wind.hpp"
#include "linalg/block_kernels.hpp"

namespace clothlab::cloth {
namespace {

using linalg::Columns3;
using simd::Double4;

/// One law with the coefficients of this assembly multiplied in; 0 for what is explicit.
struct WeightedLaw {
    SpringLaw law;
    double stiffness, stiffnessVector, damping;
    bool damped() const { return law.damper != DamperKind::None; }
};

std::vector<WeightedLaw> weighted(std::span<const SpringLaw> all, const AssemblyCoefficients& c) {
    std::vector<WeightedLaw> laws;
    for (SpringLaw law : all) {
        law.full = law.full && !c.clamped;
        laws.push_back({law, law.elasticImplicit ? c.stiffness : 0, law.elasticImplicit ? c.stiffnessVector : 0,
                        law.dampingImplicit ? c.damping : 0});
    }
    return laws;
}

/// -(isotropic * I + axial * d d^T). Each off-diagonal number is the same product twice, so the block is symmetric to
/// the last bit.
inline Columns3 negativeBlock(double isotropic, double axial, Double4 d) {
    constexpr double kUnit[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    alignas(32) double lanes[4];
    d.store(lanes);
    const Double4 a = Double4::all(-axial), i = Double4::all(-isotropic);
    return {multiplyAdd(a, d * Double4::of(lanes), i * Double4::load(kUnit[0])),
            multiplyAdd(a, d * Double4::of(lanes + 1), i * Double4::load(kUnit[1])),
            multiplyAdd(a, d * Double4::of(lanes + 2), i * Double4::load(kUnit[2]))};
}

inline void subtractFrom(double* sums, Double4 v) { (Double4::load(sums) - v).store(sums); }

/// Row sums to the diagonal block and b. Scalar on purpose: a wide load of what narrow stores have just written waits
/// until the whole store buffer has drained (a third of the assembly), and a fourth lane would be another row's number.
inline void storeSums(double* diagonal, double* b, const double* sums, double onDiagonal, const Vec3& force) {
    for (int column = 0; column < 3; ++column)
        for (int k = 0; k < 3; ++k)
            diagonal[3 * column + k] = k == column ? sums[4 * column + k] + onDiagonal : sums[4 * column + k];
    for (int k = 0; k < 3; ++k) b[k] = sums[12 + k] + force[k];
}

inline void addSums(double* diagonal, double* b, const double* sums) {
    for (int column = 0; column < 3; ++column)
        for (int k = 0; k < 3; ++k) diagonal[3 * column + k] += sums[4 * column + k];
    for (int k = 0; k < 3; ++k) b[k] += sums[12 + k];
}

/// Sums of the rows that springs of one row can reach, in a ring: row j stands at j modulo a power of two. It stays in
/// the first-level cache while a chunk of any length is swept. `span` is the largest j - i of all springs, plus one.
class SumsWindow {
public:
    explicit SumsWindow(Index span) {
        Index rows = kRowsOnStack;
        while (rows < span) rows *= 2;
        mask_ = rows - 1;
        if (rows > kRowsOnStack) {
            heap_.assign(kRowSums * std::size_t(rows), 0.0);
            sums_ = heap_.data();
        } else {
            std::memset(stack_, 0, sizeof stack_);
        }
    }
    SumsWindow(const SumsWindow&) = delete;
    SumsWindow& operator=(const SumsWindow&) = delete;

    double* of(Index row) const { return sums_ + kRowSums * std::size_t(row & mask_); }
    void clear(Index row) const {
        for (int k = 0; k < kRowSums; k += 4) Double4::zero().store(of(row) + k);
    }

private:
    static constexpr Index kRowsOnStack = 512;
    alignas(64) double stack_[kRowSums * kRowsOnStack];
    linalg::AlignedVector<double> heap_;
    double* sums_ = stack_;
    Index mask_ = 0;
};

/// The springs of the rows of one chunk.
class ChunkAssembly {
public:
    ChunkAssembly(const std::vector<WeightedLaw>& laws, const linalg::BlockVector& x, const linalg::BlockVector& v,
                  const linalg::BlockVector& u, double force, linalg::BlockMatrix& A)
        : laws_(laws.data()), x_(x.data()), v_(v.data()), u_(u.data()), force_(force), A_(A) {}

    /// The law of broken springs is that of all families: one that is not in the pattern has no blocks to clear.
    static bool hasBlocks(const WeightedLaw& w, const Link& link) { return w.law.inPattern && link.upper != 0; }

    /// Springs [link, last) of row i: writes their blocks and adds to the sums of i and of each j.
    void row(Index i, const Link* link, const Link* last, const SumsWindow& window) const {
        // Copies in registers: the flags of occupied blocks are bytes, which the compiler must take to alias anything.
        const WeightedLaw* const laws = laws_;
        const double *const x = x_, *const v = v_, *const u = u_;
        const double force = force_;
        double* const values = A_.blockData(0);
        const std::uint8_t* const occupied = A_.occupiedData();

        const std::size_t at = 3 * std::size_t(i);
        const Double4 xi = Double4::load(x + at), ui = Double4::load(u + at), zero = Double4::zero();
        Columns3 diagonal{zero, zero, zero};
        Double4 b = zero;
        for (; link != last; ++link) {
            // The far end's row of A is touched here for the first time, and the hardware does not foresee it.
            const double* const ahead = values + 9 * std::size_t(link[kLinksAhead].lower);
            simd::prefetchForWrite(ahead);
            simd::prefetchForWrite(ahead + 8);
            const WeightedLaw& w = laws[link->law];
            const std::size_t other = 3 * std::size_t(link->j);
            const Double4 d = Double4::load(x + other) - xi;
            const double squared = (d * d).sum3();
            ElasticTerms elastic = elasticTerms(w.law, link->restLength, squared);
            if (w.law.full) elastic = withCompression(elastic, squared);
            if (!(elastic.axial > 0) && !w.damped()) {
                if (hasBlocks(w, *link) && occupied[link->upper]) clear(*link);
                continue;
            }
            const Double4 du = Double4::load(u + other) - ui;
            double isotropic = w.stiffness * elastic.isotropic, axial = w.stiffness * elastic.axial;
            double alongD = force * elastic.tension + w.stiffnessVector * elastic.axial * (d * du).sum3();
            Double4 g = Double4::all(w.stiffnessVector * elastic.isotropic) * du;
            if (w.damped()) {
                const Double4 dv = Double4::load(v + other) - Double4::load(v + at);
                const DamperTerms damper = damperTerms(w.law, elastic.active, squared, (d * dv).sum3());
                isotropic += w.damping * damper.isotropic;
                axial += w.damping * damper.axial;
                alongD += force * damper.alongD;
                g = multiplyAdd(Double4::all(force * damper.alongV), dv, g);
            }
            g = multiplyAdd(Double4::all(alongD), d, g);
            b = b + g;
            double* const sumsJ = window.of(link->j);
            subtractFrom(sumsJ + 12, g);
            if (isotropic == 0 && !(axial > 0)) {
                if (hasBlocks(w, *link) && occupied[link->upper]) clear(*link);
                continue;
            }
            const Columns3 block = negativeBlock(isotropic, axial, d);
            diagonal = {diagonal.c[0] - block.c[0], diagonal.c[1] - block.c[1], diagonal.c[2] - block.c[2]};
            subtractFrom(sumsJ, block.c[0]);
            subtractFrom(sumsJ + 4, block.c[1]);
            subtractFrom(sumsJ + 8, block.c[2]);
            block.store(values + 9 * std::size_t(link->upper));
            block.store(values + 9 * std::size_t(link->lower));
            if (!occupied[link->upper]) occupy(*link);
        }
        addTo(window.of(i), diagonal, b);
    }

private:
    static void addTo(double* sums, const Columns3& diagonal, const Double4& b) {
        (Double4::load(sums) + diagonal.c[0]).store(sums);
        (Double4::load(sums + 4) + diagonal.c[1]).store(sums + 4);
        (Double4::load(sums + 8) + diagonal.c[2]).store(sums + 8);
        (Double4::load(sums + 12) + b).store(sums + 12);
    }
    /// A slack spring's blocks stay zero; they are touched only if they were not.
    [[gnu::noinline]] void clear(const Link& link) const {
        std::memset(A_.blockData(link.upper), 0, 9 * sizeof(double));
        std::memset(A_.blockData(link.lower), 0, 9 * sizeof(double));
        A_.setOccupied(link.upper, false);
        A_.setOccupied(link.lower, false);
    }
    [[gnu::noinline]] void occupy(const Link& link) const {
        A_.setOccupied(link.upper, true);
        A_.setOccupied(link.lower, true);
    }

    const WeightedLaw* laws_;
    const double *x_, *v_, *u_;
    double force_;
    linalg::BlockMatrix& A_;
};

void addAnchors(const Environment& env, const AssemblyPoint& at, const AssemblyCoefficients& c,
                const AssembledInto& out) {
    for (const AnchorSpring& a : env.anchors) {
        const Index i = a.particle;
        out.A.diagonal(i).diagonal().array() += c.stiffness * a.stiffness + c.damping * a.damping;
        out.b[i] += c.force * (a.stiffness * (a.target - at.x[i]) + a.damping * (a.targetVelocity - at.v[i])) +
                    c.stiffnessVector * a.stiffness * (a.targetVelocity - at.u[i]);
    }
}

}  // namespace

void ForceModel::assemble(const Environment& env, const AssemblyPoint& at, const AssemblyCoefficients& c,
                          const AssembledInto& out, WorkerPool& pool) {
    const linalg::BlockVector &x = at.x, &v = at.v, &u = at.u;
    linalg::BlockMatrix& A = out.A;
    linalg::BlockVector& b = out.b;
    Impl& d = *impl_;
    const Index rows = d.chunks.rows;
    assert(d.model && x.size() == rows && v.size() == rows && u.size() == rows && &b != &x && &b != &v && &b != &u);
    if (!A.hasPattern() || A.pattern().revision != d.pattern->revision) A.reset(d.pattern);
    if (b.size() != rows) b.resize(rows);

    const std::vector<WeightedLaw> laws = weighted(d.laws, c);
    const Vec3 wind = windVelocity(env.wind, env.time);
    const bool pressure = d.updatePressure(env, wind, x, v, pool);
    const double implicitDrag = c.damping * env.wind.linearDrag;
    const bool absolute = d.absoluteImplicit && !d.absoluteDamping.empty();
    const ChunkAssembly assembly(laws, x, v, u, c.force, A);

    pool.forChunks(d.chunks.count(), rows, [&](Index chunk) {
        const Index begin = d.chunks.begin(chunk), end = d.chunks.end(chunk);
        SumsWindow window(d.span);
        const Link* links = d.links.data();
        for (Index i = begin; i < end; ++i) {
            const auto row = std::size_t(i);
            assembly.row(i, links + d.linkStart[row], links + d.linkStart[row + 1], window);
            // All springs from this chunk's lower rows have been added: the row is complete but for the halos.
            const double added =
                d.model->mass[row] + implicitDrag + (absolute ? c.damping * d.absoluteDamping[row] : 0);
            const Vec3 force = c.force * d.bodyForce(env, wind, pressure, v, i);
            storeSums(A.blockData(d.pattern->diagonal[row]), b.data() + 3 * row, window.of(i), added, force);
            window.clear(i);
        }
        double* halo = d.haloData(chunk);
        for (Index j = end; j < d.haloEnd[chunk]; ++j, halo += kRowSums)
            std::memcpy(halo, window.of(j), kRowSums * sizeof(double));
    });
    pool.forChunks(d.chunks.count(), rows, [&](Index chunk) {
        d.addHalos<kRowSums>(chunk, [&](Index i, const double* sums) {
            const auto row = std::size_t(i);
            addSums(A.blockData(d.pattern->diagonal[row]), b.data() + 3 * row, sums);
        });
    });
    addAnchors(env, at, c, out);
    for (const PointForce& p : env.pointForces) b[p.particle] += c.force * p.force;
    d.addPairs(u, c, A, b);
    A.setSymmetricBlocks(true);
    if (d.membrane.empty()) return;
    if (c.force != 0) d.membrane.addForces(x, c.force, b, pool);
    if (!d.implicitMembrane()) return;
    for (const Membrane::Part part : {Membrane::Part::Positive, Membrane::Part::NegativeKept}) {
        if (part == Membrane::Part::NegativeKept && (c.clamped || !d.keepsNegative())) continue;
        if (c.stiffness != 0) d.membrane.addHessian(x, c.stiffness, part, A, pool);
        if (c.stiffnessVector != 0) d.membrane.subtractProduct(x, u, c.stiffnessVector, part, b, pool);
    }
}

}  // namespace clothlab::cloth
