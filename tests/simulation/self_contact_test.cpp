#include <algorithm>

#include "geometry/intersections.hpp"
#include "scenes.hpp"

/// Contact of the cloth with itself in a step, as overlays show it.
namespace clothlab::simulation {
namespace {

using contact::SelfContactKind;
using contact::SelfContactPicture;
using testing::kSheet;

Index countContacts(const SelfContactPicture& picture, SelfContactKind kind, Index sheet) {
    const auto first = picture.kinds.begin() + sheet * kSheet;
    return Index(std::count(first, first + kSheet, std::uint8_t(kind)));
}

TEST(SelfContactPicture, NearLayersAreNearAndNothingIsKnownAfterAJump) {
    const auto simulation = testing::threeSheets();
    SelfContactPicture picture;
    EXPECT_FALSE(simulation->selfContact(picture)) << "the start has no step";
    const StepReport& report = simulation->step();
    ASSERT_TRUE(simulation->selfContact(picture));
    ASSERT_EQ(Index(picture.kinds.size()), 3 * kSheet);
    for (const Index sheet : {0, 1})
        EXPECT_GE(countContacts(picture, SelfContactKind::Near, sheet), 64) << "all but a rim";
    EXPECT_EQ(picture.kinds[40], std::uint8_t(SelfContactKind::Near));
    EXPECT_EQ(countContacts(picture, SelfContactKind::None, 2), kSheet) << "20 cm away";
    EXPECT_EQ(Index(picture.nears.size()), report.selfContact.near);
    for (const auto& [a, b] : picture.nears) {
        EXPECT_LT((a - b).norm(), 0.006);
        EXPECT_GT((a - b).norm(), 0.0025) << "from one sheet to the other";
    }

    simulation->step();
    EXPECT_TRUE(simulation->selfContact(picture));
    ASSERT_TRUE(simulation->stepBack());
    EXPECT_GT(simulation->lastReport().selfContact.near, 0) << "the report is kept, but the picture is not";
    EXPECT_FALSE(simulation->selfContact(picture));
    simulation->step();
    EXPECT_TRUE(simulation->selfContact(picture));

    scene::Settings off = simulation->settings();
    off.contact.selfCollision = contact::SelfCollision::Off;
    simulation->apply(off);
    EXPECT_TRUE(simulation->selfContact(picture)) << "the step shown was taken with it";
    simulation->step();
    EXPECT_FALSE(simulation->selfContact(picture));
}

TEST(SelfContactPicture, AnImpactStopsAndAPinThatIsHeldBackIsRestrained) {
    const auto simulation = testing::threeSheets();
    integrators::SimulationState state = simulation->state();
    for (Index i = 2 * kSheet; i < 3 * kSheet; ++i) state.v[i] = Vec3(0, -45, 0);  // 22 cm in a step
    simulation->setState(state);
    const StepReport& report = simulation->step();
    ASSERT_GT(report.selfContact.impacts, 0) << report.message;
    SelfContactPicture picture;
    ASSERT_TRUE(simulation->selfContact(picture));
    EXPECT_GT(
        countContacts(picture, SelfContactKind::Stopped, 2) + countContacts(picture, SelfContactKind::Restrained, 2),
        10);
    EXPECT_LE(countContacts(picture, SelfContactKind::Restrained, 0) +
                  countContacts(picture, SelfContactKind::Restrained, 1) +
                  countContacts(picture, SelfContactKind::Restrained, 2),
              report.selfContact.bounded + report.selfContact.heldBack + report.selfContact.pinched);

    // A pin drags the middle of the lower sheet up through the other one, which is pinned.
    for (const auto last : {contact::LastResort::Zones, contact::LastResort::Bounds}) {
        simulation->restart();
        scene::Settings settings = simulation->settings();
        settings.contact.lastResort = last;
        simulation->apply(settings);
        for (Index i = kSheet; i < 2 * kSheet; ++i) simulation->setPin(i, integrators::PinHold::point());
        simulation->setPin(40, integrators::PinHold::point(), mechanics::Motion{.velocity = Vec3(0, 20, 0)});
        const StepReport& pinned = simulation->step();
        ASSERT_TRUE(simulation->selfContact(picture));
        ASSERT_GT(pinned.selfContact.heldBack + pinned.selfContact.bounded, 0);
        EXPECT_EQ(picture.kinds[40], std::uint8_t(SelfContactKind::Restrained));
        std::vector<Vec3> points;
        for (Index i = 0; i < simulation->state().x.size(); ++i) points.push_back(simulation->state().x[i]);
        EXPECT_TRUE(geometry::findIntersections(points, simulation->model().triangles).empty());
    }
}

}  // namespace
}  // namespace clothlab::simulation
