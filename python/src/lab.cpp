#include "lab.hpp"

#include "errors.hpp"
#include "simulation/report_columns.hpp"

namespace clothlab::python {

Lab::Lab(std::unique_ptr<simulation::Simulation> simulation, bool keepSystem)
    : simulation_(std::move(simulation)), keepSystem_(keepSystem) {
    simulation_->limitHistory(0);  // a script keeps its own earlier states
}

simulation::Simulation& Lab::between() {
    if (running_)
        throw Failure("this simulation is in the middle of a step: it can be read and changed between two steps");
    return *simulation_;
}

Lab::Claim::Claim(Lab& lab) : lab_(lab) {
    if (lab.claimed_)
        throw Failure(
            "this simulation is taking steps already: neither a callback nor another thread can let it take more");
    lab.claimed_ = true;
}

bool Lab::stepUnlocked(const std::stop_token& stop, const py::object* onStep) {
    earlier_ = simulation_->sharedSystem();  // before the step, so that the older system can be reused
    const simulation::StepReport& report = simulation_->step({.stop = stop, .keepSystem = keepSystem_, .hash = false});
    const bool failed = hasFailed(report.status);
    if (failed) earlier_.reset();
    for (const simulation::ReportColumn& column : simulation::kReportColumns) rows_.push_back(column.value(report));
    statuses_.push_back(enumKey(report.status));
    if (failed || !onStep) return !failed;
    const py::gil_scoped_acquire locked;
    running_ = false;
    try {
        (*onStep)();
    } catch (...) {
        running_ = true;
        throw;
    }
    running_ = true;
    return true;
}

void Lab::use(const py::object& method) {
    simulation::Simulation& simulation = between();
    if (uses(method)) return;
    scene::Settings settings = simulation.settings();
    solvers::Method active{settings.solver, settings.preconditioner};
    std::unique_ptr<Foreign> entering;
    if (method.is_none()) {
        if (!before_) return;
        active.solver.kind = before_->solver.kind;
        active.preconditioner = before_->preconditioner;
    } else {
        entering = std::make_unique<Foreign>(method);
        if (!before_) before_ = active;
        entering->enter(active);
    }
    settings.solver = active.solver;
    settings.preconditioner = active.preconditioner;
    simulation.apply(settings);
    if (method.is_none()) {
        preconditioner_.reset();
        solver_.reset();
        before_.reset();
    } else {
        (entering->isSolver() ? solver_ : preconditioner_) = std::move(entering);
    }
}

scene::Settings Lab::ownSettings() {
    scene::Settings settings = between().settings();
    const scene::Settings active = settings;
    if (preconditioner_ && preconditioner_->isIn(active.solver, active.preconditioner)) {
        settings.solver.kind = before_->solver.kind;
        settings.preconditioner = before_->preconditioner;
    }
    if (solver_ && solver_->isIn(active.solver, active.preconditioner)) settings.solver.kind = before_->solver.kind;
    return settings;
}

py::tuple Lab::inUse() {
    const scene::Settings& active = between().settings();
    const auto objectOf = [&](const std::unique_ptr<Foreign>& foreign) {
        return foreign && foreign->isIn(active.solver, active.preconditioner) ? foreign->object()
                                                                              : py::object(py::none());
    };
    return py::make_tuple(objectOf(preconditioner_), objectOf(solver_));
}

bool Lab::uses(const py::handle& object) const {
    return (preconditioner_ && preconditioner_->object().is(object)) || (solver_ && solver_->object().is(object));
}

void Lab::take(const simulation::HandOver& hand) {
    (void)between();
    if (!hand.state.empty()) takeState(valueOf(simulation::readStateBytes(hand.state, "the window")));
    if (!hand.hold) return;
    if (const auto held = hand.hold->apply(*simulation_); !held) throw Failure(held.error());
}

void Lab::takeState(const simulation::SavedState& saved) {
    scene::Settings next = saved.scene.settings;
    const scene::Settings own = ownSettings(), active = simulation_->settings();
    if (next.solver.kind == own.solver.kind && next.preconditioner == own.preconditioner) {
        next.solver.kind = active.solver.kind;
        next.preconditioner = active.preconditioner;
    }
    scene::Scene present = simulation_->scene();
    present.settings = saved.scene.settings;
    if (scene::writeScene(present) == scene::writeScene(saved.scene) &&
        simulation::misfit(saved.state, *simulation_).empty()) {
        if (!(next == active)) simulation_->apply(next);
        simulation_->setState(saved.state);
        return;
    }
    auto made = valueOf(simulation::resume(saved, simulation_->threads()));
    if (made->state().x.size() == simulation_->state().x.size()) made->setOutsideForces(simulation_->outsideForces());
    made->apply(next);
    made->limitHistory(0);
    simulation_ = std::move(made);
}

py::object Lab::takeRaised() {
    for (const auto* foreign : {&preconditioner_, &solver_})
        if (*foreign)
            if (py::object raised = (*foreign)->takeRaised(); !raised.is_none()) return raised;
    return py::none();
}

void Lab::step(std::int64_t steps, const py::object& onStep) {
    if (steps < 0) throw Failure("step: the number of steps must not be negative");
    const Claim claim(*this);
    for (std::int64_t k = 0; k < steps; ++k) {
        bool went = false;
        {
            const Running running(*this);
            const py::gil_scoped_release unlocked;
            went = stepUnlocked({});
        }
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (!went) return;
        if (!onStep.is_none()) onStep();
    }
}

}  // namespace clothlab::python
