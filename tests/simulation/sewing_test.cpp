#include <fstream>

#include "cloth/sewing.hpp"
#include "geometry/intersections.hpp"
#include "integrators/kind.hpp"
#include "scenes.hpp"
#include "scratch_folder.hpp"
#include "simulation/state_file.hpp"

/// Panels that are sewn together in a motion.
namespace clothlab::simulation {
namespace {

constexpr int kSide = 6;
constexpr double kSpacing = 0.05, kApart = 0.12;

/// Two square panels face each other. Three of their sides are sewn: a bag.
std::string bag() {
    std::string text;
    for (const double x : {0.0, kApart})
        for (int r = 0; r < kSide; ++r)
            for (int c = 0; c < kSide; ++c) text += fmt::format("v {} {} {}\n", x, kSpacing * r, kSpacing * c);
    const auto number = [](int panel, int r, int c) { return 1 + (panel * kSide + r) * kSide + c; };
    for (const int panel : {0, 1})
        for (int r = 0; r + 1 < kSide; ++r)
            for (int c = 0; c + 1 < kSide; ++c) {
                const int a = number(panel, r, c), b = number(panel, r, c + 1), d = number(panel, r + 1, c), e = d + 1;
                text += panel == 0 ? fmt::format("f {} {} {} {}\n", a, b, e, d)
                                   : fmt::format("f {} {} {} {}\n", a, d, e, b);
            }
    for (int r = 0; r < kSide; ++r)
        for (int c = 0; c < kSide; ++c)
            if (r == 0 || c == 0 || c == kSide - 1) text += fmt::format("l {} {}\n", number(0, r, c), number(1, r, c));
    return text;
}
constexpr Index kThreads = 3 * kSide - 2;

struct SewnBag : ::testing::Test {
    tests::ScratchFolder folder;

    void SetUp() override { std::ofstream(folder.file("bag.obj")) << bag(); }
    scene::Scene scene(const std::string& keys = "", const std::string& more = "") const {
        const std::string text =
            "gravity = [0, 0, 0]\n[integrator]\ndt = 0.005\n[solver]\ntolerance = 1e-10\n[material]\n"
            "stretch_stiffness = 100\nstretch_damping = 0.02\ndensity = 0.2\n" +
            more + "[cloth]\nmesh = \"bag.obj\"\nsew = true\nsew_time = 0.3\n" + keys;
        auto read = scene::readSceneText(text, folder.file("bag.toml"));
        EXPECT_TRUE(read) << (read ? "" : read.error().text());
        return std::move(*read);
    }
    static Vec3 computeMomentum(const Simulation& simulation) {
        Vec3 sum = Vec3::Zero();
        for (Index i = 0; i < simulation.state().v.size(); ++i)
            sum += simulation.model().mass[i] * simulation.state().v[i];
        return sum;
    }
};

TEST_F(SewnBag, EveryMethodClosesIt) {
    for (const EnumEntry& entry : enumTable(integrators::IntegratorKind{})) {
        const auto kind = static_cast<integrators::IntegratorKind>(entry.value);
        if (kind == integrators::IntegratorKind::ForwardEuler) continue;
        scene::Scene of = scene();
        of.settings.integrator.kind = kind;
        const auto simulation = testing::simulate(std::move(of));
        EXPECT_EQ(simulation->lastReport().seams.threads, kThreads);
        EXPECT_EQ(simulation->lastReport().seams.open, kThreads);
        EXPECT_NEAR(simulation->lastReport().seams.longest, kApart, 1e-12);
        for (int n = 0; n < (testing::kSanitized ? 3 : 120); ++n) {
            const StepReport& report = simulation->step();
            ASSERT_FALSE(integrators::hasFailed(report.status)) << entry.key << " " << report.message;
        }
        if (testing::kSanitized) continue;
        EXPECT_EQ(simulation->lastReport().seams.open, 0) << entry.key << " " << simulation->lastReport().seams.longest;
        EXPECT_LT(computeMomentum(*simulation).norm(), 1e-9) << entry.key;
    }
}

// Welded particles have one place and one velocity. They keep them while the bag hangs from a pin, whatever else acts
// after the solve.
TEST_F(SewnBag, WeldedSeamsAreOnePlace) {
    for (const double drag : {0.0, 3.0}) {
        const auto simulation = testing::simulate(scene("sew_then = \"weld\"\n"));
        for (int n = 0; n < 80; ++n) simulation->step();
        scene::Settings heavy = simulation->settings();
        heavy.gravity = {0, -9.81, 0};
        heavy.afterSolve.rigidDrag = drag;
        heavy.afterSolve.strainLimit = 0.1;
        simulation->apply(heavy);
        const Index pinned = simulation->model().threads[0].i;
        simulation->setPin(pinned, integrators::PinHold{});
        const Vec3 place = simulation->state().x[pinned];
        for (int n = 0; n < 40; ++n) {
            const StepReport& report = simulation->step();
            EXPECT_LT(report.seams.longest, 1e-15) << n;
            for (const cloth::SewingThread& t : simulation->model().threads)
                EXPECT_LT((simulation->state().v[t.i] - simulation->state().v[t.j]).norm(), 1e-12) << n;
        }
        EXPECT_LT((simulation->state().x[pinned] - place).norm(), 1e-8);
        EXPECT_GT(simulation->lastReport().maxStrain, 1e-4) << "it hangs";
    }
}

// Pins at both ends of a thread win: the seam opens between them, and closes again without them.
TEST_F(SewnBag, PinsPartWhatIsWelded) {
    const auto simulation = testing::simulate(scene("sew_then = \"weld\"\n"));
    for (int n = 0; n < 80; ++n) simulation->step();
    const cloth::SewingThread middle = simulation->model().threads[kThreads / 2];
    const double now = simulation->state().time;
    simulation->setPin(middle.i, integrators::PinHold{}, {.velocity = Vec3(-0.1, 0, 0), .startTime = now});
    simulation->setPin(middle.j, integrators::PinHold{}, {.velocity = Vec3(0.1, 0, 0), .startTime = now});
    const auto apart = [&] { return (simulation->state().x[middle.j] - simulation->state().x[middle.i]).norm(); };
    for (int n = 0; n < 40; ++n) ASSERT_FALSE(integrators::hasFailed(simulation->step().status));
    EXPECT_NEAR(apart(), 40 * 0.005 * 0.2, 1e-6);
    EXPECT_GT(simulation->lastReport().seams.open, 0);
    for (const Index i : {middle.i, middle.j}) simulation->setPin(i, std::nullopt);
    for (int n = 0; n < 80; ++n) simulation->step();
    EXPECT_LT(apart(), 1e-15);
}

// The energy budget must not count the work of threads as an error of the method.
TEST_F(SewnBag, AnEnergyBudgetDoesNotStopIt) {
    const auto simulation = testing::simulate(scene("", "[after_solve]\nenergy_budget = 1\n"));
    for (int n = 0; n < 120; ++n) EXPECT_EQ(simulation->step().energyGivenJ, 0);
    EXPECT_EQ(simulation->lastReport().seams.open, 0);
}

TEST_F(SewnBag, WeldingKeepsMomentum) {
    const auto simulation = testing::simulate(scene("sew_then = \"weld\"\nvelocity = [1, 2, 3]\n"));
    const Vec3 before = computeMomentum(*simulation);
    for (int n = 0; n < 100; ++n) simulation->step();
    EXPECT_EQ(simulation->lastReport().seams.longest, 0);
    EXPECT_LT((computeMomentum(*simulation) - before).norm(), 1e-9);
}

// Contact has to leave out pairs at a seam: its thickness would keep the sides apart.
TEST_F(SewnBag, ContactLeavesSeamsAlone) {
    for (const char* kind : {"robust", "repulsion"}) {
        const auto simulation = testing::simulate(scene("", fmt::format("[contact]\nself_collision = \"{}\"\n", kind)));
        for (int n = 0; n < (testing::kSanitized ? 5 : 160); ++n) {
            const StepReport& report = simulation->step();
            ASSERT_FALSE(integrators::hasFailed(report.status)) << kind << " " << report.message;
        }
        if (testing::kSanitized) continue;
        EXPECT_EQ(simulation->lastReport().seams.open, 0) << kind << " " << simulation->lastReport().seams.longest;
        std::vector<Vec3> points;
        for (Index i = 0; i < simulation->state().x.size(); ++i) points.push_back(simulation->state().x[i]);
        EXPECT_TRUE(
            geometry::findIntersections(points, simulation->model().triangles, cloth::findSeams(simulation->model()))
                .empty())
            << kind;
    }
}

TEST_F(SewnBag, IsSavedAndComesToTheSameBits) {
    const scene::Scene of = scene("sew_then = \"weld\"\n", "[contact]\nself_collision = \"robust\"\n");
    const auto simulation = testing::simulate(of);
    for (int n = 0; n < 30; ++n) simulation->step();
    const std::string bytes = stateBytes(*simulation);
    for (int n = 0; n < 40; ++n) simulation->step();
    const std::uint64_t hash = simulation->lastReport().stateHash;
    const auto saved = readStateBytes(bytes, "bag.state");
    ASSERT_TRUE(saved) << saved.error().text();
    EXPECT_EQ(saved->scene.cloths[0].sewing, of.cloths[0].sewing);
    for (const int threads : {1, 2, 4}) {
        const auto again = resume(*saved, threads);
        ASSERT_TRUE(again) << again.error().text();
        for (int n = 0; n < 40; ++n) (*again)->step();
        EXPECT_EQ((*again)->lastReport().stateHash, hash) << threads;
    }
    std::ofstream(folder.file("bag.obj")) << bag() << "l 8 44\n";
    const auto other = readStateBytes(bytes, "bag.state");
    ASSERT_FALSE(other) << "another seam";
    EXPECT_NE(other.error().message.find("the mesh bag.obj has changed"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::simulation
