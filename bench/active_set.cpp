#include "bench.hpp"
#include "factorizations.hpp"
#include "integrators/integrator.hpp"
#include "integrators/kind.hpp"
#include "plain_local_global.hpp"
#include "preconditioners/kind.hpp"

namespace clothlab::bench {
namespace {

/// A sheet stretched by a hundredth whose rim is pinned: each spring is taut and stays so. The same step of linearized
/// backward Euler over and over, and `activeSet` repeats at most, of which it needs none.
class TautSheet {
public:
    TautSheet(int side, int activeSet) : case_(localGlobalCase(side)) {
        case_.material.tensionOnly = true;
        case_.material.stretchStiffness = 6000;
        forces_.configure(case_.model, std::span(&case_.material, 1), {});
        state_.x = case_.model.rest;
        state_.x.flat() *= 1.01;
        state_.v.resize(state_.x.size());
        for (Index i = 0; i < side * side; ++i) {
            const Index row = i / side, column = i % side;
            if (row % (side - 1) == 0 || column % (side - 1) == 0)
                integrators::setPin(state_, i, integrators::PinHold::point());
        }
        settings_ = {.kind = integrators::IntegratorKind::LinearizedBackwardEuler, .dt = kStep, .activeSet = activeSet};
        integrator_ = integrators::makeIntegrator(settings_);
        solver_ = solvers::makeSolver({}, {.kind = preconditioners::PreconditionerKind::IncompleteCholesky});
    }
    void step() {
        integrators::StepContext context{.dt = kStep,
                                         .model = case_.model,
                                         .forces = forces_,
                                         .environment = {},
                                         .colliders = {},
                                         .contact = contact_,
                                         .grab = grab_,
                                         .solver = solver_.get(),
                                         .control = {},
                                         .pool = pool_};
        integrators::StepOutcome outcome;
        integrator_->step(state_, context, next_, outcome);
        require(outcome.status == integrators::StepStatus::Ok && outcome.outer.empty(), "a step without repeats");
    }

private:
    static constexpr double kStep = 0.001;  // s
    LocalGlobalCase case_;
    WorkerPool pool_;
    cloth::ForceModel forces_;
    contact::ContactSettings contact_;
    integrators::GrabSettings grab_;
    integrators::IntegratorSettings settings_;
    std::unique_ptr<integrators::Integrator> integrator_;
    std::unique_ptr<solvers::Solver> solver_;
    integrators::SimulationState state_, next_;
};

}  // namespace

void activeSetRatios(std::vector<Ratio>& out) {
    TautSheet checks(161, 3), none(161, 0);
    out.push_back(compare(
        "active_set_idle", [&] { checks.step(); }, [&] { none.step(); }, 61));
}

}  // namespace clothlab::bench
