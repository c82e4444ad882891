#include "integrators/kind.hpp"
#include "integrators/stages/constraint_stage.hpp"
#include "integrators/traits.hpp"
#include "test_world.hpp"

/// Pins on points, lines and planes, at rest and carried, under every integrator.
namespace clothlab::testing {
namespace {

using integrators::IntegratorKind;
using integrators::PinHold;
using integrators::StepStatus;
using mechanics::Motion;

constexpr double kStep = 2e-3;  // s

/// A hanging sheet of 5 x 5, its first row on pins of the given kind.
struct Held : TestWorld {
    Held(const PinHold& hold, const Motion& motion = {}) {
        material.stretchStiffness = 100;
        material.shearStiffness = 10;
        material.stretchDamping = 0.05;
        grid(5, 5, 0.25);
        environment.gravity = Vec3(0.5, -9.81, 0.3);
        for (Index i = 0; i < 5; ++i) integrators::setPin(state, i, hold, motion);
    }
    /// Largest distance (m) of a pinned particle from the place of its pin, along direction.
    double offAlong(const Vec3& direction) const {
        double most = 0;
        for (const integrators::Pin& pin : state.pins) {
            const Motion* motion = state.pinMotion(pin);
            const Vec3 there = motion ? motion->at(pin.place, state.time) : pin.place;
            most = std::max(most, std::abs(direction.dot(state.x[pin.particle] - there)));
        }
        return most;
    }
};

/// Forward Euler moves with the velocity of the start, so that its pinned particles are a step late.
bool endsInPlace(IntegratorKind kind) { return kind != IntegratorKind::ForwardEuler; }

template <class F>
void forEachIntegrator(F f) {
    for (const EnumEntry& entry : enumTable(IntegratorKind{})) {
        SCOPED_TRACE(entry.key);
        f(IntegratorKind(entry.value));
    }
}

TEST(Pins, HoldALineAndLeaveItFree) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const Vec3 along = Vec3(1, 0.4, 0).normalized();
    forEachIntegrator([&](IntegratorKind kind) {
        Held w(PinHold::line(along));
        const Vec3 start = w.state.x[2];
        for (int n = 0; n < 100; ++n) ASSERT_EQ(w.step(kind, kStep), StepStatus::Ok);
        EXPECT_LT(w.offAlong(Vec3::UnitZ()), 1e-12);
        EXPECT_LT(w.offAlong(along.cross(Vec3::UnitZ())), 1e-12);
        EXPECT_GT((w.state.x[2] - start).norm(), 0.01);  // gravity pulls it along
    });
}

TEST(Pins, HoldAPlaneAndLeaveItFree) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const Vec3 normal = Vec3(0, 1, 0.2).normalized();
    forEachIntegrator([&](IntegratorKind kind) {
        Held w(PinHold::plane(normal));
        for (int n = 0; n < 100; ++n) ASSERT_EQ(w.step(kind, kStep), StepStatus::Ok);
        EXPECT_LT(w.offAlong(normal), 1e-12);
        EXPECT_GT(w.offAlong(Vec3::UnitX()), 1e-3);
    });
}

/// Against a free particle on a frictionless wire: s = 1/2 (g . t) t^2 along it, exactly what a step of constant
/// acceleration gives for the velocity.
TEST(Pins, ABeadOnAWireFallsAlongItAsItsWeightSays) {
    const Vec3 along = Vec3(1, -1, 0).normalized();
    forEachIntegrator([&](IntegratorKind kind) {
        TestWorld w;
        w.oscillator(1.0, 0.0);
        w.material.stretchStiffness = 0;
        w.forces.configure(w.model, {&w.material, 1}, {});
        w.environment.gravity = Vec3(0, -10, 0);
        integrators::setPin(w.state, 1, PinHold::line(along));
        for (int n = 0; n < 50; ++n) ASSERT_EQ(w.step(kind, 0.01), StepStatus::Ok);
        EXPECT_NEAR(w.state.v[1].dot(along), 10 * std::sqrt(0.5) * 0.5, 1e-9);
        EXPECT_LT((w.state.v[1] - w.state.v[1].dot(along) * along).norm(), 1e-12);
    });
}

TEST(Pins, AreCarriedByAVelocityATurnAndKeyframes) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    std::vector<Motion> motions(3);
    motions[0].velocity = Vec3(0.3, 0, 0.1);
    motions[0].startTime = 0.05;
    motions[0].stopTime = 0.15;
    motions[1].angularVelocity = Vec3(0, 2, 0);
    motions[1].center = Vec3(0.5, 1, 0);
    motions[2].keyframes = {{0, Vec3::Zero()}, {0.1, Vec3(0, 0.05, 0)}, {0.15, Vec3(0.02, 0.05, 0)}};
    for (const Motion& motion : motions)
        forEachIntegrator([&](IntegratorKind kind) {
            if (!endsInPlace(kind)) return;
            Held w(PinHold::point(), motion);
            for (int n = 0; n < 100; ++n) {
                ASSERT_EQ(w.step(kind, kStep), StepStatus::Ok);
                for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
                    ASSERT_LT(w.offAlong(axis), 1e-12) << n;
            }
        });
}

TEST(Pins, ForwardEulerIsAStepLate) {
    Motion motion;
    motion.velocity = Vec3(0.3, 0.1, 0);
    Held w(PinHold::point(), motion);
    for (int n = 0; n < 20; ++n) {
        ASSERT_EQ(w.step(IntegratorKind::ForwardEuler, kStep), StepStatus::Ok);
        const Vec3 late = motion.at(w.state.pins[2].place, w.state.time - kStep);
        ASSERT_LT((w.state.x[2] - late).norm(), 1e-12) << n;
    }
}

/// The normal of a plane turns with the motion of the pin.
TEST(Pins, APlaneTurnsWithItsMotion) {
    Motion motion;
    motion.angularVelocity = Vec3(0, 0, 1);
    Held w(PinHold::plane(Vec3::UnitY()), motion);
    for (int n = 0; n < 200; ++n) ASSERT_EQ(w.step(IntegratorKind::LinearizedBackwardEuler, kStep), StepStatus::Ok);
    const double angle = w.state.time;
    for (Index i = 0; i < 5; ++i) {
        const Vec3 place = motion.at(w.state.pins[i].place, w.state.time);
        EXPECT_NEAR(Vec3(-std::sin(angle), std::cos(angle), 0).dot(w.state.x[i] - place), 0, 1e-12);
    }
}

TEST(Pins, MotionRestsBeforeItsStartAndAfterItsEnd) {
    Motion motion;
    motion.velocity = Vec3(1, 0, 0);
    motion.startTime = 1;
    motion.stopTime = 3;
    motion.keyframes = {{2, Vec3(0, 1, 0)}, {4, Vec3(0, 3, 0)}};
    const Vec3 place(5, 6, 7);
    EXPECT_EQ(motion.at(place, 0), Vec3(5, 7, 7));
    EXPECT_EQ(motion.at(place, 2), Vec3(6, 7, 7));
    EXPECT_EQ(motion.at(place, 3), Vec3(7, 8, 7));
    EXPECT_EQ(motion.at(place, 9), Vec3(7, 9, 7));
}

/// The pointer moves a particle only in the directions that its pin leaves free.
TEST(Pins, AGrabbedBeadStaysOnItsWire) {
    Held w(PinHold::line(Vec3::UnitX()));
    const Vec3 start = w.state.x[2];
    w.state.grab = {true, 2, start + Vec3(0.05, 0.4, -0.3)};
    w.grab.maxSpeed = 1000;
    w.grab.maxStretch = 10;
    ASSERT_EQ(w.step(IntegratorKind::LinearizedBackwardEuler, kStep), StepStatus::Ok);
    EXPECT_LT((w.state.x[2] - (start + Vec3(0.05, 0, 0))).norm(), 1e-12);
    // A point pin gives way to the pointer.
    integrators::setPin(w.state, 2, PinHold::point());
    w.state.grab.target = start + Vec3(0.05, 0.2, 0);
    ASSERT_EQ(w.step(IntegratorKind::LinearizedBackwardEuler, kStep), StepStatus::Ok);
    EXPECT_LT((w.state.x[2] - w.state.grab.target).norm(), 1e-12);
}

/// Without a limit the pointer would stretch springs until the step is refused.
TEST(Pins, APointerLengthensSpringsToItsLimitAndNoFurther) {
    Held w(PinHold{}, Motion{});
    const Index grabbed = w.state.x.size() / 2;
    w.state.grab = {.active = true, .particle = grabbed, .target = w.state.x[grabbed] + Vec3(0, 0, 100)};
    w.grab.maxStretch = 2;
    double longest = 0;
    for (int n = 0; n < 200; ++n) {
        ASSERT_FALSE(hasFailed(w.step(IntegratorKind::LinearizedBackwardEuler, kStep)));
        longest = 0;
        for (const cloth::Spring& s : w.model.springs)
            if (s.i == grabbed || s.j == grabbed)
                longest = std::max(longest, (w.state.x[s.i] - w.state.x[s.j]).norm() / s.restLength);
    }
    EXPECT_GT(longest, 1.5) << "it pulls hard";
    EXPECT_LT(longest, 2.2) << "2, plus the neighbours' own motion in the step";
}

/// The targets for methods that solve for positions are where the other methods end.
TEST(Pins, TargetsAreWhereTheParticlesEnd) {
    Motion motion;
    motion.velocity = Vec3(0.3, 0.2, 0);
    Held w(PinHold::line(Vec3::UnitZ()), motion);
    std::vector<mechanics::Prescribed> wanted;
    integrators::prescribePinsAndGrab(w.state, w.model, w.grab, {}, w.state.time, kStep, wanted);
    ASSERT_EQ(wanted.size(), 5u);
    ASSERT_EQ(w.step(IntegratorKind::LinearizedBackwardEuler, kStep), StepStatus::Ok);
    for (const mechanics::Prescribed& p : wanted) {
        EXPECT_EQ(p.ndof, 1);
        EXPECT_LT(std::abs(p.p.dot(w.state.x[p.particle] - p.target)), 1e-14);
        EXPECT_LT(std::abs(p.q.dot(w.state.x[p.particle] - p.target)), 1e-14);
    }
}

TEST(Pins, OneMotionIsKeptOnceAndAsLongAsAPinNamesIt) {
    Motion first, second;
    first.velocity = Vec3(1, 0, 0);
    second.velocity = Vec3(0, 1, 0);
    Held w(PinHold::point(), first);
    EXPECT_EQ(w.state.pinMotions.size(), 1u);
    integrators::setPin(w.state, 7, PinHold::point(), second);
    ASSERT_EQ(w.state.pinMotions.size(), 2u);
    for (Index i = 0; i < 5; ++i) integrators::setPin(w.state, i, std::nullopt);
    ASSERT_EQ(w.state.pinMotions.size(), 1u);
    EXPECT_EQ(w.state.pinMotion(w.state.pins[0])->velocity, second.velocity);
    integrators::setPin(w.state, 7, PinHold::plane(Vec3::UnitX()));
    EXPECT_TRUE(w.state.pinMotions.empty());
}

/// A bead that has slid is held where it is when its pin changes; the same pin again changes nothing.
TEST(Pins, AChangedPinHoldsTheParticleWhereItIs) {
    Held w(PinHold::line(Vec3::UnitX()));
    for (int n = 0; n < 100; ++n) w.step(IntegratorKind::LinearizedBackwardEuler, kStep);
    const Vec3 place = w.state.pins[2].place, slid = w.state.x[2];
    ASSERT_GT((slid - place).norm(), 0.01);
    integrators::setPin(w.state, 2, PinHold::line(Vec3::UnitX()));
    EXPECT_EQ(w.state.pins[2].place, place);
    integrators::setPin(w.state, 2, PinHold::point());
    EXPECT_EQ(w.state.pins[2].place, slid);
    ASSERT_EQ(w.step(IntegratorKind::LinearizedBackwardEuler, kStep), StepStatus::Ok);
    EXPECT_LT((w.state.x[2] - slid).norm(), 1e-14);
}

/// Two pins may have equal motions under two numbers, as a scene may give them: the same pin again changes nothing.
TEST(Pins, EqualMotionsAreOneMotion) {
    Motion motion;
    motion.velocity = Vec3(0.5, 0, 0);
    Held w(PinHold::point(), motion);
    w.state.pinMotions.push_back(motion);
    w.state.pins[3].motion = 1;
    for (int n = 0; n < 10; ++n) w.step(IntegratorKind::LinearizedBackwardEuler, kStep);
    const Vec3 place = w.state.pins[3].place;
    integrators::setPin(w.state, 3, PinHold::point(), motion);
    EXPECT_EQ(w.state.pins[3].place, place);
}

/// The number of a motion in the state is no part of the hash.
TEST(Pins, HashDoesNotDependOnTheNumbersOfMotions) {
    Motion first, second;
    first.velocity = Vec3(1, 0, 0);
    second.velocity = Vec3(0, 1, 0);
    Held w(PinHold::point(), first);
    integrators::setPin(w.state, 7, PinHold::point(), second);
    const std::uint64_t hash = integrators::stateHash(w.state);
    std::swap(w.state.pinMotions[0], w.state.pinMotions[1]);
    for (integrators::Pin& pin : w.state.pins) pin.motion = 1 - pin.motion;
    EXPECT_EQ(integrators::stateHash(w.state), hash);
}

/// Every member of a pin affects later steps, and therefore the hash.
TEST(Pins, HoldAndMotionAreInTheHash) {
    Motion motion, other;
    motion.velocity = Vec3(1, 0, 0);
    other.keyframes = {{0, Vec3(1, 0, 0)}};
    std::vector<std::uint64_t> hashes;
    for (const auto& [hold, moves] : std::vector<std::pair<PinHold, Motion>>{{PinHold::point(), {}},
                                                                             {PinHold::line(Vec3::UnitX()), {}},
                                                                             {PinHold::line(Vec3::UnitY()), {}},
                                                                             {PinHold::plane(Vec3::UnitX()), {}},
                                                                             {PinHold::point(), motion},
                                                                             {PinHold::point(), other}})
        hashes.push_back(integrators::stateHash(Held(hold, moves).state));
    std::ranges::sort(hashes);
    EXPECT_EQ(std::ranges::adjacent_find(hashes), hashes.end());
}

/// Resets the members of one kind and no others.
TEST(State, ForgetsOneKindOfMemory) {
    using integrators::StateRole;
    Held w(PinHold::point());
    for (int n = 0; n < 3; ++n) w.step(IntegratorKind::Bdf2, kStep);
    w.state.grab = {true, 2, Vec3::Zero()};
    w.state.adaptiveDt = 1;
    integrators::SimulationState s = w.state;
    integrators::forget(s, StateRole::Past);
    EXPECT_TRUE(s.xPrevious.empty() && s.vPrevious.empty() && !s.previousValid && s.dtPrevious == 0);
    EXPECT_TRUE(s.x == w.state.x && s.deltaV == w.state.deltaV && s.grab.active && s.adaptiveDt == 1);
    integrators::forget(s, StateRole::Method);
    EXPECT_TRUE(s.deltaV.empty() && s.adaptiveDt == 0 && s.grab.active);
    integrators::forget(s, StateRole::Hand);
    EXPECT_FALSE(s.grab.active);
    EXPECT_EQ(s.pins.size(), 5u);
    EXPECT_EQ(s.step, w.state.step);
}

}  // namespace
}  // namespace clothlab::testing
