#include <random>

#include "paper_cloth.hpp"

namespace clothlab::integrators {
namespace {

using linalg::BlockVector;
using testing::Frame;
using testing::TestWorld;

/// Liu's cloth with the triangles of a thin shell, after some steps.
void makeShell(TestWorld& w, bool tensionOnly) {
    testing::makePaperCloth(w, tensionOnly);
    w.material.membrane = cloth::MembraneModel::Triangles;
    testing::swing(w, 5);
}

TEST(Shell, GradientHessianAndCurvatureOfAStepAreDifferences) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const bool tensionOnly : {false, true}) {
        TestWorld w;
        makeShell(w, tensionOnly);
        Frame frame(w);
        const BlockVector& x = frame.start;
        std::mt19937 random(7);
        std::normal_distribution<double> normal;
        BlockVector d(x.size()), g, behind, ahead, Hd(x.size());
        for (double* p = d.data(); p != d.data() + 3 * std::size_t(x.size()); ++p) *p = normal(random);
        frame.objective.gradient(x, g, w.pool);
        const double e = 1e-8;
        BlockVector low = x, high = x;
        low.flat() -= e * d.flat();
        high.flat() += e * d.flat();
        const double slope = (frame.value(high) - frame.value(low)) / (2 * e);
        EXPECT_NEAR(slope, g.flat().dot(d.flat()), 1e-5 * std::abs(slope)) << tensionOnly;
        frame.objective.gradient(low, behind, w.pool);
        frame.objective.gradient(high, ahead, w.pool);
        linalg::BlockMatrix H;
        frame.objective.hessian(x, StepObjective::Curvature::Exact, H, w.pool);
        multiply(H, d, Hd);
        const Eigen::VectorXd difference = (ahead.flat() - behind.flat()) / (2 * e);
        EXPECT_LT((difference - Hd.flat()).norm(), 1e-4 * difference.norm()) << tensionOnly;
        frame.objective.hessian(x, StepObjective::Curvature::Definite, H, w.pool);
        multiply(H, d, Hd);
        const double along = d.flat().dot(Hd.flat());
        EXPECT_NEAR(frame.objective.curvature(x, d, w.pool), along, 1e-10 * along);
    }
}

// A tension-only membrane is convex and has one minimum. A pass of local/global solves F dx = -grad g, and g never
// rises.
TEST(Shell, EveryMethodGoesDownToNewtonsSolution) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    TestWorld w;
    makeShell(w, true);
    w.material.bendStiffness = 0;
    w.integrator.vbd.iterations = 300;
    Frame frame(w);
    frame.findSolution();
    EXPECT_LT(frame.gradientNorm(frame.solution), 1e-8 * frame.gradientNorm(frame.start));
    const std::pair<IntegratorKind, double> kMethods[] = {{IntegratorKind::FastMassSpring, 2e-3},
                                                          {IntegratorKind::LBfgs, 1e-6},
                                                          {IntegratorKind::NonlinearCg, 1e-6},
                                                          {IntegratorKind::VertexBlockDescent, 0.2}};
    for (const auto& [kind, most] : kMethods) {
        const std::vector<double> errors = frame.errors({.iterations = 300}, kind);
        EXPECT_LE(errors.back(), most) << enumKey(kind);
        for (std::size_t k = 1; k < errors.size(); ++k)
            ASSERT_LE(errors[k], errors[k - 1] + 1e-12) << enumKey(kind) << k;
    }
}

}  // namespace
}  // namespace clothlab::integrators
