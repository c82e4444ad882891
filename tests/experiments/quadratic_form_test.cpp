#include "experiments/systems/quadratic_form.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace clothlab::experiments {
namespace {

QuadraticForm form(double a11, double a12, double a22, const Plane& solution = {0, 0}) {
    QuadraticForm f{(Eigen::Matrix2d() << a11, a12, a12, a22).finished(), {}};
    f.b = f.A * solution;
    return f;
}

const QuadraticForm& shewchuk() { return planeExamples().front().form; }

void expectAt(const PlaneIterate& it, double x1, double x2) {
    EXPECT_NEAR(it.x[0], x1, 1e-6);
    EXPECT_NEAR(it.x[1], x2, 1e-6);
}

// The first example shows two steps of every method, none of them too short to be seen.
TEST(QuadraticForm, TheFirstExampleShowsEachStepOfEachMethod) {
    const PlaneExample& first = planeExamples().front();
    const double whole = (first.start - first.form.stationary()).norm();
    for (const EnumEntry& method : kPlaneMethods) {
        const auto its = iterates(first.form, PlaneMethod(method.value), first.start);
        ASSERT_GE(its.size(), 3u) << method.key;
        for (std::size_t k = 1; k < 3; ++k)
            EXPECT_GT((its[k].x - its[k - 1].x).norm(), 0.15 * whole) << method.key << k;
    }
    EXPECT_EQ(planeExamples()[1].start, Plane(-2, -2)) << "the figure of the paper starts there";
}

// Worked out by hand.
TEST(QuadraticForm, TheExampleIsTheOneOfThePaper) {
    EXPECT_NEAR((shewchuk().stationary() - Plane(2, -2)).norm(), 0, 1e-14);
    EXPECT_NEAR(shewchuk().value({2, -2}), -10, 1e-14);
    EXPECT_NEAR(shewchuk().value({0.08, -0.6133333333}), -4.0266667, 1e-6);
    EXPECT_NEAR(shewchuk().spectrum().values[0], 2, 1e-14);
    EXPECT_NEAR(shewchuk().spectrum().values[1], 7, 1e-14);
    EXPECT_NEAR(errorBound(PlaneMethod::SteepestDescent, 3.5, 1), 0.555556, 1e-6);
    EXPECT_NEAR(errorBound(PlaneMethod::ConjugateGradients, 3.5, 1), 2 * 0.303337, 1e-6);
}

TEST(QuadraticForm, ConjugateGradientsHaveTheIteratesOfTheExample) {
    const auto cg = iterates(shewchuk(), PlaneMethod::ConjugateGradients, {-2, -2});
    ASSERT_EQ(cg.size(), 3u);
    expectAt(cg[0], -2, -2);
    EXPECT_NEAR(cg[0].residual, std::hypot(12, 8), 1e-12);
    expectAt(cg[1], 0.08, -0.613333);
    EXPECT_NEAR(cg[1].alpha, 0.173333, 1e-6);
    EXPECT_EQ(cg[1].beta, 0);
    EXPECT_NEAR(cg[1].residual, std::hypot(2.986667, 4.48), 1e-6);
    expectAt(cg[2], 2, -2);
    EXPECT_NEAR(cg[2].alpha, 0.412088, 1e-6);
    EXPECT_NEAR(cg[2].beta, 0.139378, 1e-6);
    const auto fromZero = iterates(shewchuk(), PlaneMethod::ConjugateGradients, {0, 0});
    ASSERT_EQ(fromZero.size(), 3u);
    expectAt(fromZero[1], 0.409639, -1.638554);
}

TEST(QuadraticForm, SteepestDescentAlternatesBetweenTwoSteps) {
    const auto sd = iterates(shewchuk(), PlaneMethod::SteepestDescent, {-2, -2});
    ASSERT_EQ(sd.size(), 21u);
    EXPECT_LE(sd[20].energyError, 1e-6 * sd[0].energyError);
    EXPECT_GT(sd[19].energyError, 1e-6 * sd[0].energyError);
    expectAt(sd[2], 1.004444, -2);
    expectAt(sd[3], 1.522133, -1.654874);
    expectAt(sd[4], 1.752217, -2);
    for (std::size_t k = 1; k < sd.size(); ++k) {
        EXPECT_NEAR(sd[k].alpha, k % 2 == 1 ? 0.173333 : 0.309524, 1e-6);
        EXPECT_LE(sd[k].energyError,
                  errorBound(PlaneMethod::SteepestDescent, 3.5, int(k)) * sd[0].energyError * (1 + 1e-9));
    }
    EXPECT_EQ(iterates(shewchuk(), PlaneMethod::SteepestDescent, {0, 0}).size(), 25u);
    EXPECT_EQ(iterates(form(1, 0, 1e4, {0, 0}), PlaneMethod::SteepestDescent, {1e4, 1}, 1e-6, 50).size(),
              51u);  // the limit holds
}

// What defines the conjugate methods: consecutive directions are A-conjugate, and the second step ends at the solution.
TEST(QuadraticForm, ConjugateMethodsEndInTwoStepsFromAnywhere) {
    for (const PlaneExample& example : planeExamples()) {
        if (!example.form.refusal().empty()) continue;
        for (const PlaneMethod method :
             {PlaneMethod::ConjugateDirections, PlaneMethod::ConjugateGradients, PlaneMethod::JacobiGradients})
            for (int i = 0; i < 24; ++i) {
                const Plane start =
                    example.form.stationary() + 3 * Plane(std::cos(0.26 * i + 0.1), std::sin(0.26 * i + 0.1));
                const auto its = iterates(example.form, method, start);
                ASSERT_LE(its.size(), 3u) << example.name.key << enumKey(method) << i;
                EXPECT_NEAR((its.back().x - example.form.stationary()).norm(), 0, 1e-8)
                    << example.name.key << enumKey(method) << i;
                if (its.size() < 3) continue;
                const Plane d0 = its[1].x - its[0].x, d1 = its[2].x - its[1].x;
                EXPECT_NEAR(d0.dot(example.form.A * d1), 0, 1e-8);
            }
    }
}

TEST(QuadraticForm, GramSchmidtOfTheAxesGoesAlongTheFirstAxisFirst) {
    const auto cd = iterates(shewchuk(), PlaneMethod::ConjugateDirections, {0, 0});
    ASSERT_EQ(cd.size(), 3u);
    expectAt(cd[1], 2.0 / 3, 0);               // d0 = e1: alpha = 2/3
    EXPECT_NEAR(cd[2].beta, -2.0 / 3, 1e-12);  // d1 = e2 - (2/3) e1
    EXPECT_NEAR(cd[2].alpha, -2, 1e-12);
    EXPECT_EQ(iterates(shewchuk(), PlaneMethod::ConjugateDirections, {-2, -2}).size(),
              2u);  // the start has x2 of the solution
}

TEST(QuadraticForm, JacobiIsTheInverseOfADiagonalMatrixAndNothingToAConstantDiagonal) {
    EXPECT_EQ(iterates(form(1, 0, 900, {2, -1}), PlaneMethod::JacobiGradients, {-3, 1}).size(), 2u);
    EXPECT_NEAR(form(1, 0, 900).jacobiSpectrum().condition(), 1, 1e-12);
    EXPECT_NEAR(form(10, 9, 10).jacobiSpectrum().condition(), form(10, 9, 10).spectrum().condition(), 1e-12);
    EXPECT_NEAR(form(1, 0.5, 40).spectrum().condition(), 40.26, 0.01);
    EXPECT_NEAR(form(1, 0.5, 40).jacobiSpectrum().condition(), (1 + 0.5 / std::sqrt(40)) / (1 - 0.5 / std::sqrt(40)),
                1e-12);
    const auto with = iterates(form(1, 0.5, 40, {2, -1}), PlaneMethod::JacobiGradients, {-3, -0.85});
    const auto without = iterates(form(1, 0.5, 40, {2, -1}), PlaneMethod::ConjugateGradients, {-3, -0.85});
    EXPECT_LT(with[1].energyError, 0.1 * without[1].energyError);
}

TEST(QuadraticForm, RefusesWhatHasNoMinimum) {
    EXPECT_TRUE(shewchuk().refusal().empty());
    for (const QuadraticForm& f : {form(2, 3, 1), form(-1, 0, -2), form(1, 1, 1), form(0, 0, 0), form(1, 0, -1e-9)}) {
        EXPECT_NE(f.refusal().find("Not positive definite"), std::string::npos) << f.A;
        for (const EnumEntry& method : kPlaneMethods)
            EXPECT_EQ(iterates(f, PlaneMethod(method.value), {1, 1}).size(), 1u);
    }
    EXPECT_EQ(iterates(shewchuk(), PlaneMethod::ConjugateGradients, {2, -2}).size(), 1u);  // nothing to do
    EXPECT_EQ(iterates(shewchuk(), PlaneMethod::SteepestDescent, {2, -2}).size(), 1u);
}

}  // namespace
}  // namespace clothlab::experiments
