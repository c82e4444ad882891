#include <fmt/format.h>

#include "geometry/spatial_hash.hpp"
#include "simulation/scenes.hpp"

/// Every built-in scene runs, on a coarser cloth where its own is large, and does what its `watch` line promises.
namespace clothlab::simulation {
namespace {

using testing::simulate;

/// Takes the steps; every one must be accepted.
void run(Simulation& simulation, int steps) {
    for (int n = 0; n < steps; ++n) {
        const StepReport& report = simulation.step();
        ASSERT_TRUE(report.status == integrators::StepStatus::Ok ||
                    report.status == integrators::StepStatus::Unconverged)
            << report.message;
    }
}

/// The deepest penetration of any solid by any particle, m.
double deepest(const Simulation& simulation) {
    double depth = -1e300;
    for (const contact::Collider& collider : simulation.colliders()) {
        const contact::ColliderPose pose = contact::poseAt(collider, simulation.state().time);
        for (Index i = 0; i < simulation.state().x.size(); ++i) {
            const Vec3 local = pose.orientation.conjugate() * (simulation.state().x[i] - pose.position);
            depth = std::max(depth, -geometry::signedDistance(collider.shape, local).distance);
        }
    }
    return depth;
}

Vec3 position(const Simulation& simulation, int row, int column) {
    const geometry::GridPatch grid{simulation.scene().cloths[0].rows, simulation.scene().cloths[0].columns};
    return simulation.state().x[grid.vertex((row + grid.rows) % grid.rows, (column + grid.columns) % grid.columns)];
}

TEST(Scenes, HangNeverGainsEnergyAndStretchesLittle) {
    const auto simulation = simulate("hang");
    const double start = simulation->lastReport().totalJ();
    double highest = -1e300, peakKinetic = 0, strain = 0;
    for (int n = 0; n < 300; ++n) {
        const StepReport& report = simulation->step();
        ASSERT_EQ(report.status, integrators::StepStatus::Ok) << report.message;
        highest = std::max(highest, report.totalJ());
        peakKinetic = std::max(peakKinetic, report.kineticJ);
        strain = std::max(strain, report.maxStrain);
    }
    EXPECT_LT(highest, start + 1e-3 * peakKinetic);
    EXPECT_LT(strain, 0.08);
    EXPECT_GT(peakKinetic, 0.1);
    EXPECT_LT(position(*simulation, -1, 20).y(), position(*simulation, 0, 0).y() - 0.7);  // it hangs
}

/// A piece that is cut off and a ball land on the floor of the room and stay there.
TEST(Scenes, WhatFallsInARoomLandsOnItsFloor) {
    const auto simulation = simulate(testing::sceneWith("hang", {"cloth.rows=21", "cloth.columns=21"}));
    run(*simulation, 60);
    const double floor = simulation->colliders().front().position.y();
    EXPECT_EQ(simulation->lastReport().contacts, 0) << "the cloth does not reach it";
    // A plane through the middle of the sheet, as the scissors see it from the side.
    ASSERT_GT(simulation->cut({.eye = {0, 0.5, 3}, .from = {-3, 0, -3}, .to = {3, 0, -3}}), 10);
    simulation->throwBall({0.5, 0.6, 1.5}, {.radius = 0.1, .velocity = {0.5, 0, 1}});
    run(*simulation, 200);
    EXPECT_LT(deepest(*simulation), 0.002);
    EXPECT_LT(position(*simulation, -1, 10).y(), floor + 0.05) << "the lower half lies";
    EXPECT_GT(position(*simulation, 0, 0).y(), 0.9) << "the upper half hangs";
    const contact::ColliderPose ball = contact::poseAt(simulation->colliders().back(), simulation->state().time);
    EXPECT_NEAR(ball.position.y(), floor + 0.1, 0.01);
    EXPECT_LT(std::hypot(simulation->state().balls[0].velocity.x(), simulation->state().balls[0].velocity.z()), 1e-3);
}

/// The floor is only for falling pieces: a scene moves with the same bits without it.
TEST(Scenes, TheFloorOfARoomTouchesNoCloth) {
    int rooms = 0;
    for (const std::string& name : scene::builtInScenes(CLOTHLAB_SOURCE_DIR "/assets")) {
        scene::Scene with = testing::sceneWith(name), without = with;
        scene::removeRoomFloor(without);
        if (with.colliders.size() == without.colliders.size()) continue;
        ++rooms;
        for (scene::Scene* scene : {&with, &without})
            for (scene::ClothPatch& cloth : scene->cloths)
                if (!cloth.mesh && cloth.rows > 21) cloth.rows = cloth.columns = 21;
        const auto inRoom = simulate(with), bare = simulate(without);
        for (int n = 0; n < 100; ++n) EXPECT_EQ(inRoom->step().stateHash, bare->step().stateHash) << name << ", " << n;
    }
    EXPECT_GE(rooms, 10);
}

TEST(Scenes, TheCurtainsRingsSlideOnTheirRail) {
    const auto simulation = simulate("curtain", {"cloth.rows=17"});
    const Vec3 first = position(*simulation, 0, 0);
    std::vector<Vec3> rings;
    for (int ring = 4; ring <= 36; ring += 4) rings.push_back(position(*simulation, 0, ring));
    double most = 0;
    for (int n = 0; n < 400; ++n) {
        ASSERT_EQ(simulation->step().status, integrators::StepStatus::Ok);
        for (int ring = 4; ring <= 36; ring += 4) {
            const Vec3 moved = position(*simulation, 0, ring) - rings[ring / 4 - 1];
            ASSERT_LT(std::abs(moved.y()) + std::abs(moved.z()), 1e-12);
            most = std::max(most, std::abs(moved.x()));
        }
    }
    EXPECT_EQ(position(*simulation, 0, 0), first);
    EXPECT_NEAR(position(*simulation, 0, -1).x(), 0.8 * 0.94 - 0.9, 0.05);  // at 4 s the hand has drawn it by 0.9 m
    EXPECT_GT(most, 0.3);
}

TEST(Scenes, PinnedFourSagsBetweenItsCorners) {
    const auto simulation = simulate("pinned-four", {"cloth.rows=31", "cloth.columns=31"});
    const Vec3 corner = position(*simulation, 0, 0);
    run(*simulation, 150);
    EXPECT_EQ(position(*simulation, 0, 0), corner);
    EXPECT_LT(position(*simulation, 15, 15).y(), corner.y() - 0.05);
    EXPECT_LT(position(*simulation, 0, 15).y(), corner.y());
    EXPECT_GT(position(*simulation, 0, 15).y(), position(*simulation, 15, 15).y());
}

TEST(Scenes, DrapeSphereSticksAndStaysOutside) {
    const auto simulation = simulate("drape-sphere", {"cloth.rows=31", "cloth.columns=31"});
    run(*simulation, 300);
    EXPECT_LT(deepest(*simulation), 2e-3);
    EXPECT_GT(simulation->lastReport().contacts, 300);
    EXPECT_GT(simulation->lastReport().ndofCounts[0], 0.5 * simulation->lastReport().contacts);
}

TEST(Scenes, DrapeTableHangsOverTheEdge) {
    const auto simulation = simulate("drape-table");
    const double start = position(*simulation, 20, 20).y();
    run(*simulation, 200);
    EXPECT_LT(deepest(*simulation), 2e-3);
    EXPECT_NEAR(position(*simulation, 20, 20).y(), start, 0.1);
    for (const int row : {0, -1})
        for (const int column : {0, -1})
            EXPECT_LT(position(*simulation, row, column).y(), position(*simulation, 20, 20).y() - 0.2);
}

TEST(Scenes, BallHitPushesTheSheetAside) {
    const auto simulation = simulate("ball-hit", {"cloth.rows=31", "cloth.columns=31"});
    int most = 0;
    double deep = 0;
    for (int n = 0; n < 120; ++n) {
        run(*simulation, 1);
        most = std::max(most, simulation->lastReport().contacts);
        deep = std::max(deep, deepest(*simulation));
    }
    EXPECT_GT(most, 40);
    EXPECT_LT(deep, 0.02);  // 2.5 m/s for 6.67 ms is 17 mm before the first push-out
}

TEST(Scenes, FlagFliesDownwind) {
    const auto simulation = simulate("flag");
    run(*simulation, 200);
    const Vec3 wind = simulation->settings().wind.velocity.normalized();
    const int middle = simulation->scene().cloths[0].rows / 2;
    const Vec3 mast = position(*simulation, middle, 0), free = position(*simulation, middle, -1);
    EXPECT_GT((free - mast).dot(wind), 0.2);
    EXPECT_LT(simulation->lastReport().maxStrain, 0.1);
}

TEST(Scenes, CenterPinFallsAroundItsPin) {
    const auto simulation = simulate("center-pin");
    run(*simulation, 200);
    for (const int row : {0, -1})
        for (const int column : {0, -1})
            EXPECT_LT(position(*simulation, row, column).y(), position(*simulation, 20, 20).y() - 0.3);
}

/// The most components that a step of the run had, and the fewest particles that the largest of one had.
struct Shattering {
    int components = 0;
    Index largest = 1 << 30;
};

Shattering runShattering(Simulation& simulation, int steps) {
    Shattering out;
    for (int n = 0; n < steps; ++n) {
        run(simulation, 1);
        out.components = std::max(out.components, simulation.lastReport().components);
        out.largest = std::min(out.largest, simulation.lastReport().largestComponent);
    }
    return out;
}

TEST(Scenes, DecomposedTableFallsApartWhileItFallsAndWhileItRests) {
    const auto simulation = simulate("decomposed-table");
    EXPECT_GT(runShattering(*simulation, 20).components, 1000);
    const Shattering later = runShattering(*simulation, 280);
    EXPECT_GT(later.components, 40);
    EXPECT_LT(later.largest, 500);
    EXPECT_GT(simulation->lastReport().ndofCounts[0], 400);  // held on the table
    EXPECT_LT(simulation->lastReport().maxStrain, 0.1);
}

TEST(Scenes, DecomposedSphereFallsApartAroundWhatSticks) {
    const auto simulation = simulate("decomposed-sphere");
    run(*simulation, 100);
    const Shattering later = runShattering(*simulation, 200);
    EXPECT_GT(later.components, 80);
    EXPECT_LT(later.largest, 400);
    EXPECT_GT(simulation->lastReport().ndofCounts[0], 500);
    EXPECT_LT(simulation->lastReport().maxStrain, 0.1);
}

// [B] figures 6.5 and 6.6: quarters and the lines between them, then hundreds of pieces.
TEST(Scenes, DecomposedCenterFallsIntoQuartersAndThenIntoPieces) {
    const auto simulation = simulate("decomposed-center");
    run(*simulation, 20);
    const std::vector<solvers::ComponentSolve>& parts = simulation->lastSolve().components;
    ASSERT_EQ(parts.size(), 8u);
    EXPECT_EQ(std::count_if(parts.begin(), parts.end(), [](const auto& part) { return part.rows == 400; }), 4);
    EXPECT_EQ(std::count_if(parts.begin(), parts.end(), [](const auto& part) { return part.rows == 20; }), 4);
    EXPECT_GT(runShattering(*simulation, 280).components, 400);
}

TEST(Scenes, WireframeSpringsChangeSidesWithTheStep) {
    const auto simulation = simulate("boxerman-wireframe");
    const double start = simulation->lastReport().totalJ();
    // At dt_min, the middle of the logarithm and dt the implicit springs are: none, stretch, stretch and shear.
    for (const auto& [steps, isImplicit] : {std::pair{1, 0}, {25, 180}, {25, 342}, {50, 0}}) {
        run(*simulation, steps);
        EXPECT_EQ(simulation->lastReport().implicitSprings, isImplicit);
        EXPECT_LE(simulation->lastReport().totalJ(), start + 1e-9);
    }
}

// The stretch springs of the wide columns are explicit, those of the narrow ones implicit, about half of the length
// each; the sheet swings as it does when all are implicit.
TEST(Scenes, AimexLocalIsExplicitOnTheLeftAndImplicitOnTheRight) {
    const auto simulation = simulate("aimex-local"),
               reference = simulate("aimex-local", {"integrator.kind=linearized-backward-euler"});
    run(*simulation, 120);
    run(*reference, 120);
    const cloth::ClothModel& model = simulation->model();
    std::vector<std::uint8_t> states;
    simulation->springStates(states);
    double lastExplicit = -1e300, firstImplicit = 1e300;  // m, along the columns
    for (std::size_t e = 0; e < states.size(); ++e) {
        const cloth::Spring& s = model.springs[e];
        const bool alongARow = s.family == cloth::SpringFamily::Stretch && s.j - s.i == 1;
        const Index row = s.i / 41;
        if (!alongARow || row == 0 || row == 24) continue;  // particles at the border weigh half
        const double x = (model.rest[s.i].x() + model.rest[s.j].x()) / 2;
        if (states[e] & cloth::kSpringImplicit)
            firstImplicit = std::min(firstImplicit, x);
        else
            lastExplicit = std::max(lastExplicit, x);
    }
    EXPECT_LT(lastExplicit, firstImplicit);
    EXPECT_GT(firstImplicit, -0.3);
    EXPECT_LT(lastExplicit, 0.3);
    double apart = 0, moved = 0;
    for (Index i = 0; i < model.particles(); ++i) {
        apart = std::max(apart, (simulation->state().x[i] - reference->state().x[i]).norm());
        moved = std::max(moved, (simulation->state().x[i] - model.rest[i]).norm());
    }
    EXPECT_GT(moved, 0.05);
    EXPECT_LT(apart, 0.02 * moved);
}

TEST(Scenes, ChenIsPulledAlongTheForceAndStaysSymmetric) {
    const auto simulation = simulate("chen");
    ASSERT_EQ(simulation->scene().pointForces.size(), 1u);
    const Vec3 force = simulation->scene().pointForces[0].force, before = position(*simulation, 2, 2);
    run(*simulation, 20);
    EXPECT_NEAR(force.norm(), 2.0, 1e-12);
    const Vec3 moved = position(*simulation, 2, 2) - before;
    EXPECT_GT(moved.dot(force.normalized()), 0.01);
    EXPECT_LT((moved - force.normalized() * moved.dot(force.normalized())).norm(), 1e-6);
    EXPECT_LT(simulation->lastReport().maxStrain, 0.2);
}

/// Pairs of particles that no spring joins and that are closer than half a spacing, and the closest of them, m.
struct Closeness {
    int pairs = 0;
    double closest = 1e300;
};

Closeness closeness(const Simulation& simulation) {
    const cloth::ClothModel& model = simulation.model();
    const linalg::BlockVector& x = simulation.state().x;
    WorkerPool pool;
    geometry::SpatialHash hash;
    Closeness out;
    auto spring = model.springs.begin();
    for (const auto& pair :
         hash.pairsCloserThan(0.5 * model.patches[0].spacing, {x.data(), 3 * std::size_t(x.size())}, pool)) {
        while (spring != model.springs.end() && std::pair{spring->i, spring->j} < pair) ++spring;
        if (spring != model.springs.end() && std::pair{spring->i, spring->j} == pair) continue;
        ++out.pairs;
        out.closest = std::min(out.closest, (x[pair.second] - x[pair.first]).norm());
    }
    return out;
}

TEST(Scenes, DropCrumplesAndItsLayersStayApart) {
    const auto with = simulate("drop"), without = simulate("drop", {"contact.self_collision=off"});
    int pairsWith = 0, pairsWithout = 0;
    double closestWith = 1e300, closestWithout = 1e300;
    for (int n = 0; n < 300; ++n) {
        for (Simulation* simulation : {with.get(), without.get()}) {
            run(*simulation, 1);
            const Closeness now = closeness(*simulation);
            (simulation == with.get() ? pairsWith : pairsWithout) += now.pairs;
            double& closest = simulation == with.get() ? closestWith : closestWithout;
            closest = std::min(closest, now.closest);
        }
    }
    // Layers that nothing keeps apart fall through each other. The numbers are those of docs/methods/contact.md:
    // --gtest_output=json:FILE writes them.
    const double spacing = with->model().patches[0].spacing;
    RecordProperty("pairs_with", pairsWith);
    RecordProperty("pairs_without", pairsWithout);
    RecordProperty("closest_with_mm", fmt::format("{:.1f}", 1e3 * closestWith));
    RecordProperty("closest_without_mm", fmt::format("{:.1f}", 1e3 * closestWithout));
    EXPECT_LT(pairsWith, 100);
    EXPECT_GT(pairsWithout, 10000);
    EXPECT_GT(closestWith, 0.3 * spacing);
    EXPECT_LT(closestWithout, 0.05 * spacing);
    // It lies, in folds, and above the floor.
    EXPECT_LT(deepest(*with), 2e-3);
    EXPECT_GT(with->lastReport().contacts, 300);
    EXPECT_LT(with->lastReport().kineticJ, 1e-3);
    double highest = 0;
    for (Index i = 0; i < with->state().x.size(); ++i) highest = std::max(highest, with->state().x[i].y());
    EXPECT_GT(highest, 0.03);
    EXPECT_LT(highest, 0.4);
}

}  // namespace
}  // namespace clothlab::simulation
