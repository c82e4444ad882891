#pragma once

#include <algorithm>

#include "cloth/air.hpp"
#include "cloth/forces.hpp"
#include "cloth/membrane.hpp"
#include "cloth/springs.hpp"

/// How forces and matrix are summed in parallel without races, and with the same bits at any number of threads.
///
/// Springs are sorted by their lower particle i. The chunk that owns row i computes each of its springs once. What a
/// spring adds to i stays in the chunk. What it adds to j > i stays in the chunk too if j is one of its rows, and goes
/// into the chunk's *halo* otherwise: the rows from the chunk's end to the farthest j, two grid rows at most.
///
///     rows      |---- chunk 0 ----|---- chunk 1 ----|---- chunk 2 ----|
///     halo 0                      |~~~~~~~~|
///     halo 1                                        |~~~~~~~~|
///
/// A second pass adds the halos to the rows they cover, in the order of the chunks. The two off-diagonal blocks of a
/// spring are its own (a pair has one spring), so they are written at once.
namespace clothlab::cloth {

/// The data of a spring in a sweep: 24 bytes, streamed in order.
struct Link {
    Index j;
    Index upper = 0, lower = 0;  ///< positions of the blocks (i, j) and (j, i); 0 when not in the pattern
    std::uint32_t law;           ///< into `laws`: 3 * material + family, beyond it if explicit, the last if broken
    double restLength;           ///< m
};

/// The sweep prefetches the blocks this many links ahead; as many dummy links end the list.
inline constexpr int kLinksAhead = 24;

/// Sums of a row while a chunk is swept, four lanes each: three columns of the diagonal block, then b.
inline constexpr int kRowSums = 16;

/// Rows of a chunk of the sweeps. Long enough that the halos (324 rows of a grid of 161) stay the smaller part, short
/// enough that a grid of 41 still makes two chunks.
inline constexpr Index kSweepRows = 1024;

/// Wide on purpose: parameters, caches and scratch of one assembly, shared by its few sources.
struct ForceModel::Impl {
    const ClothModel* model = nullptr;
    std::uint64_t revision = 0, materialRevision = 0;
    std::vector<MaterialSettings> materials;
    ImplicitSplit split;

    // From the mesh.
    RowChunks chunks;
    Index span = 1;                             // largest j - i of all springs, plus one
    std::vector<Index> linkStart;               // links of row i: [linkStart[i], linkStart[i + 1])
    std::vector<Link> links;                    // parallel to model->springs, and kLinksAhead more
    std::vector<Index> haloEnd;                 // per chunk: one past the farthest j
    std::vector<std::size_t> haloOffset;        // per chunk: first double of its halo
    std::vector<std::vector<Index>> halosInto;  // per chunk: earlier chunks whose halo reaches it, ascending
    PressureDrag drag;

    // From the materials.
    std::vector<SpringLaw>
        laws;  // 3 a material, the same again for springs explicit in this step, one of broken springs
    std::uint64_t lawRevision = 0;
    std::vector<std::uint8_t> explicitSprings;  // per spring; empty = none
    std::vector<std::uint8_t> broken;           // per spring; empty = none
    Index implicitSprings = 0, explicitSpringCount = 0, brokenSprings = 0;
    Membrane membrane;                     // of the triangles that are whole
    std::vector<BendEnergy> bendEnergies;  // one a material
    std::vector<double> absoluteDamping;   // N s/m per particle; empty when no material has it
    bool absoluteImplicit = true;
    struct StabilitySums {
        std::vector<double> stiffness, damping;  // per particle: sum of k_e, of 2 d_e; made on demand
    };
    StabilitySums ofAll, ofExplicit;
    StabilitySums withPairs;  // scratch of stabilitySumsWithPairs

    std::shared_ptr<const linalg::BlockPattern> pattern;  // active
    bool patternFamilies[kFamilies] = {false, false, false};
    bool implicitMembrane() const { return split.elastic[int(SpringFamily::Stretch)]; }
    bool keepsNegative() const {
        return std::ranges::any_of(materials, [](const auto& m) { return m.compression == CompressionModel::Full; });
    }
    /// A membrane needs the blocks of all edges, also where the springs along them are explicit, and while it is torn.
    bool inPattern(int family) const {
        const bool ofMembrane =
            implicitMembrane() && family != int(SpringFamily::Bend) &&
            std::ranges::any_of(materials, [](const auto& m) { return m.membrane == MembraneModel::Triangles; });
        return split.elastic[family] || split.damping[family] || ofMembrane;
    }
    linalg::CoreMask core;

    // Pairs of this step. Blocks of a pair that is also a spring in the pattern are written by the spring first.
    std::vector<mechanics::PairTerm> pairs;
    struct PairBlock {
        Index pair;          // into `pairs`
        Index upper, lower;  // positions of the blocks (i, j) and (j, i)
    };
    std::vector<PairBlock> pairBlocks;              // of the implicit ones
    std::vector<Index> pairsAlone;                  // positions that no spring writes
    std::vector<mechanics::PairTerm> patternPairs;  // implicit ones that `pattern` was made for; their i and j count
    std::shared_ptr<const linalg::BlockPattern> familyPattern;  // without pairs, and what belongs to it:
    linalg::CoreMask familyCore;
    std::vector<std::pair<Index, Index>> familyBlocks;  // per spring: upper and lower

    // Scratch.
    linalg::AlignedVector<double> halo;
    linalg::BlockVector pressure;

    // force_setup.cpp
    bool sameMesh(const ClothModel& m) const { return model == &m && revision == m.revision && sizesFit(m); }
    bool sizesFit(const ClothModel& m) const;
    void analyzeMesh();
    void sizeHalos();
    void makeLaws();
    void makePattern();
    void makeStabilitySums(StabilitySums& sums, Terms terms) const;
    const StabilitySums& stabilitySums(Terms terms);
    /// pairs.cpp: the sums of the springs with those of the pairs, which change in every step.
    const StabilitySums& stabilitySumsWithPairs(Terms terms);
    bool patternHoldsPairs() const;
    void addPairsToPattern();
    void leavePairs();
    void addPairForces(linalg::BlockVector& f, bool explicitAlone) const;
    void addPairs(const linalg::BlockVector& u, const AssemblyCoefficients& c, linalg::BlockMatrix& A,
                  linalg::BlockVector& b) const;
    std::uint32_t baseLaw(const Spring& s) const {
        return std::uint32_t(kFamilies * s.material) + std::uint32_t(s.family);
    }
    void pointLinksAtLaws();
    std::size_t lawsOfSplit() const { return laws.size() / 2; }
    bool isBroken(std::size_t e) const { return !broken.empty() && broken[e] != 0; }

    const SpringLaw& law(const Link& link) const { return laws[link.law]; }
    /// Whether it has a block in the matrix, for its stiffness or its damping.
    static bool isImplicit(const SpringLaw& law) {
        return (law.elasticImplicit && law.kind != SpringKind::InMembrane) ||
               (law.dampingImplicit && law.damper != DamperKind::None);
    }

    /// Evaluates the pressure drag if there is any. Returns whether `pressure` counts.
    bool updatePressure(const Environment& env, const Vec3& wind, const linalg::BlockVector& x,
                        const linalg::BlockVector& v, WorkerPool& pool);
    /// Everything on particle i that no spring exerts, N; `pressureCounts` as updatePressure returned it.
    Vec3 bodyForce(const Environment& env, const Vec3& wind, bool pressureCounts, const linalg::BlockVector& v,
                   Index i) const;
    /// Adds the halos to the rows of chunk c: add(row, sums) for each row of each halo, earlier chunks first.
    template <int kSums, class Add>
    void addHalos(Index c, Add&& add) const {
        const Index begin = chunks.begin(c), end = chunks.end(c);
        for (const Index source : halosInto[c]) {
            const Index from = chunks.end(source), to = std::min(end, haloEnd[source]);
            for (Index row = std::max(begin, from); row < to; ++row)
                add(row, halo.data() + haloOffset[source] + std::size_t(row - from) * kSums);
        }
    }
    double* haloData(Index c) { return halo.data() + haloOffset[c]; }
};

}  // namespace clothlab::cloth
