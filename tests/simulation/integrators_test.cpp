#include <fmt/format.h>

#include "integrators/kind.hpp"
#include "simulation/scenes.hpp"

/// Integrators on whole cloths: schedules, splits, and switching between them.
namespace clothlab::simulation {
namespace {

using integrators::StepStatus;

/// A small sheet that hangs from two corners, flat at first: Boxerman's set-up for changing steps.
std::unique_ptr<Simulation> sheet(std::initializer_list<const char*> more) {
    std::vector<const char*> all{"cloth.rows=10",
                                 "cloth.columns=10",
                                 "cloth.side=0.9",
                                 "cloth.gather=1",
                                 "material.density=0.3",
                                 "material.stretch_stiffness=1000",
                                 "material.shear_stiffness=100",
                                 "material.bend_stiffness=0.001",
                                 "material.bend_model=choi-ko-polynomial",
                                 "material.bend_linear_branch=50",
                                 "cloth.topology=choi-ko-16",
                                 "solver.tolerance=1e-8"};
    all.insert(all.end(), more.begin(), more.end());
    return testing::simulate("hang", all);
}

// Springs switch between explicit and implicit with the step length, and the energy does not rise.
TEST(Schedules, ChangingStepsGainNoEnergy) {
    for (const char* schedule : {"alternate", "sine"})
        for (const char* rule : {"paper", "safe"})
            for (const char* damping : {"0", "0.1"}) {
                const std::string s = fmt::format("integrator.dt_schedule={}", schedule),
                                  r = fmt::format("integrator.aimex_rule={}", rule),
                                  d = fmt::format("material.stretch_damping={}", damping);
                const auto simulation = sheet(
                    {"integrator.kind=adaptive-imex", "integrator.dt_min=0.0003", s.c_str(), r.c_str(), d.c_str()});
                const double start = simulation->lastReport().totalJ();
                Index fewest = 1 << 30, most = 0;
                double highest = start;
                for (int n = 0; n < (testing::kSanitized ? 50 : 600); ++n) {
                    const StepReport& report = simulation->step({.hash = false});
                    ASSERT_EQ(report.status, StepStatus::Ok) << report.message;
                    highest = std::max(highest, report.totalJ());
                    fewest = std::min(fewest, report.explicitSprings);
                    most = std::max(most, report.explicitSprings);
                }
                EXPECT_LE(highest, start + 1e-9) << schedule << " " << rule << " " << damping;
                EXPECT_GT(most, fewest + 300);  // the 342 stretch and shear springs of 614 have switched
            }
}

// A stiff sheet falls into its pins with a long step: the schedule halves the step until no spring is beyond 10 %, and
// lengthens it again afterwards.
TEST(Schedules, AdaptiveStepsGiveWayAndRecover) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation =
        sheet({"integrator.dt_schedule=adaptive", "integrator.dt=0.05", "integrator.dt_min=0.0005"});
    double shortest = 1, longest = 0, time = 0;
    int rejected = 0;
    for (int n = 0; n < 150; ++n) {
        const StepReport& report = simulation->step({.hash = false});
        ASSERT_EQ(report.status, StepStatus::Ok) << report.message;
        EXPECT_TRUE(report.maxStrain <= 0.1 || report.dt <= 0.0005) << report.maxStrain << " " << report.dt;
        time += report.dt;
        EXPECT_NEAR(report.timeSeconds, time, 1e-12);
        rejected += report.rejected;
        shortest = std::min(shortest, report.dt);
        if (n > 75) longest = std::max(longest, report.dt);
    }
    EXPECT_GT(rejected, 0);
    EXPECT_LT(shortest, 0.03);
    EXPECT_GT(longest, 1.1 * shortest);
}

TEST(Schedules, TwoStepMethodsRefuseThem) {
    const auto simulation = sheet({});
    scene::Settings settings = simulation->settings();
    settings.integrator.kind = integrators::IntegratorKind::Bdf2;
    settings.integrator.dtSchedule = integrators::DtSchedule::Sine;
    simulation->apply(settings);
    EXPECT_NE(simulation->refusal().find("BDF2"), std::string::npos);
    const StepReport& refused = simulation->step();
    EXPECT_EQ(refused.status, StepStatus::SolveFailed);
    EXPECT_EQ(refused.message, simulation->refusal());
    EXPECT_EQ(simulation->state().step, 0);
    settings.integrator.dtSchedule = integrators::DtSchedule::Fixed;
    simulation->apply(settings);
    EXPECT_EQ(simulation->refusal(), "");
    EXPECT_EQ(simulation->step().status, StepStatus::Ok);
}

// An explicit bend spring gains no energy while h^2 c_b / m is small, whatever the other springs do; far above its
// bound it does.
TEST(ExplicitBend, GainsEnergyOnlyAboveItsBound) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto largestRise = [](double ratio, const char* bend) {
        const double h = 0.01, spacing = 0.05, mass = 0.1 * spacing * spacing, gamma = 50;
        const std::string stiffness = fmt::format("material.bend_stiffness={}", ratio * mass / (h * h) / gamma),
                          split = fmt::format("integrator.split_bend={}", bend);
        const auto simulation =
            sheet({"cloth.rows=12", "cloth.columns=12", "cloth.side=0.55", "material.density=0.1",
                   "material.stretch_stiffness=500", "material.shear_stiffness=100", "material.stretch_damping=0.05",
                   "material.shear_damping=0.05", "integrator.kind=imex-euler", "integrator.split_shear=implicit",
                   stiffness.c_str(), split.c_str()});
        double lowest = simulation->lastReport().totalJ(), rise = 0;
        for (int n = 0; n < (testing::kSanitized ? 40 : 100); ++n) {
            const StepReport& report = simulation->step({.hash = false});
            if (report.status != StepStatus::Ok) return 1e9;
            lowest = std::min(lowest, report.totalJ());
            rise = std::max(rise, report.totalJ() - lowest);
        }
        return rise;
    };
    EXPECT_LT(largestRise(0.06, "explicit"), 1e-6);
    EXPECT_LT(largestRise(0.6, "explicit"), 1e-6);
    EXPECT_LT(largestRise(20, "implicit"), 1e-6);
    if (!testing::kSanitized) {
        EXPECT_GT(largestRise(20, "explicit"), 0.1);
    }
}

// [Y] §6, "increasing the shear coefficient makes the IMEX setup become unstable".
TEST(ImexHit, StiffShearMakesItUnstable) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const char* stretch : {"60", "600", "6000"})
        for (const char* shear : {"0.3", "0.8"}) {
            const std::string k = fmt::format("material.stretch_stiffness={}", stretch),
                              s = fmt::format("material.shear_stiffness={}", shear);
            const auto simulation = testing::simulate(
                "ball-hit", {"cloth.rows=21", "cloth.columns=21", "integrator.dt=0.00667", "integrator.kind=imex-euler",
                             "solver.kind=cholesky", k.c_str(), s.c_str()});
            double fastest = 0;  // m/s; the ball moves at 2.5
            for (int n = 0; n < 60 && fastest < 100; ++n) {
                if (simulation->step({.hash = false}).status != StepStatus::Ok) fastest = 1000;
                for (Index i = 0; i < simulation->state().v.size(); ++i)
                    fastest = std::max(fastest, simulation->state().v[i].norm());
            }
            if (std::string(shear) == "0.3")
                EXPECT_LT(fastest, 30) << stretch;
            else
                EXPECT_GT(fastest, 30) << stretch;
        }
}

// Switching never resets: every method continues from the state of the previous one.
TEST(Switching, EveryIntegratorGoesOnFromEveryOther) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation = sheet({});
    scene::Settings settings = simulation->settings();
    settings.integrator.dt = 0.002;
    std::int64_t step = 0;
    for (const EnumEntry& from : enumTable(integrators::IntegratorKind{}))
        for (const EnumEntry& to : enumTable(integrators::IntegratorKind{})) {
            if (from.value == int(integrators::IntegratorKind::ForwardEuler) ||
                to.value == int(integrators::IntegratorKind::ForwardEuler))
                continue;
            for (const EnumEntry* kind : {&from, &to}) {
                settings.integrator.kind = integrators::IntegratorKind(kind->value);
                simulation->apply(settings);
                const Vec3 before = simulation->state().x[55];
                const StepReport& report = simulation->step({.hash = false});
                ASSERT_EQ(report.status, StepStatus::Ok) << kind->key << report.message;
                ASSERT_EQ(report.step, ++step);
                EXPECT_LT((simulation->state().x[55] - before).norm(), 0.02) << kind->key;
            }
        }
}

}  // namespace
}  // namespace clothlab::simulation
