#include "simulation/stored_motion.hpp"

#include "scenes.hpp"

namespace clothlab::simulation {
namespace {

using testing::simulate;

std::uint64_t computeHash(const Simulation& simulation) { return integrators::stateHash(simulation.state()); }

/// Scenes with solids, with contact of the cloth with itself, with methods that remember a step.
struct KeptScene {
    const char* scene;
    std::vector<const char*> overrides;
};
const KeptScene kScenes[] = {
    {"hang", {"cloth.rows=9", "cloth.columns=9"}},
    {"drape-sphere", {"cloth.rows=11", "cloth.columns=11", "integrator.kind=bdf2"}},
    {"drape-sphere",
     {"cloth.rows=11", "cloth.columns=11", "contact.self_collision=robust", "integrator.dt_schedule=adaptive"}},
};

TEST(StoredMotion, GoesOnAsIfNothingHadBeenInBetween) {
    for (const KeptScene& from : kScenes) {
        const auto simulation = simulate(from.scene, from.overrides), twin = simulate(from.scene, from.overrides);
        for (int n = 0; n < 15; ++n) simulation->step(), twin->step();
        const StoredMotion kept = simulation->keep();
        const std::uint64_t then = computeHash(*simulation);
        // In the same simulation ...
        scene::Settings other = simulation->settings();
        other.material.stretchStiffness *= 2;
        simulation->apply(other);
        simulation->setPin(40, integrators::PinHold::point());
        for (int n = 0; n < 7; ++n) simulation->step();
        ASSERT_NE(computeHash(*simulation), then);
        ASSERT_TRUE(simulation->restoreMotion(kept));
        EXPECT_EQ(computeHash(*simulation), then) << from.scene;
        EXPECT_EQ(simulation->settings(), kept.scene.settings);
        EXPECT_EQ(simulation->lastReport().step, 15);
        EXPECT_EQ(simulation->history().lastStep(), 15);
        EXPECT_EQ(simulation->history().firstStep(), 0);
        // ... and in one that is built anew.
        const auto anew = Simulation::recreate(kept, 1);
        ASSERT_TRUE(anew) << anew.error().text();
        EXPECT_EQ(computeHash(**anew), then) << from.scene;
        for (int n = 0; n < 7; ++n) simulation->step(), (*anew)->step(), twin->step();
        EXPECT_EQ(computeHash(*simulation), computeHash(*twin)) << from.scene;
        EXPECT_EQ(computeHash(**anew), computeHash(*twin)) << from.scene;
    }
}

TEST(StoredMotion, HasTheSettingsThatTheSceneCameWith) {
    const auto simulation = simulate("hang", {"cloth.rows=5", "cloth.columns=5"});
    const scene::Settings loaded = simulation->settings();
    scene::Settings other = loaded;
    other.material.stretchStiffness *= 2;
    simulation->apply(other);
    EXPECT_EQ(simulation->scene().settings, other);
    EXPECT_EQ(simulation->loadedSettings(), loaded);
    const StoredMotion kept = simulation->keep();
    simulation->apply(loaded);
    ASSERT_TRUE(simulation->restoreMotion(kept)) << "other settings do not make another scene";
    const auto anew = Simulation::recreate(kept, 1);
    ASSERT_TRUE(anew) << anew.error().text();
    for (const Simulation* each : {simulation.get(), anew->get()}) {
        EXPECT_EQ(each->settings(), other);
        EXPECT_EQ(each->loadedSettings(), loaded);
    }
}

TEST(StoredMotion, HasWhatWasPaintedAndWhatWasCut) {
    const auto simulation = simulate("hang", {"cloth.rows=11", "cloth.columns=11"});
    const scene::Painting painting = scene::paint({}, {}, 0, std::vector<Index>{36, 37, 38, 47, 48}, {});
    ASSERT_TRUE(simulation->paint(painting));
    simulation->step();
    std::vector<std::uint8_t> broken(simulation->model().springs.size(), 0);
    broken[100] = broken[101] = 1;
    integrators::SimulationState cut = simulation->state();
    cut.brokenSprings = broken;
    simulation->setState(cut);
    const StoredMotion kept = simulation->keep();
    const std::uint64_t then = computeHash(*simulation);
    ASSERT_TRUE(simulation->paint({}));
    simulation->restart();
    simulation->step();
    ASSERT_TRUE(simulation->restoreMotion(kept));
    EXPECT_EQ(computeHash(*simulation), then);
    EXPECT_EQ(simulation->painting(), painting);
    EXPECT_EQ(simulation->state().brokenSprings, broken);
    EXPECT_TRUE(kept.scene.regions.empty()) << "the scene's own, not the painting's";
    const auto anew = Simulation::recreate(kept, 1);
    ASSERT_TRUE(anew) << anew.error().text();
    simulation->step();
    (*anew)->step();
    EXPECT_EQ(computeHash(**anew), computeHash(*simulation));
    EXPECT_EQ((*anew)->lastReport().brokenSprings, 2);
}

TEST(StoredMotion, HoldsTheNewestStatesThatFitAndSharesThem) {
    const auto simulation = simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    for (int n = 0; n < 30; ++n) simulation->step();
    const StoredMotion kept = simulation->keep(5 * simulation->history().bytes() / simulation->history().lastStep());
    EXPECT_EQ(kept.history.lastStep(), 30);
    EXPECT_GT(kept.history.firstStep(), 20);
    EXPECT_LE(kept.history.firstStep(), 28);
    EXPECT_EQ(kept.history.find(29), simulation->history().find(29)) << "shared, not copied";
    EXPECT_EQ(kept.history.reports().size(), std::size_t(30 - kept.history.firstStep() + 1));
    simulation->restart();
    EXPECT_TRUE(simulation->history().reports().empty()) << "no step leads to the start";
    ASSERT_TRUE(simulation->restoreMotion(kept));
    ASSERT_TRUE(simulation->stepBack());
    EXPECT_EQ(simulation->state().step, 29);
    ASSERT_TRUE(simulation->seek(30));
    for (int n = 0; n < 30; ++n) simulation->step();
    EXPECT_EQ(simulation->history().firstStep(), kept.history.firstStep()) << "the history has its own budget again";
}

TEST(StoredMotion, PinsOfBeforeAreTheSameWhileTheClothIsWhereItWas) {
    const auto simulation = simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    for (int n = 0; n < 5; ++n) simulation->step();
    mechanics::Motion rises;
    rises.velocity = Vec3(0, 0.3, 0);
    rises.startTime = simulation->state().time;
    simulation->setPin(40, integrators::PinHold::line(Vec3::UnitY()), rises);
    const integrators::SimulationState before = simulation->state();
    const std::uint64_t then = computeHash(*simulation);
    simulation->setPin(40, {});
    simulation->setPin(0, {});
    simulation->setPin(41, integrators::PinHold::point());
    simulation->copyPins(before);
    EXPECT_EQ(computeHash(*simulation), then);

    // After the cloth has moved, a restored pin holds its particle where it is now.
    simulation->setPin(0, {});
    simulation->setPin(41, integrators::PinHold::point());
    for (int n = 0; n < 20; ++n) simulation->step();
    const Vec3 fallen = simulation->state().x[0];
    ASSERT_GT((fallen - before.x[0]).norm(), 1e-3);
    simulation->copyPins(before);
    ASSERT_EQ(simulation->state().pins.size(), before.pins.size());
    EXPECT_EQ(simulation->state().findPin(0)->place, fallen);
    EXPECT_EQ(*simulation->state().findPin(8), *before.findPin(8)) << "this pin was never removed";
    EXPECT_EQ(*simulation->state().pinMotion(*simulation->state().findPin(40)), rises);
    EXPECT_EQ(simulation->state().findPin(41), nullptr);
}

}  // namespace
}  // namespace clothlab::simulation
