#include <algorithm>
#include <cmath>

#include "scenes.hpp"

/// Forces between layers, as they go into the solve of the next step.
namespace clothlab::simulation {
namespace {

constexpr Index kLower = 169;

/// A sheet of 9 x 9 particles `above` m over one of 13 x 13 that is pinned as a whole, without wind.
std::unique_ptr<Simulation> sheetOnAnother(const char* above) {
    const std::string text =
        std::string("steps = 10\n[integrator]\ndt = 0.005\n[material]\nstretch_stiffness = 2000\n") +
        "[contact]\nself_collision = \"robust\"\n" +
        "[[cloth]]\nrows = 13\ncolumns = 13\nside = 0.6\norigin = [0, 0, 0]\ncolumn_axis = [1, 0, 0]\n"
        "row_axis = [0, 0, 1]\n[[cloth]]\nrows = 9\ncolumns = 9\nside = 0.4\ncolumn_axis = [1, 0, 0]\n"
        "row_axis = [0, 0, 1]\norigin = [0.113, " +
        above + ", 0.117]\n";
    auto scene = scene::readSceneText(text, "two-sheets.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    auto simulation = Simulation::create(*scene, 1);
    EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
    for (Index i = 0; i < kLower; ++i) (*simulation)->setPin(i, integrators::PinHold::point());
    return std::move(*simulation);
}

/// Upward force on the upper sheet, N.
double lifted(const Simulation& simulation) {
    const integrators::SimulationState& state = simulation.state();
    linalg::BlockVector force(state.x.size());
    force.setZero();
    contact::addLayerForces(state.layerForces, state.x, 1, force);
    double sum = 0;
    for (Index i = kLower; i < force.size(); ++i) sum += force[i].y();
    return sum;
}

double weight(const Simulation& simulation) {
    double sum = 0;
    for (Index i = kLower; i < simulation.state().x.size(); ++i) sum += simulation.model().mass[i];
    return -sum * simulation.settings().gravity.y();
}

TEST(LayerForces, CarryTheWeightOfASheetThatRests) {
    const auto simulation = sheetOnAnother("0.004");
    for (int n = 0; n < 200; ++n) ASSERT_EQ(simulation->step().status, integrators::StepStatus::Ok);
    EXPECT_NEAR(lifted(*simulation), weight(*simulation), 0.02 * weight(*simulation));
    for (Index i = kLower; i < simulation->state().x.size(); ++i) EXPECT_LE(simulation->state().v[i].norm(), 0.02);

    // Layer forces are part of the state: going back and forth gives the same motion.
    const std::uint64_t there = integrators::stateHash(simulation->state());
    for (int n = 0; n < 5; ++n) ASSERT_TRUE(simulation->stepBack());
    EXPECT_NE(integrators::stateHash(simulation->state()), there);
    for (int n = 0; n < 5; ++n) simulation->step();
    EXPECT_EQ(integrators::stateHash(simulation->state()), there);

    scene::Settings off = simulation->settings();
    off.contact.carryForces = false;
    simulation->apply(off);
    simulation->step();
    EXPECT_TRUE(simulation->state().layerForces.empty());
}

bool pushOn(Index particle, const Simulation& simulation) {
    return std::ranges::any_of(simulation.state().layerForces, [&](const contact::LayerForce& force) {
        return std::ranges::find(force.corners, particle) != force.corners.end();
    });
}

// Layer forces balance what holds the particle, and would throw it away once it is released.
TEST(LayerForces, EndForAParticleThatIsNoLongerHeld) {
    const auto simulation = sheetOnAnother("0.004");
    for (int n = 0; n < 100; ++n) simulation->step();
    Index particle = 0;
    while (!pushOn(particle, *simulation)) ++particle;
    simulation->setPin(particle, std::nullopt);
    EXPECT_FALSE(pushOn(particle, *simulation));

    Index upper = kLower;
    while (!pushOn(upper, *simulation)) ++upper;
    simulation->setGrab({.active = true, .particle = upper, .target = simulation->state().x[upper]});
    EXPECT_TRUE(pushOn(upper, *simulation));
    simulation->setGrab({.active = true, .particle = upper, .target = Vec3::Zero()});
    EXPECT_TRUE(pushOn(upper, *simulation));
    simulation->setGrab({});
    EXPECT_FALSE(pushOn(upper, *simulation));
    EXPECT_FALSE(simulation->state().layerForces.empty());
}

TEST(LayerForces, AStepThatTheyWouldThrowApartIsSolvedWithout) {
    const auto simulation = sheetOnAnother("0.004");
    for (int n = 0; n < 100; ++n) simulation->step();
    simulation->changeState([](integrators::SimulationState& state) {
        for (contact::LayerForce& force : state.layerForces) force.push += 1e4f;
    });
    const StepReport& report = simulation->step();
    EXPECT_EQ(report.status, integrators::StepStatus::Unconverged) << report.message;
    EXPECT_NE(report.message.find("forces between layers"), std::string::npos) << report.message;
    EXPECT_LT(report.maxStrain, 0.1);
    EXPECT_EQ(simulation->step().status, integrators::StepStatus::Ok);
}

TEST(LayerForces, WhatFallsDoesNotBounce) {
    const auto simulation = sheetOnAnother("0.1");
    double fastest = 0, up = 0;
    for (int n = 0; n < 100; ++n) {
        simulation->step();
        Vec3 mean = Vec3::Zero();
        for (Index i = kLower; i < simulation->state().x.size(); ++i) mean += simulation->state().v[i] / 81;
        fastest = std::max(fastest, -mean.y());
        up = std::max(up, mean.y());
    }
    EXPECT_GT(fastest, 1) << "it fell";
    EXPECT_LT(up, 0.1 * fastest);
}

}  // namespace
}  // namespace clothlab::simulation
