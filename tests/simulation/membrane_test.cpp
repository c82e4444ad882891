#include <algorithm>

#include "integrators/kind.hpp"
#include "integrators/methods/catalogue.hpp"
#include "scenes.hpp"

namespace clothlab::simulation {
namespace {

std::unique_ptr<Simulation> shell(std::vector<const char*> overrides, int threads = 1,
                                  Index inlineRows = WorkerPool::kDefaultInlineRows) {
    for (const char* set : {"cloth.rows=7", "cloth.columns=7", "cloth.noise=0", "material.membrane=triangles"})
        overrides.push_back(set);
    return testing::simulate("hang", overrides, threads, inlineRows);
}

bool takesIt(integrators::IntegratorKind kind) { return integrators::whyNoMembrane(kind).empty(); }

// After some time in short steps, every method has the sheet where Newton's method has it.
TEST(Shell, EveryIntegratorMovesItAlike) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto settings = [](const std::string& kind) {
        return shell({kind.c_str(), "integrator.dt=0.0005", "material.stretch_stiffness=50", "solver.kind=reduced-pcg",
                      "solver.tolerance=1e-10", "wind.drag_coefficient=0", "fast_mass_spring.iterations=40"});
    };
    const auto newton = settings("integrator.kind=newton-backward-euler");
    for (int n = 0; n < 80; ++n) ASSERT_FALSE(integrators::hasFailed(newton->step().status));
    const double way = (newton->state().x.flat() - newton->model().rest.flat()).norm();
    EXPECT_GT(newton->lastReport().maxStrain, 0.001);
    for (const integrators::IntegratorEntry& entry : integrators::catalogue()) {
        const auto simulation = settings("integrator.kind=" + std::string(entry.key));
        for (int n = 0; n < 80; ++n) {
            const StepReport& report = simulation->step();
            if (!takesIt(entry.kind)) {
                EXPECT_TRUE(integrators::hasFailed(report.status));
                EXPECT_NE(report.message.find("material.membrane"), std::string::npos) << report.message;
                break;
            }
            ASSERT_FALSE(integrators::hasFailed(report.status)) << entry.key << ": " << report.message;
        }
        if (!takesIt(entry.kind)) continue;
        EXPECT_LT((simulation->state().x.flat() - newton->state().x.flat()).norm(), 0.03 * way) << entry.key;
    }
}

TEST(Shell, TheSameBitsOnAnyNumberOfThreadsAndOnTheWayBack) {
    for (const char* kind :
         {"integrator.kind=linearized-backward-euler", "integrator.kind=fast-mass-spring", "integrator.kind=vbd"}) {
        const auto one = shell({kind}, 1, 0), four = shell({kind}, 4, 0);
        std::vector<std::uint64_t> hashes{0};
        for (int n = 0; n < 30; ++n) {
            if (n == 15)  // springs again, while it moves
                for (const auto& simulation : {&one, &four}) {
                    scene::Scene changed = (*simulation)->scene();
                    ASSERT_TRUE(scene::applyOverride(changed, "material.membrane=springs"));
                    (*simulation)->apply(changed.settings);
                }
            hashes.push_back(one->step().stateHash);
            EXPECT_EQ(four->step().stateHash, hashes.back()) << kind << n;
        }
        for (int step = 30; step >= 1; --step) {
            ASSERT_TRUE(one->seek(step));
            EXPECT_EQ(integrators::stateHash(one->state()), hashes[step]) << kind << step;
        }
    }
}

// A membrane couples particles even where no spring is implicit: A is not its diagonal.
TEST(Shell, IsSolvedWhereAllSpringsAreExplicit) {
    for (const char* kind : {"integrator.kind=imex-euler", "integrator.kind=adaptive-imex", "integrator.kind=sbdf2"}) {
        const auto iterative = shell({kind, "solver.tolerance=1e-10"}), direct = shell({kind, "solver.kind=cholesky"});
        for (int n = 0; n < 60; ++n) {
            const StepReport& report = iterative->step();
            ASSERT_FALSE(integrators::hasFailed(report.status)) << kind << ": " << report.message;
            EXPECT_GT(report.iterations, 0) << kind;
            EXPECT_FALSE(report.uncoupled) << kind;
            direct->step();
        }
        EXPECT_EQ(iterative->lastReport().explicitSprings + iterative->lastReport().implicitSprings,
                  std::ranges::count(iterative->model().springs, cloth::SpringFamily::Bend, &cloth::Spring::family))
            << "edges of the membrane are neither explicit nor implicit springs";
        EXPECT_LT((iterative->state().x.flat() - direct->state().x.flat()).norm(), 1e-5) << kind;
    }
}

// Without a membrane only springs couple particles: if none is implicit, A is diagonal.
TEST(Springs, AreUncoupledWhereNoneIsImplicit) {
    const auto cloth = testing::simulate("hang", {"integrator.kind=adaptive-imex", "integrator.dt=0.00005"});
    EXPECT_EQ(cloth->step().implicitSprings, 0);
    EXPECT_TRUE(cloth->lastReport().uncoupled);
    EXPECT_FALSE(testing::simulate("hang", {})->step().uncoupled);
}

TEST(Shell, TearsAndItsFactorFollows) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation = shell({"integrator.kind=fast-mass-spring", "material.tear_strain=0.01"});
    StepReport report;
    for (int n = 0; n < 60; ++n) {
        report = simulation->step();
        ASSERT_FALSE(integrators::hasFailed(report.status)) << report.message;
    }
    EXPECT_GT(report.brokenSprings, 0);
}

}  // namespace
}  // namespace clothlab::simulation
