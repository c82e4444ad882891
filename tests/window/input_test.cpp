#include <fmt/format.h>
#include <gtest/gtest.h>

#include "widgets/keys.hpp"
#include "window/input_script.hpp"
#include "window/view_controller.hpp"

namespace clothlab::app::window {

using render::Camera;
using widgets::Key;
using widgets::LayoutMap;
using worker::Command;
using worker::GrabParticle;
using worker::MeshTopology;
using worker::ReleaseGrab;
using worker::Snapshot;
using worker::TogglePin;

namespace {

using Kind = InputEvent::Kind;

TEST(InputQueue, APressAndItsReleaseNeverShareAFrame) {
    InputQueue queue;
    queue.push(InputEvent::key(78, true));
    queue.push(InputEvent::key(78, false));
    queue.push(InputEvent::key(78, true));
    EXPECT_EQ(queue.takeFrame().size(), 1u);
    EXPECT_EQ(queue.takeFrame().size(), 1u);
    EXPECT_EQ(queue.takeFrame().size(), 1u);
    EXPECT_TRUE(queue.empty());
}

TEST(InputQueue, AClickIsWhereItWasAndMovesMerge) {
    InputQueue queue;
    for (int i = 0; i < 10; ++i) queue.push(InputEvent::move(float(i), 0));
    queue.push(InputEvent::button(0, true));
    queue.push(InputEvent::move(50, 0));
    const auto first = queue.takeFrame();
    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(first[0].x, 9);
    EXPECT_EQ(first[1].kind, Kind::Button);
    EXPECT_EQ(queue.takeFrame().front().x, 50);
}

TEST(InputQueue, EventsKnowWhetherCtrlWasHeldThen) {
    InputQueue queue;
    queue.push(InputEvent::key(int(Key::LeftControl), true));
    queue.push(InputEvent::button(0, true));
    queue.push(InputEvent::key(int(Key::LeftControl), false));
    queue.push(InputEvent::button(0, false));
    bool pressed = false, released = true;
    while (!queue.empty())
        for (const auto& e : queue.takeFrame())
            if (e.kind == Kind::Button) (e.down ? pressed : released) = e.control;
    EXPECT_TRUE(pressed);
    EXPECT_FALSE(released);
}

TEST(InputScript, MistakesHaveTheirLine) {
    for (const auto& [text, line] : {std::pair{"frame 3\nmvoe 4 5\n", 2},
                                     {"move 4\n", 1},
                                     {"\n\ndown lefft", 3},
                                     {"key hyper", 1},
                                     {"wait steps", 1},
                                     {"frame x", 1},
                                     {"wait step three", 1}}) {
        const auto script = InputScript::parse(text, "hand.txt");
        ASSERT_FALSE(script.has_value()) << text;
        EXPECT_EQ(script.error().line, line) << text;
        EXPECT_EQ(script.error().file, "hand.txt");
    }
}

TEST(InputScript, NumbersAreFiniteAndWithinTheirRange) {
    for (const char* text : {"move nan nan",
                             "move 1 inf",
                             "move 1e6 0",
                             "frame nan",
                             "frame -1",
                             "frame 1.5",
                             "frame 99999999999999999999",
                             "after -5",
                             "wheel nan",
                             "wheel 1e9",
                             "wait time nan",
                             "wait time inf",
                             "wait time -1",
                             "wait step 1e300",
                             "wait playing 2",
                             "move particle -1",
                             "move particle 1.5",
                             "move particle 3 nan 0",
                             "move @solver.kind nan 0",
                             "move @",
                             "move 0x10 5",
                             "frame 3 move nan 4"}) {
        const auto script = InputScript::parse(text, "hand.txt");
        ASSERT_FALSE(script.has_value()) << text;
        EXPECT_EQ(script.error().line, 1) << text;
        EXPECT_FALSE(script.error().choices.empty()) << text;
    }
    EXPECT_TRUE(
        InputScript::parse("move -20 3.5\nmove @solver.kind 0.5 1.2\nmove particle 3 -60 4e1\nwait time 1.5\nwheel "
                           "-2\r\n\tframe 5 wheel 1 # x\n",
                           "x"));
}

TEST(InputScript, AMistakeOfTheRunNamesFileLineAndParticle) {
    auto script = InputScript::parse("\nmove particle 820\n", "hand.txt");
    ASSERT_TRUE(script.has_value());
    const Snapshot snapshot;
    const LayoutMap layout;
    InputQueue queue;
    const ScriptContext context{1, snapshot, true, false, false, layout, [](Index) { return std::optional<ImVec2>{}; }};
    EXPECT_EQ(script->advance(context, queue).problem, "hand.txt:2: nothing to point at: particle 820");
}

TEST(InputScript, AnActionIsOfTheRegisterAndHasAFrameOfItsOwn) {
    const auto wrong = InputScript::parse("frame 1\n  action race.opne\n", "hand.txt");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_EQ(wrong.error().text().substr(0, 45), "hand.txt:2:3: unknown action 'race.opne' (val");
    EXPECT_EQ(std::ranges::count(wrong.error().choices, "race.open"), 1);
    auto script = InputScript::parse("action race.open\naction panel.close\nquit\n", "hand.txt");
    ASSERT_TRUE(script.has_value());
    const Snapshot snapshot;
    const LayoutMap layout;
    InputQueue queue;
    const ScriptContext context{1, snapshot, true, false, false, layout, [](Index) { return std::optional<ImVec2>{}; }};
    for (const char* action : {"race.open", "panel.close"}) {
        const ScriptRequest request = script->advance(context, queue);
        EXPECT_EQ(request.action, action);
        EXPECT_FALSE(request.quit);
    }
    EXPECT_EQ(script->at(2, "refused"), "hand.txt:2: refused");
    EXPECT_TRUE(script->advance(context, queue).quit);
}

TEST(InputScript, ASettingIsCheckedWhereItIsReadAndHasAFrameOfItsOwn) {
    for (const char* wrong :
         {"set integrator.kind=newton", "set integrator.dd=1", "set cloth.rows=5", "set integrator.dt=-1"}) {
        const auto script = InputScript::parse(fmt::format("key a\n  {}\n", wrong), "hand.txt");
        ASSERT_FALSE(script) << wrong;
        EXPECT_TRUE(script.error().text().starts_with("hand.txt:2:3: ")) << script.error().text();
    }
    auto script = InputScript::parse("set integrator.dt=0.01\nkey a\n", "hand.txt");
    ASSERT_TRUE(script);
    const Snapshot snapshot;
    const LayoutMap layout;
    InputQueue queue;
    const ScriptContext context{1, snapshot, true, false, false, layout, [](Index) { return std::optional<ImVec2>{}; }};
    const ScriptRequest request = script->advance(context, queue);
    EXPECT_EQ(request.setting, "integrator.dt=0.01");
    EXPECT_EQ(request.line, 1);
    EXPECT_TRUE(queue.empty());
}

TEST(InputScript, WaitsForFramesAndSteps) {
    auto script = InputScript::parse("frame 3 move 4 5  # there\ndown left\nwait steps 10\nup left\nquit\n", "x");
    ASSERT_TRUE(script.has_value());
    Snapshot snapshot;
    LayoutMap layout;
    InputQueue queue;
    const auto advance = [&](std::int64_t frame) {
        const ScriptContext context{
            frame, snapshot, true, false, false, layout, [](Index) { return std::optional<ImVec2>{}; }};
        ScriptRequest request = script->advance(context, queue);
        while (!queue.empty()) queue.takeFrame();
        return request;
    };
    advance(2);
    EXPECT_FALSE(script->finished());
    for (std::int64_t f = 3; f < 20; ++f) EXPECT_FALSE(advance(f).quit) << "ten steps have not passed";
    snapshot.step = 10;
    bool quit = false;
    for (std::int64_t f = 20; f < 30; ++f) quit |= advance(f).quit;
    EXPECT_TRUE(quit);
    EXPECT_TRUE(script->finished());
}

/// A square of two triangles in the plane z = 0, seen from the front.
class ControllerTest : public ::testing::Test {
protected:
    ControllerTest() {
        auto mesh = std::make_shared<MeshTopology>();
        mesh->revision = 7;
        mesh->particles = 4;
        mesh->triangles = {{0, 1, 2}, {1, 3, 2}};
        snapshot.mesh = mesh;
        snapshot.positions = {-0.5f, 0.5f, 0, 0.5f, 0.5f, 0, -0.5f, -0.5f, 0, 0.5f, -0.5f, 0};
        controller.camera.azimuth = 0;
        controller.camera.elevation = 0;
    }
    ViewController::Context context(bool taken = false) const { return {snapshot, {100, 0, 800, 600}, 1, taken}; }
    glm::vec2 pixel(Index particle) const {
        const float* p = &snapshot.positions[3 * std::size_t(particle)];
        return *controller.camera.pixelOf({p[0], p[1], p[2]}, context().viewport);
    }
    void move(glm::vec2 to, bool taken = false) {
        controller.handle(InputEvent::move(to.x, to.y), context(taken), out);
    }
    void button(int code, bool down, bool taken = false, bool control = false) {
        InputEvent event = InputEvent::button(code, down);
        event.control = control;
        controller.handle(event, context(taken), out);
    }
    Snapshot snapshot;
    ViewController controller;
    std::vector<Command> out;
};

TEST_F(ControllerTest, LeftOnClothGrabsAndThePointerLeadsInTheViewPlane) {
    move(pixel(1) + glm::vec2(-8, 8));
    button(0, true);
    ASSERT_EQ(out.size(), 1u);
    const auto& grab = std::get<GrabParticle>(out[0]);
    EXPECT_EQ(grab.particle, 1);
    EXPECT_EQ(grab.topologyRevision, 7u);
    const Camera before = controller.camera;
    const glm::vec2 wanted = pixel(1) + glm::vec2(60, -40);
    move(wanted);
    const auto target = controller.pointerTarget(context());
    ASSERT_TRUE(target.has_value());
    EXPECT_EQ(target->serial, grab.serial);
    const glm::vec3 point(target->position[0], target->position[1], target->position[2]);
    EXPECT_NEAR(point.z, 0, 1e-4) << "the plane through the particle that faces the camera";
    const glm::vec2 back = *controller.camera.pixelOf(point, context().viewport);
    EXPECT_NEAR(glm::distance(back, wanted), 0, 0.1);
    EXPECT_TRUE(controller.camera == before);
    button(0, false);
    EXPECT_TRUE(std::holds_alternative<ReleaseGrab>(out.back()));
    EXPECT_FALSE(controller.pointerTarget(context()).has_value());
}

TEST_F(ControllerTest, BesideTheClothLeftOrbitsRightPansWheelZooms) {
    move({120, 580});
    button(0, true);
    const Camera start = controller.camera;
    move({220, 540});
    EXPECT_NE(controller.camera.azimuth, start.azimuth);
    button(0, false);
    const Camera turned = controller.camera;
    move({300, 500});
    EXPECT_TRUE(controller.camera == turned) << "nothing is held";
    button(1, true);
    move({340, 500});
    EXPECT_NE(controller.camera.target, turned.target);
    button(1, false);
    const float distance = controller.camera.distance;
    controller.handle(InputEvent::wheel(0, 1), context(), out);
    EXPECT_LT(controller.camera.distance, distance);
    EXPECT_TRUE(out.empty());
}

TEST_F(ControllerTest, CtrlClickPinsAndNeverGrabs) {
    move(pixel(2) + glm::vec2(6, -6));
    button(0, true, false, true);
    button(0, false);
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(std::get<TogglePin>(out[0]).particle, 2);
    EXPECT_EQ(std::get<TogglePin>(out[0]).topologyRevision, 7u);
}

TEST_F(ControllerTest, TheMiddleButtonAndShiftTurnTheViewAlsoOverTheCloth) {
    for (const auto& [code, shift] : {std::pair{2, false}, {0, true}}) {
        move(pixel(1) + glm::vec2(-8, 8));
        const Camera start = controller.camera;
        InputEvent press = InputEvent::button(code, true);
        press.shift = shift;
        controller.handle(press, context(), out);
        move(pixel(1) + glm::vec2(50, -30));
        EXPECT_NE(controller.camera.azimuth, start.azimuth) << code;
        button(code == 0 ? 2 : 0, false);  // another button ends nothing
        const Camera turned = controller.camera;
        move(pixel(1) + glm::vec2(80, -30));
        EXPECT_NE(controller.camera.azimuth, turned.azimuth) << code;
        button(code, false);
        const Camera released = controller.camera;
        move({400, 300});
        EXPECT_TRUE(controller.camera == released) << code;
    }
    EXPECT_TRUE(out.empty()) << "nothing was taken hold of";
}

TEST_F(ControllerTest, XAndLeftDragCutBetweenThePlacesOfThePointer) {
    const auto x = [&](bool down, bool typing = false) {
        ViewController::Context c = context();
        c.keysTaken = typing;
        controller.handle(InputEvent::key(int(Key::X), down), c, out);
    };
    const Camera before = controller.camera;
    const glm::vec2 from = 0.5f * (pixel(0) + pixel(2)) + glm::vec2(-20, 0), to = from + glm::vec2(200, 0);
    x(true);
    move(from);
    button(0, true);
    EXPECT_TRUE(out.empty()) << "nothing is cut, and nothing grabbed, before the pointer moves";
    move(to);
    ASSERT_EQ(out.size(), 1u);
    const auto& cut = std::get<worker::Cut>(out[0]);
    EXPECT_EQ(cut.topologyRevision, 7u);
    EXPECT_TRUE(cloth::cuts(cut.blade, {-0.45, 0.5, 0}, {-0.45, -0.5, 0}));
    EXPECT_FALSE(cloth::cuts(cut.blade, {0.5, 0.5, 0}, {0.5, -0.5, 0})) << "not so far";
    EXPECT_EQ(controller.stroke().size(), 2u);
    move(to);
    EXPECT_EQ(out.size(), 1u) << "a pointer that rests cuts nothing";
    button(0, false);
    EXPECT_TRUE(controller.stroke().empty());
    EXPECT_EQ(out.size(), 1u);
    EXPECT_TRUE(controller.camera == before);
    x(false);
    x(true, true);
    move(pixel(1) + glm::vec2(-8, 8));
    button(0, true);
    ASSERT_EQ(out.size(), 2u);
    EXPECT_TRUE(std::holds_alternative<GrabParticle>(out[1])) << "an x that is typed is no knife";
}

// Touches of one stroke come in the order of the hand, without gaps, and neither move the cloth nor the view.
TEST_F(ControllerTest, GAndLeftDragPaint) {
    const auto g = [&](bool down, bool typing = false) {
        ViewController::Context c = context();
        c.keysTaken = typing;
        controller.handle(InputEvent::key(int(Key::G), down), c, out);
    };
    const Camera before = controller.camera;
    g(true);
    const glm::vec2 from = pixel(1) + glm::vec2(-8, 8), to = from + glm::vec2(-100, 0);
    move(from);
    EXPECT_TRUE(controller.brushAt(context()).has_value()) << "the brush shows where it would touch";
    button(0, true);
    move(to);
    button(0, false);
    const auto touches = controller.takeTouches();
    ASSERT_GE(touches.size(), 9u) << "a press, and no more than 12 pixels from one touch to the next";
    EXPECT_TRUE(touches[0].begins);
    EXPECT_EQ(touches[0].particle, 1);
    EXPECT_EQ(touches[0].topologyRevision, 7u);
    for (std::size_t k = 1; k < touches.size(); ++k) {
        EXPECT_FALSE(touches[k].begins);
        EXPECT_LT(touches[k].place.x(), touches[k - 1].place.x());
        EXPECT_NEAR(touches[k].place.z(), 0, 1e-4) << "on the cloth";
    }
    EXPECT_TRUE(controller.takeTouches().empty()) << "each is taken once";
    move(from);
    EXPECT_TRUE(controller.takeTouches().empty()) << "no button is held";
    EXPECT_TRUE(out.empty());
    EXPECT_TRUE(controller.camera == before);
    g(false);
    EXPECT_FALSE(controller.brushAt(context()).has_value());
    g(true, true);
    button(0, true);
    ASSERT_EQ(out.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<GrabParticle>(out[0])) << "a g that is typed is no brush";
}

TEST_F(ControllerTest, WhatAPanelHasTakenMovesNothing) {
    const Camera start = controller.camera;
    move(pixel(1), true);
    button(0, true, true);
    move(pixel(1) + glm::vec2(90, 90), true);
    controller.handle(InputEvent::wheel(0, 3), context(true), out);
    button(0, false, true);
    EXPECT_TRUE(out.empty());
    EXPECT_TRUE(controller.camera == start);
}

}  // namespace
}  // namespace clothlab::app::window
