#include <gtest/gtest.h>

#include "simulation/scenes.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/kind.hpp"
#include "support/random_systems.hpp"

// A program with a solver that the library does not bring along.
namespace clothlab::solvers {
namespace {

constexpr auto kOwn = SolverKind(100);
int made = 0, solves = 0;

/// The Cholesky solver, which counts its solves.
class Counted final : public Solver {
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
             const SolveControl& control, WorkerPool& pool) override {
        ++solves;
        inner_->solve(system, deltaV, summary, control, pool);
    }

    std::unique_ptr<Solver> inner_ = makeSolver({.kind = SolverKind::Cholesky}, {});
};

const SolverEntry kEntry{
    .kind = kOwn, .key = "own", .label = "Own", .help = "", .parameters = {"form"}, .make = [](const Method&) {
        ++made;
        return std::make_unique<Counted>();
    }};

/// As `main` would, before anything reads a name.
const bool handedOver = useCatalogue(builtInCatalogue().with(kEntry));

TEST(OwnMethods, ASolverEntersBesideTheOthers) {
    ASSERT_TRUE(handedOver);
    EXPECT_EQ(catalogue().entries().size(), builtInCatalogue().entries().size() + 1);
    EXPECT_EQ(builtInCatalogue().find(kOwn), nullptr);
    EXPECT_EQ(parametersOf({.kind = kOwn}), std::vector<std::string_view>{"form"});
    EXPECT_EQ(enumKey(kOwn), "own");
    EXPECT_FALSE(usesPreconditioner(kOwn));
    const auto system = testing::randomSystem(40, 31, 0.6);
    WorkerPool pool(1);
    linalg::BlockVector dv;
    SolveSummary summary;
    made = 0;
    for (const bool decompose : {false, true}) {
        makeSolver({{.kind = kOwn, .decompose = decompose}, {}})->solve(system.view(), dv, summary, {}, pool);
        EXPECT_EQ(summary.status, SolveStatus::Converged) << summary.message;
    }
    EXPECT_GE(made, 2);
}

TEST(OwnMethods, ASolverReplacesOneOfItsKind) {
    SolverEntry instead = kEntry;
    instead.kind = SolverKind::Mpcg;
    const Catalogue changed = builtInCatalogue().with(instead);
    EXPECT_EQ(changed.entries().size(), builtInCatalogue().entries().size());
    EXPECT_EQ(changed.of(SolverKind::Mpcg).key, "own");
}

TEST(OwnMethods, TheCatalogueStaysOnceItIsInUse) {
    EXPECT_NE(catalogue().find(kOwn), nullptr);
    EXPECT_FALSE(useCatalogue(builtInCatalogue()));
    EXPECT_NE(catalogue().find(kOwn), nullptr);
}

TEST(OwnMethods, FilesKnowItsNameAndItMovesACloth) {
    std::vector<const char*> withOwn{"cloth.rows=9", "cloth.columns=9", "integrator.kind=linearized-backward-euler"};
    std::vector<const char*> withCholesky = withOwn;
    withOwn.push_back("solver.kind=own");
    withCholesky.push_back("solver.kind=cholesky");
    const auto own = testing::simulate("hang", withOwn), usual = testing::simulate("hang", withCholesky);
    EXPECT_EQ(own->refusal(), "");
    solves = 0;
    for (int k = 0; k < 5; ++k) own->step(), usual->step();
    EXPECT_EQ(solves, 5);
    EXPECT_EQ(integrators::stateHash(own->state()), integrators::stateHash(usual->state()));
}

}  // namespace
}  // namespace clothlab::solvers
