#include <fmt/format.h>

#include <sstream>

#include "base/input.hpp"
#include "scenes.hpp"
#include "scratch_folder.hpp"
#include "simulation/runner.hpp"
#include "solvers/kind.hpp"

namespace clothlab::simulation {
namespace {

using integrators::StepStatus;
using testing::simulate;

scene::Settings with(const Simulation& simulation, std::initializer_list<const char*> overrides) {
    scene::Scene scene = simulation.scene();
    scene.settings = simulation.settings();
    for (const char* assignment : overrides) EXPECT_TRUE(scene::applyOverride(scene, assignment)) << assignment;
    return scene.settings;
}

// Contact would have to search for pairs along paths of a kilometre, which takes minutes for a larger sheet.
TEST(Guard, LooksBeforeContactDoes) {
    for (const char* text :
         {"[cloth]\nrows = 17\ncolumns = 17\n[contact]\nself_collision = \"robust\"\n"
          "[[pins]]\nrow = 0\ncolumn = 0\nkeyframes = [[0, 0, 0, 0], [0.02, 1000, 0, 0]]\n",
          "[integrator]\nkind = \"symplectic-euler\"\n[contact]\nself_collision = \"robust\"\n[cloth]\nrows = 2\n"
          "columns = 51\norigin = [0, 1, 0]\nlayout = \"knot\"\nside = 0.01\n[cloth.material]\n"
          "stretch_stiffness = 10\n"}) {
        auto scene = scene::readSceneText(text, "it.toml");
        ASSERT_TRUE(scene) << scene.error().text();
        auto simulation = Simulation::create(std::move(*scene), 1);
        ASSERT_TRUE(simulation) << simulation.error().text();
        for (int n = 0; n < 12 && !hasFailed((*simulation)->lastReport().status); ++n) (*simulation)->step();
        EXPECT_EQ((*simulation)->lastReport().status, StepStatus::Diverged);
        EXPECT_EQ((*simulation)->lastReport().selfContact.candidates, 0) << "contact has not searched";
    }
}

// A stop request in the middle of a step drops the step under every method.
TEST(Guard, AStepThatIsStoppedIsDropped) {
    std::stop_source stop;
    stop.request_stop();
    for (const char* kind : {"linearized-backward-euler", "symplectic-euler", "rk4", "newton-backward-euler",
                             "fast-mass-spring", "pbd", "vbd"}) {
        const auto simulation = simulate("hang", {"cloth.rows=7", "cloth.columns=7", "contact.self_collision=robust",
                                                  fmt::format("integrator.kind={}", kind).c_str()});
        simulation->step();
        const std::uint64_t before = integrators::stateHash(simulation->state());
        const StepReport& report = simulation->step({.stop = stop.get_token()});
        EXPECT_EQ(report.status, StepStatus::SolveFailed) << kind;
        EXPECT_EQ(report.solveStatus, solvers::SolveStatus::Cancelled) << kind;
        EXPECT_EQ(integrators::stateHash(simulation->state()), before) << kind;
    }
}

// Unstable explicit springs may stretch a sheet without an infinite value; such steps are not ok.
TEST(Guard, ExplicitSpringsBeyondTheirLimitAreNotOk) {
    const auto simulation = simulate("hang", {"cloth.rows=15", "cloth.columns=15", "integrator.kind=imex-euler",
                                              "integrator.dt=0.02", "material.shear_stiffness=50"});
    ASSERT_GT(0.02, simulation->explicitLimit());
    bool stretched = false;
    for (int n = 0; n < 100; ++n) {
        const StepReport& report = simulation->step();
        if (hasFailed(report.status)) break;
        if (report.maxStrain <= 0.5) continue;
        stretched = true;
        EXPECT_EQ(report.status, StepStatus::Unconverged) << report.step;
        EXPECT_NE(report.message.find("stable up to integrator.dt"), std::string::npos) << report.message;
    }
    EXPECT_TRUE(stretched);
}

TEST(Guard, StopsAtTheLastGoodStateAndGoesOnAfterASwitch) {
    for (const auto* kind :
         {"integrator.kind=forward-euler", "integrator.kind=symplectic-euler", "integrator.kind=rk4"}) {
        const auto simulation = simulate("hang", {"cloth.rows=15", "cloth.columns=15"});
        for (int n = 0; n < 10; ++n) simulation->step();
        simulation->apply(with(*simulation, {kind, "integrator.substeps=1"}));
        StepReport report;
        int n = 0;
        do report = simulation->step();
        while (!hasFailed(report.status) && ++n < 500);
        EXPECT_EQ(report.status, StepStatus::Diverged) << kind;
        EXPECT_NE(report.message.find("hoose"), std::string::npos) << report.message;  // says what to change
        EXPECT_TRUE(simulation->state().x.flat().allFinite());
        const std::int64_t last = simulation->state().step;
        EXPECT_EQ(report.step, last + 1) << "the number of the step that failed, not of the one before";

        simulation->apply(with(*simulation, {"integrator.kind=linearized-backward-euler"}));
        EXPECT_EQ(simulation->step().status, StepStatus::Ok) << kind << " " << simulation->lastReport().message;
        EXPECT_EQ(simulation->state().step, last + 1);
    }
}

TEST(Guard, EachLineOfAReportHasAStepOfItsOwn) {
    const tests::ScratchFolder folder;
    const auto simulation =
        simulate("hang", {"cloth.rows=9", "cloth.columns=9", "integrator.kind=forward-euler", "integrator.substeps=1"});
    const auto summary = run(*simulation, {.steps = 500, .reportFile = folder.file("r.ndjson")});
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->status, StepStatus::Diverged);
    std::istringstream lines(*readFile(folder.file("r.ndjson")));
    std::int64_t step = 0;
    std::string text, last;
    while (std::getline(lines, text)) {
        EXPECT_NE(text.find(fmt::format("\"step\":{},", ++step)), std::string::npos) << text;
        last = text;
    }
    EXPECT_EQ(step, summary->steps + 1);
    EXPECT_NE(last.find("\"diverged\""), std::string::npos) << last;
    EXPECT_NE(last.find(fmt::format("Step {}:", step)), std::string::npos) << last;
}

TEST(Guard, AutomaticSubstepsKeepExplicitIntegratorsStable) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const auto* kind : {"integrator.kind=symplectic-euler", "integrator.kind=rk4"}) {
        const auto simulation = simulate("hang", {"cloth.rows=15", "cloth.columns=15", kind});
        const double start = simulation->lastReport().totalJ();
        for (int n = 0; n < 100; ++n) {
            const StepReport& report = simulation->step();
            ASSERT_EQ(report.status, StepStatus::Ok) << kind << report.message;
            EXPECT_GT(report.substeps, 1);
            EXPECT_LT(report.totalJ(), start + 0.02 * std::abs(start)) << kind;
        }
    }
}

TEST(Guard, ARefusedPairSaysWhyAndTheStateStays) {
    const auto simulation = simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    simulation->step();
    simulation->apply(with(*simulation, {"solver.kind=reduced-pcg", "preconditioner.kind=constrained-block"}));
    EXPECT_NE(simulation->refusal().find("mpcg"), std::string::npos);
    EXPECT_EQ(simulation->step().status, StepStatus::SolveFailed);
    EXPECT_EQ(simulation->state().step, 1);
    simulation->apply(with(*simulation, {"preconditioner.kind=jacobi"}));
    EXPECT_TRUE(simulation->refusal().empty());
    EXPECT_EQ(simulation->step().status, StepStatus::Ok);
}

TEST(Guard, ExplicitLimitIsTheStepOfTheSumTest) {
    const auto simulation = simulate("hang", {"cloth.rows=15", "cloth.columns=15"});
    cloth::ForceModel forces;
    forces.configure(simulation->model(), simulation->materials(), {});
    EXPECT_NEAR(forces.explicitStabilitySum(simulation->explicitLimit()), 2.0, 1e-6);
}

// At step 50 of `hang` the solvers agree, and MPCG and reduced PCG need about the same number of iterations.
TEST(Solvers, AgreeOnHangAtStepFifty) {
    const auto simulation =
        testing::kSanitized ? simulate("hang", {"cloth.rows=15", "cloth.columns=15"}) : simulate("hang");
    for (int n = 0; n < 49; ++n) simulation->step();
    simulation->step({.keepSystem = true});
    const linalg::FrozenSystem& system = *simulation->systemOfLastStep();
    EXPECT_EQ(system.step, 50);
    WorkerPool pool(1);
    const auto solve = [&](solvers::SolverKind kind, preconditioners::PreconditionerKind with, double tolerance) {
        linalg::LinearSystem view = system.view();
        view.previous = nullptr;
        linalg::BlockVector dv;
        solvers::SolveSummary summary;
        solvers::makeSolver({.kind = kind, .tolerance = tolerance, .maxIterations = 5000}, {with})
            ->solve(view, dv, summary, {}, pool);
        EXPECT_EQ(summary.status, solvers::SolveStatus::Converged);
        return std::pair{dv, summary.iterations};
    };
    using preconditioners::PreconditionerKind;
    using solvers::SolverKind;
    const auto direct = solve(SolverKind::Cholesky, enumNamed<PreconditionerKind>("identity"), 1e-3).first;
    for (const auto kind : {SolverKind::Mpcg, SolverKind::ReducedPcg}) {
        const auto dv = solve(kind, enumNamed<PreconditionerKind>("block-jacobi"), 1e-12).first;
        EXPECT_LT((dv.flat() - direct.flat()).norm(), 1e-8 * direct.flat().norm()) << enumKey(kind);
    }
    for (const auto with : {enumNamed<PreconditionerKind>("identity"), enumNamed<PreconditionerKind>("jacobi"),
                            enumNamed<PreconditionerKind>("block-jacobi")})
        for (const double tolerance : {1e-3, 1e-6}) {
            const int mpcg = solve(SolverKind::Mpcg, with, tolerance).second,
                      reduced = solve(SolverKind::ReducedPcg, with, tolerance).second;
            EXPECT_LE(std::abs(mpcg - reduced), std::max(2.0, 0.03 * mpcg))
                << enumKey(with) << " " << mpcg << " " << reduced;
        }
}

}  // namespace
}  // namespace clothlab::simulation
