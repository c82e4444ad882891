#include "window/view_controller.hpp"

#include <gtest/gtest.h>

namespace clothlab::app::window {

using render::Camera;
using simulation::edits::Ball;
using simulation::edits::Cut;
using widgets::Key;
using worker::Command;
using worker::GrabParticle;
using worker::MeshTopology;
using worker::PinParticle;
using worker::ReleaseGrab;
using worker::Snapshot;

namespace {

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
        return *controller.camera.toPixel({p[0], p[1], p[2]}, context().viewport);
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
    const glm::vec2 back = *controller.camera.toPixel(point, context().viewport);
    EXPECT_NEAR(glm::distance(back, wanted), 0, 0.1);
    EXPECT_TRUE(controller.camera == before);
    button(0, false);
    EXPECT_TRUE(std::holds_alternative<ReleaseGrab>(out.back()));
    EXPECT_FALSE(controller.pointerTarget(context()).has_value());
}

TEST_F(ControllerTest, LeftOnASolidCarriesItUnlessClothIsInFrontOrItIsAPlane) {
    auto mesh = std::make_shared<MeshTopology>(*snapshot.mesh);
    mesh->colliders = {{.name = "floor", .shape = geometry::Plane{}},
                       {.name = "ball", .shape = geometry::Sphere{0.2}},
                       {.name = "behind", .shape = geometry::Sphere{0.2}}};
    snapshot.mesh = mesh;
    for (const Vec3& place : {Vec3(0, -1, 0), Vec3(0.9, 0, 0.4), Vec3(0.2, 0.2, -0.5)})
        snapshot.colliderPoses.push_back({place, Eigen::Quaterniond::Identity(), Vec3::Zero(), Vec3::Zero()});
    const auto at = [&](const Vec3& place) {
        return *controller.camera.toPixel({place.x(), place.y(), place.z()}, context().viewport);
    };
    move(at({0.9, 0, 0.4}));
    button(0, true);
    ASSERT_EQ(out.size(), 1u);
    const auto grab = std::get<worker::GrabCollider>(out[0]);
    EXPECT_EQ(grab.collider, 1);
    EXPECT_EQ(grab.topologyRevision, 7u);
    EXPECT_NEAR((Vec3(grab.at[0], grab.at[1], grab.at[2]) - Vec3(0.9, 0, 0.4)).norm(), 0.2, 1e-3) << "on its surface";
    const Camera before = controller.camera;
    const glm::vec2 wanted = at({0.9, 0, 0.4}) + glm::vec2(50, 30);
    move(wanted);
    const auto target = controller.pointerTarget(context());
    ASSERT_TRUE(target.has_value());
    EXPECT_EQ(target->serial, grab.serial);
    const glm::vec3 point(target->position[0], target->position[1], target->position[2]);
    EXPECT_NEAR(glm::distance(*controller.camera.toPixel(point, context().viewport), wanted), 0, 0.1);
    EXPECT_TRUE(controller.camera == before);
    button(0, false);
    EXPECT_TRUE(std::holds_alternative<ReleaseGrab>(out.back()));

    out.clear();
    move(at({0.2, 0.2, -0.5}));
    button(0, true);
    button(0, false);
    EXPECT_TRUE(std::holds_alternative<GrabParticle>(out[0])) << "the cloth is in front";
    out.clear();
    move(at({1.2, -1, 0}));
    button(0, true);
    EXPECT_TRUE(out.empty()) << "the floor stays: the view turns";
    button(0, false);
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

TEST_F(ControllerTest, ANearMissTakesTheNearestParticleAndAFarOneTurnsTheView) {
    const auto press = [&](glm::vec2 at, float reach) {
        out.clear();
        ViewController::Context c = context();
        c.reach = reach;
        controller.handle(InputEvent::move(at.x, at.y), c, out);
        controller.handle(InputEvent::button(0, true), c, out);
        controller.handle(InputEvent::button(0, false), c, out);
        return out.empty() ? -1 : std::get<GrabParticle>(out[0]).particle;
    };
    const glm::vec2 beside = pixel(3) + glm::vec2(20, 20);
    EXPECT_EQ(press(beside, 44), 3);
    EXPECT_EQ(press(beside, 16), -1);
    EXPECT_EQ(press(beside + glm::vec2(30, 0), 44), -1);
    auto torn = std::make_shared<MeshTopology>(*snapshot.mesh);
    torn->triangles = {{0, 1, 2}};
    snapshot.mesh = torn;
    EXPECT_EQ(press(beside, 44), -1) << "a particle that is torn off is not visible";
}

TEST_F(ControllerTest, TheToolForPinsPinsByAClickAndTurnsTheViewBesideTheCloth) {
    ViewController::Context c = context();
    c.pins = true;
    const auto press = [&](glm::vec2 at) {
        controller.handle(InputEvent::move(at.x, at.y), c, out);
        controller.handle(InputEvent::button(0, true), c, out);
        controller.handle(InputEvent::move(at.x + 40, at.y), c, out);
        controller.handle(InputEvent::button(0, false), c, out);
    };
    const Camera before = controller.camera;
    press(pixel(2) + glm::vec2(6, -6));
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(std::get<PinParticle>(out[0]).pin.particle, 2);
    EXPECT_TRUE(std::get<PinParticle>(out[0]).toggles);
    EXPECT_TRUE(controller.camera == before);
    press({120, 580});
    EXPECT_EQ(out.size(), 1u);
    EXPECT_FALSE(controller.camera == before);
}

TEST_F(ControllerTest, TheEyeStaysAboveALevelPlane) {
    auto mesh = std::make_shared<MeshTopology>(*snapshot.mesh);
    mesh->colliders = {{.name = "floor", .shape = geometry::Plane{}}};
    snapshot.mesh = mesh;
    snapshot.colliderPoses = {{Vec3(0, -0.8, 0), Eigen::Quaterniond::Identity(), Vec3::Zero(), Vec3::Zero()}};
    move({120, 580});
    for (const auto& [code, down] : {std::pair{2, -500.0f}, {1, -900.0f}}) {  // turned up from below, then moved down
        button(code, true);
        for (int n = 1; n <= 20; ++n) {
            move({120, 580 + down * float(n) / 20});
            EXPECT_GT(controller.camera.eye().y, -0.8f);
        }
        button(code, false);
        move({120, 580});
    }
    EXPECT_LT(controller.camera.eye().y, -0.7f) << "the eye comes that close to the plane";
    controller.handle(InputEvent::wheel(0, -8), context(), out);
    EXPECT_GT(controller.camera.eye().y, -0.8f);
}

// At five frames per second the cloth moves by centimetres between two positions of the pointer.
TEST_F(ControllerTest, ACutThroughMovingClothBeginsWhereTheLastOneEnded) {
    ViewController::Context c = context();
    c.scissors = true;
    const auto at = [&](glm::vec2 to) { controller.handle(InputEvent::move(to.x, to.y), c, out); };
    const glm::vec2 middle = 0.5f * (pixel(0) + pixel(3));
    at(middle + glm::vec2(-100, 0));
    controller.handle(InputEvent::button(0, true), c, out);
    at(middle);
    ASSERT_EQ(out.size(), 1u) << "while the cloth is at rest, one cut per move";
    for (std::size_t i = 1; i < snapshot.positions.size(); i += 3) snapshot.positions[i] -= 0.1f;  // it falls
    at(middle + glm::vec2(100, 60));
    controller.handle(InputEvent::button(0, false), c, out);
    ASSERT_GE(out.size(), 2u);
    // The end of the first cut is 0.1 m lower now: the second cut must separate the cloth left and right of it.
    const auto parts = [&](const Vec3& a, const Vec3& b) {
        return std::ranges::any_of(out, [&, first = &out.front()](const Command& command) {
            return &command != first && cloth::cuts(worker::editIn<Cut>(command)->blade, a, b);
        });
    };
    EXPECT_TRUE(parts({-0.01, -0.11, 0}, {0.01, -0.11, 0}) || parts({0.002, -0.09, 0}, {0.002, -0.12, 0}));
    EXPECT_FALSE(parts({0, 0.01, 0}, {0, -0.05, 0})) << "not at the pointer's former place: other cloth is there now";
}

TEST_F(ControllerTest, CtrlClickPinsAndNeverGrabs) {
    move(pixel(2) + glm::vec2(6, -6));
    button(0, true, false, true);
    button(0, false);
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(std::get<PinParticle>(out[0]).pin.particle, 2);
    EXPECT_EQ(std::get<PinParticle>(out[0]).topologyRevision, 7u);
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
        button(code == 0 ? 2 : 0, false);  // releasing another button ends nothing
        const Camera turned = controller.camera;
        move(pixel(1) + glm::vec2(80, -30));
        EXPECT_NE(controller.camera.azimuth, turned.azimuth) << code;
        button(code, false);
        const Camera released = controller.camera;
        move({400, 300});
        EXPECT_TRUE(controller.camera == released) << code;
    }
    EXPECT_TRUE(out.empty()) << "nothing was grabbed";
}

TEST_F(ControllerTest, ABallIsThrownAtWhatIsUnderThePointerAndPlaysOn) {
    ViewController::Context c = context();
    c.throws = true;
    snapshot.settings.gravity = {0, -9.81, 0};
    const glm::vec2 there = pixel(1) + glm::vec2(-8, 8);
    controller.handle(InputEvent::move(there.x, there.y), c, out);
    controller.handle(InputEvent::button(0, true), c, out);
    controller.handle(InputEvent::button(0, false), c, out);
    ASSERT_EQ(out.size(), 2u);
    ASSERT_TRUE(worker::editIn<Ball>(out[0]));
    const auto& ball = *worker::editIn<Ball>(out[0]);
    EXPECT_TRUE(std::holds_alternative<worker::Play>(out[1])) << "the motion was paused";
    EXPECT_EQ(std::get<worker::Apply>(out[0]).topologyRevision, 7u);
    // The ball passes through the point under the pointer on a path bent by gravity.
    double nearest = 1e9;
    for (double t = 0; t < 1; t += 1e-3) {
        const Vec3 at = ball.from + t * ball.ball.velocity + t * t / 2 * snapshot.settings.gravity;
        if (at.z() > 1e-3 || at.z() < -1e-1) continue;
        const auto p = controller.camera.toPixel({float(at.x()), float(at.y()), float(at.z())}, c.viewport);
        nearest = std::min(nearest, double(glm::distance(*p, there)));
    }
    EXPECT_LT(nearest, 3);
    out.clear();
    snapshot.playing = true;
    controller.handle(InputEvent::button(0, true), c, out);
    EXPECT_EQ(out.size(), 1u);
    EXPECT_TRUE(worker::editIn<Ball>(out[0])) << "the cloth is not grabbed";
}

TEST_F(ControllerTest, WithScissorsALeftDragCutsWithoutAKeyAndTheOtherDragsStay) {
    ViewController::Context c = context();
    c.scissors = true;
    const auto at = [&](glm::vec2 to) { controller.handle(InputEvent::move(to.x, to.y), c, out); };
    const auto press = [&](int code, bool down) { controller.handle(InputEvent::button(code, down), c, out); };
    at(pixel(1) + glm::vec2(-8, 8));
    press(0, true);
    at(pixel(2));
    ASSERT_EQ(out.size(), 1u);
    EXPECT_TRUE(worker::editIn<Cut>(out[0]));
    EXPECT_EQ(controller.stroke().size(), 2u);
    press(0, false);
    const Camera before = controller.camera;
    press(2, true);
    at(pixel(1));
    press(2, false);
    EXPECT_FALSE(controller.camera == before) << "the middle button turns the view";
    EXPECT_EQ(out.size(), 1u);
    InputEvent shift = InputEvent::button(0, true);
    shift.shift = true;
    controller.handle(shift, c, out);
    at(pixel(2));
    EXPECT_EQ(out.size(), 1u) << "and so does Shift";
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
    ASSERT_TRUE(worker::editIn<Cut>(out[0]));
    const auto& cut = *worker::editIn<Cut>(out[0]);
    EXPECT_EQ(std::get<worker::Apply>(out[0]).topologyRevision, 7u);
    EXPECT_TRUE(cloth::cuts(cut.blade, {-0.45, 0.5, 0}, {-0.45, -0.5, 0}));
    EXPECT_FALSE(cloth::cuts(cut.blade, {0.5, 0.5, 0}, {0.5, -0.5, 0})) << "the cut ends before that";
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
    EXPECT_TRUE(std::holds_alternative<GrabParticle>(out[1])) << "a typed x cuts nothing";
}

// The touches of a stroke come in order and without gaps, and move neither the cloth nor the view.
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
    ASSERT_GE(touches.size(), 9u) << "one touch for the press, then at most 12 pixels between touches";
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
    EXPECT_TRUE(std::holds_alternative<GrabParticle>(out[0])) << "a typed g paints nothing";
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
