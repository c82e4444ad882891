#include <algorithm>

#include "integrators/kind.hpp"
#include "integrators/methods/catalogue.hpp"
#include "linalg/components.hpp"
#include "scenes.hpp"

namespace clothlab::simulation {
namespace {

constexpr int kTornSide = 11;
constexpr Index kUpper = 6 * kTornSide;  // particles above the cut

std::unique_ptr<Simulation> tearable(std::vector<const char*> overrides, int threads = 1,
                                     Index inlineRows = WorkerPool::kDefaultInlineRows) {
    for (const char* set : {"cloth.rows=11", "cloth.columns=11", "cloth.noise=0", "wind.drag_coefficient=0"})
        overrides.push_back(set);
    return testing::simulate("hang", overrides, threads, inlineRows);
}

/// A stroke between rows 5 and 6 of the sheet as it is now, beyond both edges.
cloth::Blade betweenTheRows(const Simulation& simulation) {
    const linalg::BlockVector& x = simulation.state().x;
    const auto middle = [&](Index column) -> Vec3 {
        return 0.5 * (x[5 * kTornSide + column] + x[6 * kTornSide + column]);
    };
    const Vec3 a = middle(0), b = middle(kTornSide - 1), along = b - a;
    const Vec3 eye = 0.5 * (a + b) + 4 * along.cross(x[6 * kTornSide + 5] - x[5 * kTornSide + 5]).normalized();
    return {eye, a - 0.2 * along - eye, b + 0.2 * along - eye};
}

double lowerHeight(const Simulation& simulation) {
    double sum = 0;
    for (Index i = kUpper; i < kTornSide * kTornSide; ++i) sum += simulation.state().x[i].y();
    return sum / (kTornSide * kTornSide - kUpper);
}

TEST(Tearing, ASheetCutInTwoFallsApartUnderEveryIntegrator) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const integrators::IntegratorEntry& entry : integrators::catalogue()) {
        const std::string kind = "integrator.kind=" + std::string(entry.key);
        const auto simulation = tearable(
            {kind.c_str(), "integrator.dt=0.0005", "material.stretch_stiffness=20", "solver.kind=reduced-pcg"});
        EXPECT_GT(simulation->cut(betweenTheRows(*simulation)), kTornSide) << entry.key;
        const double before = lowerHeight(*simulation);
        StepReport report;
        for (int n = 0; n < 20; ++n) report = simulation->step();
        ASSERT_FALSE(integrators::hasFailed(report.status)) << entry.key << ": " << report.message;
        const double fall = 0.5 * 9.81 * 0.01 * 0.01;
        EXPECT_NEAR(before - lowerHeight(*simulation), fall, 0.06 * fall) << entry.key;
        EXPECT_GT(report.brokenSprings, kTornSide) << entry.key;
        linalg::Components components;
        if (!entry.traits.implicit || !integrators::usesSolver(entry.kind)) continue;
        ASSERT_TRUE(simulation->components(components)) << entry.key;
        EXPECT_NE(components.of[kTornSide * kTornSide - 1], components.of[1]) << entry.key;
    }
}

TEST(Tearing, ForcesOfThePointerPullOneHalfOnly) {
    const auto simulation = tearable({});
    simulation->cut(betweenTheRows(*simulation));
    simulation->step();
    linalg::Components components;
    ASSERT_TRUE(simulation->components(components));
    EXPECT_EQ(components.count(), 2) << "two pieces, each held together";
    const double before = lowerHeight(*simulation);
    simulation->setGrab({.active = true, .particle = 1, .target = simulation->state().x[1] + Vec3(0, 0.5, 0)});
    for (int n = 0; n < 10; ++n) simulation->step();
    EXPECT_LT(lowerHeight(*simulation), before - 0.03);
}

TEST(Tearing, AHundredStepsBackAndForthHaveTheSameHashes) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const char* kind : {"integrator.kind=linearized-backward-euler", "integrator.kind=fast-mass-spring",
                             "integrator.kind=bdf2", "integrator.kind=xpbd", "integrator.kind=adaptive-imex"}) {
        const auto simulation = tearable({kind, "material.tear_strain=0.5"});
        std::vector<std::uint64_t> hashes{0};
        const auto play = [&](int to) {
            while (simulation->state().step < to) hashes.push_back(simulation->step().stateHash);
        };
        play(40);
        ASSERT_GT(simulation->cut(betweenTheRows(*simulation)), 0) << kind;
        play(100);
        const Index broken = simulation->lastReport().brokenSprings;
        EXPECT_GT(broken, kTornSide);
        for (int step = 100; step >= 1; --step) {
            ASSERT_TRUE(simulation->seek(step));
            ASSERT_EQ(integrators::stateHash(simulation->state()), hashes[step]) << kind << step;
            EXPECT_EQ(simulation->state().brokenSprings.empty(), step <= 40) << kind << step;
        }
        for (const int from : {99, 60, 41}) {
            ASSERT_TRUE(simulation->seek(from));
            for (int step = from + 1; step <= 100; ++step)
                ASSERT_EQ(simulation->step().stateHash, hashes[step]) << kind << from;
            EXPECT_EQ(simulation->lastReport().brokenSprings, broken);
        }
        simulation->restart();
        EXPECT_TRUE(simulation->state().brokenSprings.empty()) << "a restart mends it";
        EXPECT_EQ(simulation->lastReport().brokenSprings, 0);
        hashes.resize(1);
        play(3);
        EXPECT_EQ(simulation->lastReport().brokenSprings, 0);
    }
}

TEST(Tearing, SpringsBeyondTheLimitBreakAtTheEndOfTheStep) {
    const auto simulation = tearable({"material.tear_strain=0.04"}), whole = tearable({});
    Index before = 0;
    for (int n = 0; n < 60; ++n) {
        const StepReport& report = simulation->step();
        ASSERT_GE(report.brokenSprings, before);
        EXPECT_LE(report.maxStrain, 0.04) << "springs that are stretched further break";
        if (report.brokenSprings == 0) {
            EXPECT_EQ(report.stateHash, whole->step().stateHash) << "until it tears, a limit changes no bit";
        }
        before = report.brokenSprings;
    }
    EXPECT_GT(before, 0);
}

/// Breaks all springs of a particle, as a cut around it does.
void tearOff(Simulation& simulation, Index particle) {
    simulation.changeState([&](integrators::SimulationState& state) {
        const auto& springs = simulation.model().springs;
        state.brokenSprings.resize(springs.size(), 0);
        for (std::size_t e = 0; e < springs.size(); ++e)
            if (springs[e].i == particle || springs[e].j == particle) state.brokenSprings[e] = 1;
    });
}

// A broken spring of an explicit family has no block in the matrix; the first block was once cleared in its place.
TEST(Tearing, ABrokenExplicitSpringClearsNoBlockOfTheMatrix) {
    for (const char* kind : {"integrator.kind=imex-euler", "integrator.kind=sbdf2"}) {
        const auto simulation = tearable({kind, "integrator.dt=0.001"});
        simulation->setPin(0, std::nullopt);
        simulation->cut(betweenTheRows(*simulation));
        const StepReport& report = simulation->step();
        EXPECT_EQ(report.status, integrators::StepStatus::Ok) << kind << ": " << report.message;
    }
}

// A pin of a torn-off particle holds nothing under any integrator, until the cloth is mended or restored.
TEST(Tearing, APinOfATornOffParticleHoldsNothingUntilARestartMendsIt) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const integrators::IntegratorEntry& entry : integrators::catalogue()) {
        const std::string kind = "integrator.kind=" + std::string(entry.key);
        const auto simulation = tearable({kind.c_str(), "integrator.dt=0.001"});
        const Index corner = simulation->state().pins.front().particle;
        const auto heldNow = [&] { return simulation->lastReport().ndofCounts[0]; };
        simulation->step();
        const Index held = heldNow();
        const auto kept = simulation->keep();
        tearOff(*simulation, corner);
        const double before = simulation->state().x[corner].y();
        for (int n = 0; n < 10; ++n) {
            const StepReport& report = simulation->step();
            ASSERT_FALSE(integrators::hasFailed(report.status)) << entry.key << ": " << report.message;
        }
        EXPECT_EQ(heldNow(), held - 1) << entry.key;
        EXPECT_LT(simulation->state().x[corner].y(), before - 2e-4) << entry.key << ": it falls";
        EXPECT_NE(simulation->state().findPin(corner), nullptr) << "the pin itself is kept";
        simulation->restart();
        EXPECT_EQ(heldNow(), held) << entry.key;
        simulation->step();
        EXPECT_EQ(simulation->state().x[corner], simulation->state().findPin(corner)->place) << entry.key;
        ASSERT_TRUE(simulation->restoreMotion(kept));
        simulation->step();
        EXPECT_EQ(heldNow(), held) << entry.key;
    }
}

TEST(Tearing, TheSameBitsOnAnyNumberOfThreads) {
    for (const char* kind : {"integrator.kind=linearized-backward-euler", "integrator.kind=fast-mass-spring"}) {
        const auto one = tearable({kind, "material.tear_strain=0.05"}, 1, 0),
                   four = tearable({kind, "material.tear_strain=0.05"}, 4, 0);
        for (int n = 0; n < 30; ++n) {
            if (n == 10)
                for (const auto& simulation : {&one, &four}) (*simulation)->cut(betweenTheRows(**simulation));
            one->step();
            four->step();
        }
        EXPECT_GT(one->lastReport().brokenSprings, kTornSide);
        EXPECT_EQ(integrators::stateHash(one->state()), integrators::stateHash(four->state())) << kind;
    }
}

// A few broken springs change the factor by columns, as pins do; more than sixteen need a new factor.
TEST(Tearing, TheFactorOfLocalGlobalIsDowndated) {
    const auto simulation = tearable({"integrator.kind=fast-mass-spring", "fast_mass_spring.iterations=60"});
    for (int n = 0; n < 10; ++n) simulation->step();
    const auto serves = simulation->state().factorBase.serves;
    const double newFactor = simulation->lastReport().newFactorMs;
    integrators::SimulationState state = simulation->state();
    state.brokenSprings.assign(simulation->model().springs.size(), 0);
    for (std::size_t e = 100; e < 200; e += 9) state.brokenSprings[e] = 1;
    simulation->setState(state);
    ASSERT_FALSE(integrators::hasFailed(simulation->step().status)) << simulation->lastReport().message;
    EXPECT_EQ(*simulation->state().factorBase.serves, *serves);
    EXPECT_EQ(simulation->lastReport().newFactorMs, newFactor) << "none was made";
    const linalg::BlockVector changed = simulation->state().x;

    state.factorBase = {};
    simulation->setState(state);
    ASSERT_FALSE(integrators::hasFailed(simulation->step().status)) << simulation->lastReport().message;
    EXPECT_NE(*simulation->state().factorBase.serves, *serves);
    EXPECT_EQ(simulation->state().factorBase.serves->broken.size(), 12u);
    EXPECT_LT((changed.flat() - simulation->state().x.flat()).lpNorm<Eigen::Infinity>(), 1e-6);

    for (std::size_t e = 200; e < 300; e += 9) state.brokenSprings[e] = 1;
    state.factorBase.serves = serves;
    simulation->setState(state);
    ASSERT_FALSE(integrators::hasFailed(simulation->step().status)) << simulation->lastReport().message;
    EXPECT_EQ(simulation->state().factorBase.serves->broken.size(), 24u) << "too many: a new factor";
}

}  // namespace
}  // namespace clothlab::simulation
