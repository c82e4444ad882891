#include "cloth/sewing.hpp"

#include <gtest/gtest.h>

#include "samples.hpp"

/// Threads: their law, and which particles they bring into one place.
namespace clothlab::cloth {
namespace {

/// A crumpled sheet with threads across it; (4, 60) and (4, 33) end in one place, and (0, 63) in another.
struct SewnSheet {
    samples::Sample s = samples::crumpled(8, 8, Topology::Provot12, 0.4, 3);
    MaterialSettings material = samples::evenMaterial();
    ForceModel forces;
    Sewing sewing;

    SewnSheet() {
        for (const auto& [i, j] : {std::pair<Index, Index>{0, 63}, {4, 33}, {4, 60}})
            s.model.threads.push_back({.i = i,
                                       .j = j,
                                       .length = (s.model.rest[j] - s.model.rest[i]).norm(),
                                       .time = 2,
                                       .stiffness = 3,
                                       .spacing = s.model.patches[0].spacing,
                                       .welds = false});
        forces.configure(s.model, {&material, 1}, {});
        sewing.configure(s.model, forces);
    }
    std::vector<mechanics::PairTerm> terms(const linalg::BlockVector& x, const linalg::BlockVector& v,
                                           double time) const {
        std::vector<mechanics::PairTerm> out;
        sewing.addTerms(x, v, time, out);
        return out;
    }
};

TEST(Sewing, AThreadShrinksToNothing) {
    const SewingThread thread{.i = 0, .j = 1, .length = 0.4, .time = 2, .stiffness = 1, .spacing = 0.1, .welds = false};
    EXPECT_DOUBLE_EQ(restLengthAt(thread, 0), 0.4);
    EXPECT_DOUBLE_EQ(restLengthAt(thread, 0.5), 0.3);
    EXPECT_EQ(restLengthAt(thread, 2), 0);
    EXPECT_EQ(restLengthAt(thread, 7), 0);
}

// Hardly taut threads, overlong ones, and rest lengths of zero: forces are derivatives of the energy. Stiffnesses are
// those of the forces, except along a thread at its largest force.
TEST(Sewing, ForcesAndStiffnessesAreDerivatives) {
    const SewnSheet sheet;
    const linalg::BlockVector still(sheet.s.x.size());
    constexpr double kEps = 1e-6;
    int hard = 0;
    for (const double time : {0.02, 0.9, 1.7, 2.0, 3.0}) {
        const auto terms = sheet.terms(sheet.s.x, still, time);
        ASSERT_EQ(terms.size(), 3u);
        for (std::size_t k = 0; k < terms.size(); ++k) {
            const Vec3 d = sheet.s.x[terms[k].j] - sheet.s.x[terms[k].i], n = d.normalized();
            const double most = sheet.material.stretchStiffness * 0.2 * sheet.s.model.patches[0].spacing;
            const bool hardest = std::abs(terms[k].force.norm() - most) < 1e-9 * most;
            hard += hardest;
            EXPECT_LE(terms[k].force.norm(), most * (1 + 1e-12));
            for (int axis = 0; axis < 3; ++axis) {
                double energy[2];
                Vec3 force[2];
                for (const int side : {0, 1}) {
                    linalg::BlockVector x = sheet.s.x;
                    x[terms[k].j][axis] += side == 0 ? -kEps : kEps;
                    energy[side] = sheet.sewing.energy(x, time);
                    force[side] = sheet.terms(x, still, time)[k].force;
                }
                EXPECT_NEAR(terms[k].force[axis], (energy[1] - energy[0]) / (2 * kEps), 1e-6) << time;
                Vec3 error = terms[k].stiffness.col(axis) - (force[1] - force[0]) / (2 * kEps);
                if (hardest) error -= n.dot(error) * n;
                EXPECT_LT(error.norm(), 1e-5) << time;
            }
        }
    }
    EXPECT_GT(hard, 5);
    EXPECT_LT(hard, 15);
}

TEST(Sewing, ASlackThreadHasATermThatIsZero) {
    const SewnSheet sheet;
    linalg::BlockVector x = sheet.s.x;
    x[63] = x[0] + Vec3(0, 1e-3, 0);
    const auto terms = sheet.terms(x, sheet.s.v, 0.5);
    EXPECT_EQ(terms[0].i, 0);
    EXPECT_TRUE(terms[0].force.isZero(0) && terms[0].stiffness.isZero(0) && terms[0].damping.isZero(0));
    EXPECT_FALSE(terms[1].stiffness.isZero(0));
}

TEST(Sewing, ThreadsAreAsStiffAsTheSofterSide) {
    SewnSheet sheet;
    for (const auto& thread : sheet.s.model.threads) sheet.s.x[thread.j] = sheet.s.x[thread.i] + Vec3(1e-4, 0, 0);
    const linalg::BlockVector still(sheet.s.x.size());
    for (const mechanics::PairTerm& term : sheet.terms(sheet.s.x, still, 5))
        EXPECT_TRUE(term.stiffness.isApprox(3 * sheet.material.stretchStiffness * Mat3::Identity(), 1e-14));
}

TEST(Sewing, SeamsJoinWhatSeveralThreadsBringTogether) {
    const SewnSheet sheet;
    const std::vector<Index> seam = findSeams(sheet.s.model);
    ASSERT_EQ(seam.size(), 64u);
    EXPECT_EQ(seam[63], 0);
    EXPECT_EQ(seam[33], 4);
    EXPECT_EQ(seam[60], 4);
    for (Index i = 0; i < 64; ++i)
        if (i != 63 && i != 33 && i != 60) {
            EXPECT_EQ(seam[i], i);
        }
    EXPECT_TRUE(findSeams(samples::crumpled(3, 3, Topology::Provot12).model).empty());
}

}  // namespace
}  // namespace clothlab::cloth
