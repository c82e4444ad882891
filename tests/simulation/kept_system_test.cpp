// The system of a step without a copy of its matrix, forces from outside, and a limited history.
#include "integrators/kind.hpp"
#include "simulation/branch.hpp"
#include "simulation/scenes.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::simulation {
namespace {

const std::vector<const char*> kNine{"cloth.rows=9", "cloth.columns=9"};

bool sameBlocks(const linalg::BlockMatrix& A, const linalg::BlockMatrix& B) {
    return A.rows() == B.rows() && A.pattern().blocks() == B.pattern().blocks() &&
           std::equal(A.blockData(0), A.blockData(0) + 9 * std::size_t(A.pattern().blocks()), B.blockData(0));
}

TEST(KeptSystem, DoesNotChangeWhileSomebodyHasIt) {
    const auto simulation = testing::simulate("drape-sphere", kNine);
    std::vector<std::shared_ptr<const linalg::FrozenSystem>> held;
    std::vector<linalg::FrozenSystem> copies;
    for (int k = 1; k <= 8; ++k) {
        simulation->step({.keepSystem = true});
        held.push_back(simulation->sharedSystem());
        copies.push_back(*held.back());
        EXPECT_EQ(held.back()->step, k);
        EXPECT_EQ(simulation->systemOfLastStep(), held.back().get());
    }
    for (std::size_t k = 0; k < held.size(); ++k) {
        EXPECT_TRUE(sameBlocks(held[k]->A, copies[k].A)) << k;
        EXPECT_EQ(held[k]->b, copies[k].b);
        EXPECT_LT(solvers::trueRelativeResidual(held[k]->view(), held[k]->deltaV), 1e-3);
    }
}

TEST(KeptSystem, UsesTheMemoryOfThoseThatAreGone) {
    const auto simulation = testing::simulate("hang", kNine);
    std::vector<const double*> places;
    for (int k = 0; k < 12; ++k) {
        simulation->step({.keepSystem = true});
        places.push_back(simulation->systemOfLastStep()->A.blockData(0));
    }
    std::ranges::sort(places);
    EXPECT_LE(std::unique(places.begin(), places.end()) - places.begin(), 2);
}

TEST(KeptSystem, ChangesNoMotionAndNoPictureOfTheStep) {
    const auto keeps = testing::simulate("drape-sphere", kNine), usualOne = testing::simulate("drape-sphere", kNine);
    for (int k = 0; k < 20; ++k) {
        keeps->step({.keepSystem = k % 3 != 0});
        usualOne->step();
        std::vector<float> kept, usual;
        keeps->residuals(kept);
        usualOne->residuals(usual);
        ASSERT_FALSE(kept.empty());
        ASSERT_EQ(kept, usual) << k;
    }
    EXPECT_EQ(integrators::stateHash(keeps->state()), integrators::stateHash(usualOne->state()));
}

TEST(OutsideForces, ActBesideThoseOfTheSceneUntilTheyAreTakenBack) {
    const auto simulation = testing::simulate("hang", kNine), same = testing::simulate("hang", kNine);
    const std::vector<cloth::PointForce> none, push{{40, Vec3(0, 0, 0.5)}, {-1, Vec3(1, 0, 0)}, {7, Vec3(0, NAN, 0)}};
    simulation->setOutsideForces(push);
    ASSERT_EQ(simulation->outsideForces().size(), 1u);  // invalid forces are left out
    simulation->setOutsideForces(none);
    simulation->step();
    same->step();
    EXPECT_EQ(integrators::stateHash(simulation->state()), integrators::stateHash(same->state()));
    simulation->setOutsideForces(push);
    const auto other = Branch::makeCopy(*simulation, simulation->settings(), 1);
    ASSERT_TRUE(other);
    for (int k = 0; k < 10; ++k) simulation->step(), (*other)->step(), same->step();
    EXPECT_GT(simulation->state().x[40].z() - same->state().x[40].z(), 1e-3);
    EXPECT_EQ(integrators::stateHash(simulation->state()), integrators::stateHash((*other)->state()));
}

TEST(LimitedHistory, HoldsTheLastTwoStates) {
    const auto simulation = testing::simulate("hang", kNine);
    simulation->limitHistory(0);
    for (int k = 0; k < 10; ++k) simulation->step();
    EXPECT_EQ(simulation->history().firstStep(), 9);
    EXPECT_TRUE(simulation->stepBack());
    EXPECT_FALSE(simulation->stepBack());
}

}  // namespace
}  // namespace clothlab::simulation
