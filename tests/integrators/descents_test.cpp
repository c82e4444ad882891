#include "paper_cloth.hpp"

/// L-BFGS and nonlinear conjugate gradients by the prefactored matrix (methods §12.8).
namespace clothlab::integrators {
namespace {

using linalg::BlockVector;
using testing::Frame;
using testing::makePaperCloth;
using testing::TestWorld;

TEST(LBfgs, WithoutPairsAndInItsFirstIterateItIsLocalGlobal) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    TestWorld w;
    makePaperCloth(w);
    testing::swing(w, 4);
    Frame frame(w);
    w.integrator.fastMassSpring = {.iterations = 5};
    const std::vector<BlockVector> plain = frame.iterates(IntegratorKind::FastMassSpring);
    const std::vector<BlockVector> five = frame.iterates(IntegratorKind::LBfgs);
    w.integrator.fastMassSpring.lbfgsPairs = 0;
    const std::vector<BlockVector> none = frame.iterates(IntegratorKind::LBfgs);
    ASSERT_EQ(none.size(), 6u);
    EXPECT_LT((five[1].flat() - plain[1].flat()).lpNorm<Eigen::Infinity>(), 1e-12);
    for (std::size_t k = 0; k < none.size(); ++k)
        EXPECT_LT((none[k].flat() - plain[k].flat()).lpNorm<Eigen::Infinity>(), 1e-12) << k;
    EXPECT_GT((five[5].flat() - plain[5].flat()).norm(), 1e-6);
}

TEST(Descents, ErrorsOnASwing) {
    if (testing::kSanitized) GTEST_SKIP() << "needs hundreds of passes";
    TestWorld w;
    makePaperCloth(w);
    testing::swing(w);
    Frame frame(w);
    frame.findSolution();
    const std::vector<double> plain = frame.errors({.iterations = 100});
    const std::vector<double> lBfgs = frame.errors({.iterations = 100}, IntegratorKind::LBfgs);
    EXPECT_LE(lBfgs[10], 0.3 * plain[10]);
    EXPECT_LE(lBfgs[100], 0.02 * plain[100]);
    const std::vector<double> one = frame.errors({.iterations = 100, .lbfgsPairs = 1}, IntegratorKind::LBfgs);
    EXPECT_NEAR(one[10], 5.5e-4, 1.5e-4);
    EXPECT_GT(one[100], lBfgs[100]);
    const std::vector<double> cg = frame.errors({.iterations = 300}, IntegratorKind::NonlinearCg);
    EXPECT_LE(cg[10], 0.2 * plain[10]);
    EXPECT_LE(cg[100], 1e-6);
    for (const auto* errors : {&lBfgs, &cg})
        for (std::size_t k = 1; k < errors->size(); ++k) ASSERT_LE((*errors)[k], (*errors)[k - 1] + 1e-12) << k;
}

// Forces and constraints besides springs: Choi-Ko bend, dampers, wind and pins. F is only a metric.
TEST(Descents, TheLimitIsNewtonsUnderAllForces) {
    if (testing::kSanitized) GTEST_SKIP() << "needs hundreds of passes";
    for (const IntegratorKind kind : {IntegratorKind::LBfgs, IntegratorKind::NonlinearCg}) {
        TestWorld w;
        makePaperCloth(w);
        w.material.tensionOnly = true;
        w.material.bendModel = cloth::BendModel::ChoiKoPolynomial;
        w.material.stretchDamping = 0.05;
        w.environment.wind = {.velocity = Vec3(1, 0, 2), .dragCoefficient = 1, .linearDrag = 0.1};
        setPin(w.state, 210, PinHold::line(Vec3(0, 0, 1)));
        testing::swing(w, 3);
        Frame frame(w);
        frame.findSolution();
        const std::vector<double> errors = frame.errors({.iterations = 300}, kind);
        EXPECT_LE(errors.back(), 1e-7) << enumKey(kind);
        for (std::size_t k = 1; k < errors.size(); ++k) ASSERT_LE(errors[k], errors[k - 1] + 1e-12) << k;
    }
}

// Compares d . H d with the product with the clamped matrix.
TEST(StepObjective, CurvatureAlongADirectionIsThatOfItsHessian) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    TestWorld w;
    makePaperCloth(w);
    w.material.stretchDamping = 0.1;
    testing::swing(w, 5);
    Frame frame(w);
    BlockVector d = w.state.v, Hd(d.size());
    linalg::BlockMatrix H;
    frame.objective.hessian(w.state.x, StepObjective::Curvature::Definite, H, w.pool);
    multiply(H, d, Hd, w.pool);
    const double expected = d.flat().dot(Hd.flat());
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(frame.objective.curvature(w.state.x, d, w.pool), expected, 1e-10 * expected);
}

}  // namespace
}  // namespace clothlab::integrators
