#include "experiments/trials/trials.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <set>

#include "experiments/trials/slope_trials.hpp"
#include "integrators/kind.hpp"
#include "integrators/methods/catalogue.hpp"

namespace clothlab::experiments {
namespace {

using integrators::IntegratorKind;
using integrators::StepStatus;

TEST(CoveringSample, HasEachPairThatExists) {
    const TrialAxes axes({3, 4, 2, 5});
    const auto exists = [](std::span<const int> cell) { return cell[0] != 1 || cell[1] != 2; };
    const std::vector<int> sample = coveringSample(axes, exists, 1000);
    EXPECT_EQ(sample, coveringSample(axes, exists, 1000)) << "the same each time";
    for (int a = 0; a < axes.axes(); ++a)
        for (int b = a + 1; b < axes.axes(); ++b) {
            std::set<std::pair<int, int>> pairs;
            for (const int number : sample) {
                const std::vector<int> cell = axes.cell(number);
                EXPECT_TRUE(exists(cell));
                EXPECT_EQ(axes.number(cell), number);
                pairs.insert({cell[a], cell[b]});
            }
            const int missing = a == 0 && b == 1 ? 1 : 0;
            EXPECT_EQ(int(pairs.size()), axes.size(a) * axes.size(b) - missing) << a << " " << b;
        }
    EXPECT_LT(int(sample.size()), axes.cells());
    EXPECT_LE(int(coveringSample(axes, exists, 7).size()), 7);
}

TEST(CoveringSample, OfSlopesHasAllIntegrators) {
    const TrialAxes axes = slopeAxes();
    const int few = 2 * int(integrators::catalogue().size()) + 4;
    for (const auto& [sample, most] : {std::pair{TrialSample::Few, few}, {TrialSample::Covering, 600}}) {
        const std::vector<int> numbers = slopeSample(sample);
        EXPECT_LE(int(numbers.size()), most);
        std::set<IntegratorKind> kinds;
        for (const int number : numbers) kinds.insert(slopeCase(axes.cell(number)).integrator);
        EXPECT_EQ(kinds.size(), integrators::catalogue().size());
    }
}

TEST(Trials, AreEachMadeOnce) {
    std::atomic<int> sum{0};
    int told = 0;
    EXPECT_TRUE(runTrials(20, {.threads = 3, .progress = [&](int done, int of) { told = done * 100 + of; }},
                          [&](int k) { sum += 1 << k; }));
    EXPECT_EQ(sum, (1 << 20) - 1);
    EXPECT_EQ(told, 2020);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(runTrials(20, {.stop = stop.get_token()}, [](int) {}));
}

TEST(Trials, WhatDoesNotHoldMustSaySo) {
    EXPECT_EQ(judgeTrial(true, StepStatus::Ok), TrialVerdict::Ok);
    EXPECT_EQ(judgeTrial(true, StepStatus::Unconverged), TrialVerdict::Ok);
    EXPECT_EQ(judgeTrial(false, StepStatus::Ok), TrialVerdict::Wrong);
    EXPECT_EQ(judgeTrial(false, StepStatus::Unconverged), TrialVerdict::SaysSo);
    EXPECT_EQ(judgeTrial(false, StepStatus::Diverged), TrialVerdict::SaysSo);
}

constexpr SlopeCase kHolds{.degrees = 20, .muS = 0.5, .muK = 0.4};
constexpr SlopeCase kFree{.degrees = 20, .muS = 0, .muK = 0};
constexpr SlopeCase kThrownAt20{.degrees = 20, .muS = 0.5, .muK = 0.4, .placement = SlopePlacement::Thrown};

TEST(SlopeLaw, IsCoulombs) {
    const SlopeLaw holds = *slopeLaw(kHolds);
    EXPECT_EQ(holds.motion, SlopeMotion::Holds);
    EXPECT_EQ(holds.seconds, 10);
    EXPECT_EQ(slopeLaw({.dt = 0.002})->seconds, 5);

    EXPECT_EQ(slopeLaw(kFree)->motion, SlopeMotion::Slides);
    EXPECT_NEAR(slopeLaw(kFree)->distance, 6.7104, 1e-4);  // m
    EXPECT_EQ(slopeLaw(kFree)->tolerance, 0.02);

    const SlopeLaw slides = *slopeLaw({.degrees = 20, .muS = 0.3, .muK = 0.25});
    EXPECT_EQ(slides.motion, SlopeMotion::Slides);
    EXPECT_NEAR(slides.distance, 2 * 9.81 * (0.342020 - 0.25 * 0.939693), 1e-4);

    const SlopeLaw stops = *slopeLaw(kThrownAt20);
    EXPECT_EQ(stops.motion, SlopeMotion::Stops);
    EXPECT_NEAR(stops.distance, 0.25 / (2 * 9.81 * (0.4 * 0.939693 - 0.342020)), 1e-4);
    EXPECT_GT(stops.standstill, 0.5 / (9.81 * (0.4 * 0.939693 - 0.342020)));

    // tan 15 degrees is 0.268, between mu_k and mu_s: a moving sheet slides on, a dropped one may stick or slide.
    const SlopeCase between{.degrees = 15, .muS = 0.3, .muK = 0.25};
    SlopeCase thrown = between, dropped = between;
    thrown.placement = SlopePlacement::Thrown;
    dropped.placement = SlopePlacement::Above;
    EXPECT_EQ(slopeLaw(between)->motion, SlopeMotion::Holds);
    EXPECT_EQ(slopeLaw(thrown)->motion, SlopeMotion::Slides);
    EXPECT_FALSE(slopeLaw(dropped));
}

SlopeSeen went(double distance, double creep = 0, StepStatus worst = StepStatus::Ok) {
    return {.distance = distance, .creep = creep, .steps = {.worst = worst}};
}

TEST(SlopeVerdict, OfMadeUpNumbers) {
    const SlopeLaw holds = *slopeLaw(kHolds), free = *slopeLaw(kFree), stops = *slopeLaw(kThrownAt20);
    EXPECT_EQ(judgeTrial(holds, went(0.0019)), TrialVerdict::Ok);
    EXPECT_EQ(judgeTrial(holds, went(1.464)), TrialVerdict::Wrong);  // m, from a faulty run
    EXPECT_EQ(judgeTrial(holds, went(-0.003)), TrialVerdict::Wrong);
    EXPECT_EQ(judgeTrial(holds, went(0.001, 0.0021)), TrialVerdict::Wrong);
    EXPECT_EQ(judgeTrial(holds, went(1.464, 1, StepStatus::Unconverged)), TrialVerdict::SaysSo);

    EXPECT_EQ(judgeTrial(free, went(6.744)), TrialVerdict::Ok);
    EXPECT_EQ(judgeTrial(free, went(4.503)), TrialVerdict::Wrong);  // m, from a faulty run
    EXPECT_EQ(judgeTrial(free, went(2.12)), TrialVerdict::Wrong);   // m, from a faulty run
    EXPECT_EQ(judgeTrial(free, went(6.7104 * 1.021)), TrialVerdict::Wrong);
    EXPECT_EQ(judgeTrial(free, went(std::numeric_limits<double>::quiet_NaN())), TrialVerdict::Wrong);

    EXPECT_EQ(judgeTrial(stops, went(1.04 * stops.distance)), TrialVerdict::Ok);
    EXPECT_EQ(judgeTrial(stops, went(1.06 * stops.distance)), TrialVerdict::Wrong);
    EXPECT_EQ(judgeTrial(stops, went(stops.distance, -0.0021)), TrialVerdict::Wrong);

    SlopeSeen broken = went(free.distance, 0, StepStatus::Diverged);
    broken.finished = false;
    EXPECT_EQ(judgeTrial(free, broken), TrialVerdict::SaysSo) << "it ended early";
}

TEST(SlopeTrial, ASheetThatSlidesWhereItMustHoldIsWrong) {
    const SlopeLaw holds = *slopeLaw({.degrees = 20, .muS = 0.5, .muK = 0.4, .dt = 0.02});
    SlopeCase which{.degrees = 20, .muS = 0.5, .muK = 0.4, .dt = 0.02};
    EXPECT_EQ(judgeTrial(holds, *runSlope(which, holds, {})), TrialVerdict::Ok);
    which.muS = which.muK = 0.3;
    EXPECT_EQ(judgeTrial(holds, *runSlope(which, holds, {})), TrialVerdict::Wrong);
    which = {.degrees = 20, .muS = 0, .muK = 0, .dt = 0.02};
    SlopeLaw free = *slopeLaw(which);
    EXPECT_EQ(judgeTrial(free, *runSlope(which, free, {})), TrialVerdict::Ok);
    free.distance *= 1.5;
    EXPECT_EQ(judgeTrial(free, *runSlope(which, free, {})), TrialVerdict::Wrong);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(runSlope(which, free, stop.get_token()));
}

}  // namespace
}  // namespace clothlab::experiments
