#include "worker/snapshots/self_contact_view.hpp"

#include "simulation/scenes.hpp"
#include "worker/snapshots/publish.hpp"

namespace clothlab::app::worker {
namespace {

using testing::kSheet;

Snapshot shown(const simulation::Simulation& simulation, const OverlayRequest& request) {
    Snapshot snapshot;
    fillSnapshot(simulation, request, snapshot);
    return snapshot;
}

TEST(SelfContactView, KindsOfTheLastStepAreThereWhenAskedForAndNotAfterAJump) {
    const auto simulation = testing::threeSheets();
    EXPECT_TRUE(shown(*simulation, {.selfContact = true}).selfContact.kinds.empty()) << "the start has no last step";
    simulation->step();
    const SelfContactView view = shown(*simulation, {.selfContact = true}).selfContact;
    EXPECT_EQ(Index(view.kinds.size()), 3 * kSheet);
    EXPECT_FALSE(view.nears.empty());
    EXPECT_TRUE(shown(*simulation, {}).selfContact.kinds.empty()) << "not requested";
    ASSERT_TRUE(simulation->seek(0));
    const Snapshot before = shown(*simulation, {.selfContact = true});
    EXPECT_TRUE(before.selfContact.kinds.empty() && before.selfContact.nears.empty());
}

TEST(SelfContactView, ZonesAreThoseOfTheState) {
    const auto simulation = testing::threeSheets();
    EXPECT_TRUE(shown(*simulation, {.zones = true}).zones.of.empty()) << "no step leads to the start";
    integrators::SimulationState state = simulation->state();
    state.step = 1;
    state.zones.add(std::vector<Index>{3, 4, 90, 91});
    state.zones.add(std::vector<Index>{10, 11, 100, 101, 102});
    simulation->setState(state);
    const ComponentView zones = shown(*simulation, {.zones = true}).zones;
    ASSERT_EQ(Index(zones.of.size()), 3 * kSheet);
    EXPECT_EQ(zones.of[90], 1);
    EXPECT_EQ(zones.of[102], 2);
    EXPECT_EQ(zones.of[5], 0);
    EXPECT_EQ(zones.size, (std::vector<Index>{4, 5}));
    EXPECT_EQ(zones.tone.size(), 2u);
    EXPECT_TRUE(shown(*simulation, {}).zones.of.empty());
}

TEST(SelfContactView, IntersectionsOfTheStateShown) {
    const auto simulation = testing::threeSheets();
    const OverlayRequest asked{.intersections = true};
    EXPECT_FALSE(shown(*simulation, {}).intersections.searched);
    EXPECT_TRUE(shown(*simulation, asked).intersections.searched);
    EXPECT_TRUE(shown(*simulation, asked).intersections.pairs.empty());
    integrators::SimulationState state = simulation->state();
    for (Index i = kSheet; i < 2 * kSheet; ++i) {  // upright, through the first sheet
        const Vec3 p = state.x[i];
        state.x[i] = Vec3(p.x(), p.z() - 0.3, 0.213);
    }
    simulation->setState(state);
    const IntersectionView crossed = shown(*simulation, asked).intersections;
    // Along the line on which they meet each sheet has at least 8 squares of 2 triangles.
    EXPECT_GE(crossed.pairs.size(), 16u);
    const auto sheetOf = [](Index i) { return i / kSheet; };
    for (const auto& [edge, triangle] : crossed.pairs) {
        EXPECT_NE(sheetOf(edge[0]), sheetOf(triangle[0]));
        EXPECT_LT(std::max(sheetOf(edge[0]), sheetOf(triangle[0])), 2);
    }
}

}  // namespace
}  // namespace clothlab::app::worker
