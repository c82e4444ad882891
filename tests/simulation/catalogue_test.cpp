#include "solvers/catalogue.hpp"

#include "own_catalogue.hpp"
#include "scenes.hpp"
#include "solvers/kind.hpp"

namespace clothlab::simulation {
namespace {

using solvers::SolverKind;

/// The Cholesky solver, which counts its solves.
class Counted final : public solvers::Solver {
public:
    explicit Counted(int& solves) : solves_(solves), inner_(solvers::makeSolver({.kind = SolverKind::Cholesky}, {})) {}

private:
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, solvers::SolveSummary& summary,
             const solvers::SolveControl& control, WorkerPool& pool) override {
        ++solves_;
        inner_->solve(system, deltaV, summary, control, pool);
    }

    int& solves_;
    std::unique_ptr<solvers::Solver> inner_;
};

// A method that the library does not bring along has a name in files and moves a cloth as any other does.
TEST(SolverCatalogue, AMethodFromElsewhereMovesACloth) {
    constexpr auto kOwn = SolverKind(100);
    int solves = 0;
    const testing::OwnCatalogue catalogue(
        {.kind = kOwn, .key = "own", .label = "Own", .help = "", .make = [&solves](const solvers::Method&) {
             return std::make_unique<Counted>(solves);
         }});
    auto scene = scene::findScene("hang", CLOTHLAB_SOURCE_DIR "/assets");
    ASSERT_TRUE(scene);
    ASSERT_TRUE(scene::applyOverride(*scene, "cloth.rows=9"));
    ASSERT_TRUE(scene::applyOverride(*scene, "cloth.columns=9"));
    ASSERT_TRUE(scene::applyOverride(*scene, "integrator.kind=linearized-backward-euler"));
    ASSERT_TRUE(scene::applyOverride(*scene, "solver.kind=own")) << "files know its name";
    auto created = Simulation::create(*scene, 1);
    ASSERT_TRUE(created);
    Simulation& own = **created;
    const auto usual = testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9", "solver.kind=cholesky",
                                                  "integrator.kind=linearized-backward-euler"});
    EXPECT_EQ(own.refusal(), "");
    for (int k = 0; k < 5; ++k) {
        own.step();
        usual->step();
    }
    EXPECT_EQ(solves, 5);
    EXPECT_EQ(integrators::stateHash(own.state()), integrators::stateHash(usual->state()));
}

}  // namespace
}  // namespace clothlab::simulation
