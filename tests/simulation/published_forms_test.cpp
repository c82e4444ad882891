#include <gtest/gtest.h>

#include "simulation/scenes.hpp"

namespace clothlab::simulation {
namespace {

// A paper's own form is never the default, and can be chosen: docs/errata.md has the table.
class PublishedForm : public ::testing::TestWithParam<std::vector<const char*>> {};

TEST_P(PublishedForm, CanBeChosenAndSteps) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    std::vector<const char*> overrides{"cloth.rows=9", "cloth.columns=9"};
    overrides.insert(overrides.end(), GetParam().begin(), GetParam().end());
    const auto simulation = testing::simulate("drape-sphere", overrides);
    for (int k = 0; k < 40; ++k) {
        const StepReport& report = simulation->step();
        ASSERT_LT(report.status, integrators::StepStatus::Diverged) << report.message;
    }
    EXPECT_EQ(simulation->state().step, 40);
}

INSTANTIATE_TEST_SUITE_P(
    Papers, PublishedForm,
    ::testing::Values(std::vector{"preconditioner.kind=incomplete-poisson", "preconditioner.variant=published"},
                      std::vector{"preconditioner.kind=incomplete-poisson", "preconditioner.variant=point"},
                      std::vector{"preconditioner.kind=ssor", "preconditioner.variant=published"},
                      std::vector{"solver.stopping=absolute", "solver.tolerance=1e-8"},
                      std::vector{"preconditioner.kind=matrix-core", "preconditioner.variant=published"},
                      std::vector{"solver.kind=combined-lu"},
                      std::vector{"solver.kind=mpcg", "solver.mpcg_variant=original", "solver.stopping=p-norm"},
                      std::vector{"solver.kind=mpcg", "preconditioner.kind=constrained-block",
                                  "preconditioner.variant=published"},
                      std::vector{"solver.kind=mpcg", "solver.stopping=p-norm", "solver.tolerance_rule=step-squared",
                                  "solver.tolerance=0.01"},
                      std::vector{"material.stretch_damping=0.01", "material.damp_gate=elongating"},
                      std::vector{"integrator.kind=adaptive-imex", "integrator.aimex_rule=paper"}));

}  // namespace
}  // namespace clothlab::simulation
