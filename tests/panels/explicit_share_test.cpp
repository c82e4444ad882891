#include "integrators/kind.hpp"
#include "panel_fixture.hpp"

namespace clothlab::app::panels {
namespace {

// A schedule may take steps of a thirtieth of the time step set: the share of explicit springs and their stability
// limit are those of the step taken.
TEST_F(PanelTest, TheLimitAndTheShareOfExplicitSpringsAreThoseOfTheStepShown) {
    integrators::IntegratorSettings& made = snapshot.settings.integrator;
    made.kind = integrators::IntegratorKind::AdaptiveImex;
    made.dt = 0.01;
    made.dtSchedule = integrators::DtSchedule::Sine;
    model.settings = snapshot.settings;
    snapshot.explicitLimit = 1.17e-3;
    const auto words = [&] {
        frames(2);
        return ui->layout().wordsAt("integrator/explicit");
    };
    EXPECT_EQ(words(), "") << "each step chooses its split, and there is none yet";
    snapshot.report.methods.integrator = made.kind;
    snapshot.report.dt = 3.01e-4;
    snapshot.report.explicitLimit = 1.17e-3;
    snapshot.report.explicitSprings = 630;
    EXPECT_EQ(words(), "630 of 630 springs explicit");
    snapshot.report.dt = 2e-3;
    EXPECT_EQ(words(), "630 of 630 springs explicit · beyond the limit at 2 ms");
    made.kind = integrators::IntegratorKind::ImexEuler;
    made.dtSchedule = integrators::DtSchedule::Fixed;
    model.settings = snapshot.settings;
    EXPECT_EQ(words(), "beyond the limit at 10 ms") << "the limit of IMEX Euler, before its first step";
}

}  // namespace
}  // namespace clothlab::app::panels
