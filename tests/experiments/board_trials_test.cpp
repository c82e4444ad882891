#include "experiments/trials/board_trials.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "integrators/kind.hpp"

namespace clothlab::experiments {
namespace {

using integrators::StepStatus;

TEST(BoardVerdict, OfMadeUpNumbers) {
    const BoardCase board, held{.kind = BoardKind::Jaws, .gap = -0.002}, loose{.kind = BoardKind::Jaws, .gap = 0.001};
    const BoardSeen calm{.startEnergy = 2, .mostEnergy = 2.2, .endEnergy = 2, .solidEnergy = 0.1};
    EXPECT_EQ(judgeTrial(board, calm), TrialVerdict::Ok);

    BoardSeen seen = calm;
    seen.mostEnergy = 1412;  // J, from a faulty run
    EXPECT_EQ(judgeTrial(board, seen), TrialVerdict::Wrong);
    seen.steps.worst = StepStatus::Unconverged;
    EXPECT_EQ(judgeTrial(board, seen), TrialVerdict::SaysSo);
    seen.mostEnergy = std::numeric_limits<double>::quiet_NaN();
    seen.steps.worst = StepStatus::Ok;
    EXPECT_EQ(judgeTrial(board, seen), TrialVerdict::Wrong);

    seen = calm;
    seen.through = 1;
    EXPECT_EQ(judgeTrial(board, seen), TrialVerdict::Wrong);
    seen.steps.worst = StepStatus::Diverged;
    EXPECT_EQ(judgeTrial(board, seen), TrialVerdict::SaysSo);

    seen = calm;
    seen.creep = 0.0011;
    EXPECT_EQ(judgeTrial(held, seen), TrialVerdict::Wrong);
    EXPECT_EQ(judgeTrial(loose, seen), TrialVerdict::Ok) << "nothing presses it";
    seen.creep = 0.0009;
    EXPECT_EQ(judgeTrial(held, seen), TrialVerdict::Ok);
    seen.steps.maxStrain = 0.21;
    EXPECT_EQ(judgeTrial(held, seen), TrialVerdict::Wrong);
    EXPECT_EQ(judgeTrial(loose, seen), TrialVerdict::Wrong);
    EXPECT_EQ(judgeTrial(board, seen), TrialVerdict::Ok) << "a board may stretch the cloth that it drags along";
}

TEST(BoardTrial, EachRunIsAnotherCase) {
    std::set<std::string> texts;
    for (int number = 0; number < boardRuns(); ++number) texts.insert(boardText(boardCase(number)));
    EXPECT_EQ(int(texts.size()), boardRuns());
    EXPECT_TRUE(boardRunScene(0));
    EXPECT_FALSE(boardRunScene(boardRuns()));
    EXPECT_EQ(int(boardSample(TrialSample::Full).size()), boardRuns());
    for (const int number : boardSample(TrialSample::Few)) EXPECT_LT(number, boardRuns());
}

BoardPlan shotPlan() { return makePlan({.kind = BoardKind::Shot, .thickness = 0.002, .speed = 50}); }

TEST(BoardTrial, AShotSheetStopsAtThePlate) {
    const BoardSeen seen = *runBoard(shotPlan(), {});
    EXPECT_EQ(seen.through, 0);
    EXPECT_EQ(seen.cut, 0);
    EXPECT_NEAR(seen.startEnergy - 0.2 * 9.81, 0.5 * 0.2 * 50 * 50, 25) << "kinetic energy; the height is 1 m";
    EXPECT_LE(seen.mostEnergy, seen.startEnergy * (1 + 1e-6));
}

TEST(BoardTrial, WhatIsCarriedThroughThePlateIsCounted) {
    BoardPlan plan = shotPlan();
    scene::ScenePin pin;  // pins win over contact
    pin.where.rowTo = pin.where.columnTo = 30;
    pin.motion.velocity = {0, 0, 1};
    plan.scene.pins.push_back(pin);
    plan.scene.cloths.front().velocity.setZero();
    const BoardSeen seen = *runBoard(plan, {});
    EXPECT_EQ(seen.through, 31 * 31);

    plan.scene.pins.front().motion.stopTime = 0.1987;  // within the plate
    EXPECT_GT(runBoard(plan, {})->cut, 1000);
    plan.scene.pins.front().motion.stopTime = 0.1;  // before it
    EXPECT_EQ(runBoard(plan, {})->through, 0);
    EXPECT_EQ(runBoard(plan, {})->cut, 0);
}

TEST(BoardTrial, WhatLeavesTheJawsCreeps) {
    BoardPlan plan = makePlan({.kind = BoardKind::Jaws, .gap = -0.002});
    plan.grippedAt = 0.5;
    plan.seconds = 0.6;
    scene::ScenePin pin;
    pin.where.rowTo = pin.where.columnTo = 30;
    plan.scene.pins = {pin};
    EXPECT_NEAR(runBoard(plan, {})->creep, 0, 1e-12) << "jaws and cloth rest";
    plan.scene.pins.front().motion = {.velocity = {0.1, 0, 0}, .startTime = 0.5};
    EXPECT_NEAR(runBoard(plan, {})->creep, 0.01, 1e-9);
    plan.scene.pins.front().motion = {.velocity = {0, 0, 1}};
    EXPECT_EQ(runBoard(plan, {})->creep, std::numeric_limits<double>::infinity()) << "nothing is between them";
}

}  // namespace
}  // namespace clothlab::experiments
