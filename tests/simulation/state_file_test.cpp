#include "simulation/state_file.hpp"

#include <cstring>
#include <fstream>
#include <functional>
#include <limits>

#include "base/input.hpp"
#include "scenes.hpp"
#include "scratch_folder.hpp"

namespace clothlab::simulation {
namespace {

using testing::simulate;

std::uint64_t savedHash(const Simulation& simulation) { return integrators::stateHash(simulation.state()); }

struct SavedScene {
    const char* scene;
    std::vector<const char*> overrides;
};
/// Solids, layers, two-step methods, a schedule, a factor of its own, components, a mesh.
const SavedScene kSavedScenes[] = {
    {"hang", {"cloth.rows=9", "cloth.columns=9"}},
    {"flag", {"cloth.rows=9", "cloth.columns=13", "integrator.kind=sbdf2"}},
    {"drape-sphere", {"cloth.rows=11", "cloth.columns=11", "integrator.kind=bdf2"}},
    {"drape-sphere",
     {"cloth.rows=11", "cloth.columns=11", "contact.self_collision=robust", "integrator.dt_schedule=adaptive"}},
    {"liu-curtain", {"cloth.rows=11", "cloth.columns=11"}},
    {"liu-curtain", {"cloth.rows=11", "cloth.columns=11", "integrator.kind=xpbd"}},
    {"decomposed-center", {"cloth.rows=7", "cloth.columns=7"}},
    {"disc", {}},
    {"sideris-moving-collider", {"cloth.rows=11", "cloth.columns=11"}},
};

/// Saves the simulation to bytes and resumes it as another one.
std::unique_ptr<Simulation> again(const Simulation& simulation) {
    auto saved = readStateBytes(stateBytes(simulation), "it.clothstate");
    EXPECT_TRUE(saved) << saved.error().text();
    if (!saved) return {};
    auto made = resume(*saved, 2);
    EXPECT_TRUE(made) << made.error().text();
    return made ? std::move(*made) : nullptr;
}

TEST(StateFile, AnotherRunGoesOnToTheSameBits) {
    for (const SavedScene& from : kSavedScenes) {
        const auto simulation = simulate(from.scene, from.overrides);
        for (int n = 0; n < 12; ++n) simulation->step();
        const auto other = again(*simulation);
        ASSERT_TRUE(other) << from.scene;
        EXPECT_EQ(savedHash(*other), savedHash(*simulation)) << from.scene;
        EXPECT_TRUE(other->settings() == simulation->settings()) << from.scene;
        EXPECT_EQ(other->lastReport().step, 12);
        for (int n = 0; n < 8; ++n) simulation->step(), other->step();
        EXPECT_EQ(savedHash(*other), savedHash(*simulation)) << from.scene;
    }
}

// The file has what the user did to the motion: pins, cuts, paint, a ball, a moved solid, another stiffness.
TEST(StateFile, HasWhatWasDoneByHand) {
    const auto simulation = simulate("drape-sphere", {"cloth.rows=13", "cloth.columns=13"});
    for (int n = 0; n < 5; ++n) simulation->step();
    mechanics::Motion motion;
    motion.velocity = {0.1, 0, 0};
    motion.startTime = simulation->state().time;
    simulation->setPin(7, integrators::PinHold::line({0, 1, 0}), motion);
    simulation->setPin(84, integrators::PinHold::point());
    ASSERT_TRUE(simulation->paint(scene::paint({}, {}, 0, std::vector<Index>{36, 37, 38}, {})));
    simulation->throwBall({0, 1, 1}, {.radius = 0.05, .mass = 0.1, .velocity = {0, 0, -2}});
    integrators::SimulationState cut = simulation->state();
    cut.brokenSprings.assign(simulation->model().springs.size(), 0);
    cut.brokenSprings[100] = 1;
    simulation->setState(cut);
    simulation->setColliderGrab({.active = true, .collider = 0, .target = {0.1, 0, 0}});
    simulation->step();
    scene::Settings settings = simulation->settings();
    settings.material.stretchStiffness *= 3;
    simulation->apply(settings);
    simulation->step();
    const auto other = again(*simulation);
    ASSERT_TRUE(other);
    EXPECT_FALSE(other->state().colliderGrab.active) << "the pointer holds nothing in a loaded state";
    simulation->setColliderGrab({});
    for (int n = 0; n < 10; ++n) simulation->step(), other->step();
    EXPECT_EQ(savedHash(*other), savedHash(*simulation));
    EXPECT_EQ(other->lastReport().brokenSprings, 1);
}

// Under local/global a pin changes a factor by columns. Which factor serves belongs to the state.
TEST(StateFile, HasTheFactorThatServes) {
    const auto simulation = simulate("liu-curtain", {"cloth.rows=11", "cloth.columns=11"});
    for (int n = 0; n < 4; ++n) simulation->step();
    simulation->setPin(60, integrators::PinHold::point());
    for (int n = 0; n < 4; ++n) simulation->step();
    ASSERT_TRUE(simulation->state().factorBase.serves);
    const auto other = again(*simulation);
    ASSERT_TRUE(other);
    ASSERT_TRUE(other->state().factorBase.serves);
    EXPECT_TRUE(*other->state().factorBase.serves == *simulation->state().factorBase.serves);
    for (int n = 0; n < 5; ++n) simulation->step(), other->step();
    EXPECT_EQ(savedHash(*other), savedHash(*simulation));
}

std::string refusal(const std::string& bytes) {
    const auto read = readStateBytes(bytes, "it.clothstate");
    return read ? "" : read.error().text();
}

TEST(StateFile, WhatIsNotWholeIsRefusedInWords) {
    const auto simulation = simulate("hang", {"cloth.rows=5", "cloth.columns=5"});
    simulation->step();
    const std::string bytes = stateBytes(*simulation);
    ASSERT_EQ(refusal(bytes), "");
    EXPECT_NE(refusal("").find("no saved state"), std::string::npos);
    EXPECT_NE(refusal("steps = 5\n").find("no saved state"), std::string::npos);
    std::string other = bytes;
    other[15] = '2';
    EXPECT_NE(refusal(other).find("version '2'; this program reads version 1"), std::string::npos) << refusal(other);
    EXPECT_NE(refusal(bytes + "x").find("longer than its header says"), std::string::npos);
    for (std::size_t length = 17; length < bytes.size(); length += 97)
        EXPECT_NE(refusal(bytes.substr(0, length)).find("cut short"), std::string::npos) << length;
    for (std::size_t at = 33; at < bytes.size(); at += 61) {
        std::string flipped = bytes;
        flipped[at] = char(flipped[at] ^ (1 << at % 8));
        EXPECT_NE(refusal(flipped).find("changed since it was written"), std::string::npos) << at;
    }
}

// A file with a correct hash may hold the state of another scene; the message names what does not fit.
TEST(StateFile, AStateOfAnotherWorldDoesNotFit) {
    const auto simulation = simulate("drape-sphere", {"cloth.rows=7", "cloth.columns=7"});
    for (int n = 0; n < 60; ++n) simulation->step();
    EXPECT_EQ(misfit(simulation->state(), *simulation), "");
    const auto with = [&](auto change) {
        integrators::SimulationState state = simulation->state();
        change(state);
        return misfit(state, *simulation);
    };
    using State = integrators::SimulationState;
    EXPECT_NE(with([](State& s) { s.x.resize(3); }), "");
    EXPECT_NE(with([](State& s) { s.v[3].x() = std::nan(""); }), "");
    EXPECT_NE(with([](State& s) { s.pins = {{.particle = 49}}; }), "");
    EXPECT_NE(with([](State& s) { s.pins = {{.particle = 4}, {.particle = 3}}; }), "");
    EXPECT_NE(with([](State& s) { s.pins = {{.particle = 4, .motion = 0}}; }), "");
    EXPECT_NE(with([](State& s) { s.time = -1; }), "");
    EXPECT_NE(with([](State& s) { s.brokenSprings.assign(3, 0); }), "");
    EXPECT_NE(with([](State& s) { s.zones.ends = {4}; }), "");
    EXPECT_NE(with([](State& s) { s.collided = {-1}; }), "");
    EXPECT_NE(with([](State& s) { s.balls.resize(2); }), "");
    EXPECT_NE(with([](State& s) { s.grab.active = true; }), "");
    EXPECT_NE(with([](State& s) { s.contacts.contacts.push_back({.particle = 2, .collider = 9}); }), "");
    EXPECT_NE(with([](State& s) { s.layerForces.push_back({.corners = {0, 1, 2, 99}, .kind = {}}); }), "");
    EXPECT_NE(with([](State& s) { s.factorBase.serves = std::make_shared<const factors::FactorSource>(); }), "");
    EXPECT_NE(with([](State& s) { s.previousValid = true, s.xPrevious = {}; }), "");
}

TEST(StateFile, AMeshThatHasChangedIsNamed) {
    const tests::ScratchFolder folder;
    const std::string mesh = folder.file("sheet.obj"), scene = folder.file("sheet.toml"),
                      saved = folder.file("a.clothstate");
    const auto writeMesh = [&](const char* z) {
        std::ofstream(mesh) << "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 " << z << "\nf 1 2 3\nf 1 3 4\n";
    };
    writeMesh("1");
    std::ofstream(scene) << "[[cloth]]\nmesh = \"sheet.obj\"\n";
    auto read = scene::readScene(scene);
    ASSERT_TRUE(read) << read.error().text();
    auto made = Simulation::create(*read, 1);
    ASSERT_TRUE(made);
    (*made)->step();
    ASSERT_TRUE(saveState(**made, saved, {}));
    EXPECT_TRUE(loadState(saved));
    writeMesh("1.5");
    const auto changed = loadState(saved);
    ASSERT_FALSE(changed);
    EXPECT_NE(changed.error().message.find("the mesh sheet.obj has changed"), std::string::npos);
    std::filesystem::remove(mesh);
    const auto missing = loadState(saved);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("sheet.obj"), std::string::npos) << missing.error().text();
}

// The header fits the bytes, so that the state itself is checked.
TEST(StateFile, NamesNothingThatIsNotThere) {
    const auto simulation = simulate("hang", {"cloth.rows=5", "cloth.columns=5"});
    simulation->step();
    const auto refused = [&](const std::function<void(integrators::SimulationState&)>& spoil) -> std::string {
        integrators::SimulationState state = simulation->state();
        spoil(state);
        const auto saved = readStateBytes(stateBytes(simulation->scene(), state), "it.clothstate");
        if (!saved) return saved.error().text();
        const auto made = resume(*saved, 1);
        return made ? "" : made.error().text();
    };
    EXPECT_EQ(refused([](auto&) {}), "");
    EXPECT_NE(refused([](auto& state) { state.pins.front().motion = 1; }).find("motion does not exist"),
              std::string::npos);
    EXPECT_NE(refused([](auto& state) { state.step = std::numeric_limits<std::int64_t>::max(); }).find("too large"),
              std::string::npos);
    EXPECT_NE(refused([](auto& state) { state.goodSteps = std::numeric_limits<int>::max(); }).find("too large"),
              std::string::npos);
}

}  // namespace
}  // namespace clothlab::simulation
