#include "scenes.hpp"
#include "simulation/state_file.hpp"

// Contacts change the pattern of these matrices at nearly every step, by rows (`ye-clump` piles up on the floor) or by
// blocks (`drop`: particles push each other apart). Keeping symbolic work must not change the result.
namespace clothlab::simulation {
namespace {

using testing::simulate;

struct Changing {
    const char* scene;
    std::vector<const char*> overrides;
    int before, after;  ///< steps
};
const Changing kChanging[] = {
    {"ye-clump", {"cloth.rows=31", "cloth.columns=31"}, 60, 12},
    {"ye-clump", {"cloth.rows=31", "cloth.columns=31", "preconditioner.ordering=metis"}, 60, 12},
    {"ye-clump", {"cloth.rows=31", "cloth.columns=31", "preconditioner.kind=lagged-cholesky"}, 60, 12},
    {"ye-clump", {"cloth.rows=31", "cloth.columns=31", "solver.kind=cholesky", "solver.form=reduced"}, 60, 12},
    {"ye-clump", {"cloth.rows=31", "cloth.columns=31", "preconditioner.kind=incomplete-cholesky"}, 60, 12},
    {"drop", {"cloth.rows=21", "cloth.columns=21", "preconditioner.kind=matrix-core"}, 40, 12},
    {"drop", {"cloth.rows=21", "cloth.columns=21", "solver.kind=cholesky"}, 40, 12},
};

/// Takes steps and counts those whose matrix has another pattern than that of the step before.
int run(Simulation& simulation, int steps) {
    int analyzed = 0;
    for (int n = 0; n < steps; ++n) {
        simulation.step();
        analyzed += simulation.lastReport().analyzeMs > 0;
    }
    return analyzed;
}

TEST(KeptOrder, AMotionWhosePatternChangesGoesOnFromAnyOfItsStates) {
    for (const Changing& c : kChanging) {
        if (testing::kSanitized && &c != &kChanging[0]) continue;
        const std::string name = fmt::format("{} {}", c.scene, c.overrides.back());
        const auto simulation = simulate(c.scene, c.overrides);
        run(*simulation, c.before);
        const auto saved = readStateBytes(stateBytes(*simulation), "it.clothstate");
        ASSERT_TRUE(saved) << saved.error().text();
        EXPECT_GE(run(*simulation, c.after), c.after / 2) << name;
        const std::uint64_t straight = integrators::stateHash(simulation->state());

        for (int n = 0; n < c.after; ++n) ASSERT_TRUE(simulation->stepBack());
        run(*simulation, c.after);
        const bool lagged = name.ends_with("lagged-cholesky");  // a jump in time drops its factor
        if (!lagged) {
            EXPECT_EQ(integrators::stateHash(simulation->state()), straight) << name;
        }
        const auto other = resume(*saved, 2);
        ASSERT_TRUE(other) << other.error().text();
        run(**other, c.after);
        EXPECT_EQ(integrators::stateHash((*other)->state()),
                  lagged ? integrators::stateHash(simulation->state()) : straight)
            << name;
    }
}

}  // namespace
}  // namespace clothlab::simulation
