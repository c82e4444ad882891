#pragma once

#include "bench.hpp"
#include "factorizations.hpp"
#include "integrators/integrator.hpp"
#include "plain_local_global.hpp"

namespace clothlab::bench {

/// An integrator on a sheet, called as by a simulation: from state to state, with all the work of a step.
class SteppedSheet {
public:
    /// The sheet must outlive this object. Integrators without a linear solve need no solver.
    SteppedSheet(const LocalGlobalCase& sheet, const integrators::IntegratorSettings& settings, int threads = 1,
                 std::unique_ptr<solvers::Solver> solver = {})
        : sheet_(sheet),
          dt_(settings.dt),
          pool_(threads),
          integrator_(integrators::makeIntegrator(settings)),
          solver_(std::move(solver)) {
        forces_.configure(sheet.model, std::span(&sheet.material, 1), {});
        state.x = sheet.model.rest;
        state.v.resize(state.x.size());
    }

    integrators::SimulationState state;
    std::vector<contact::Collider> colliders;
    contact::ContactSettings contact;

    /// Steps from `state`, which stays unchanged.
    integrators::StepOutcome step() {
        integrators::StepContext context{.dt = dt_,
                                         .model = sheet_.model,
                                         .forces = forces_,
                                         .environment = {},
                                         .colliders = colliders,
                                         .contact = contact,
                                         .grab = grab_,
                                         .solver = solver_.get(),
                                         .control = {},
                                         .pool = pool_};
        integrators::StepOutcome outcome;
        integrator_->step(state, context, next_, outcome);
        require(outcome.status == integrators::StepStatus::Ok, outcome.message);
        return outcome;
    }
    /// New settings for later steps, with the same integrator and time step.
    void take(const integrators::IntegratorSettings& settings) {
        require(integrator_->take(settings), "an integrator that takes settings");
    }
    /// `state` becomes the result of the last step.
    void advance() { std::swap(state, next_); }

private:
    const LocalGlobalCase& sheet_;
    double dt_;
    WorkerPool pool_;
    cloth::ForceModel forces_;
    integrators::GrabSettings grab_;
    std::unique_ptr<integrators::Integrator> integrator_;
    std::unique_ptr<solvers::Solver> solver_;
    integrators::SimulationState next_;
};

}  // namespace clothlab::bench
