#include "simulation/branch.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/distances.hpp"

namespace clothlab::simulation {
namespace {

/// Times of two step lengths never meet to the last bit.
constexpr double kSameTime = 1e-9;

}  // namespace

Expected<std::unique_ptr<Simulation>> Branch::makeCopy(const Simulation& simulation, const scene::Settings& settings,
                                                       int threads) {
    auto made = Simulation::create(simulation.unpaintedScene(), threads);
    if (!made) return fail(made.error());
    if (auto done = (*made)->paint(simulation.painting()); !done) return fail(done.error());
    (*made)->apply(settings);
    (*made)->setState(simulation.state());
    (*made)->setOutsideForces(simulation.outsideForces());
    return made;
}

Expected<std::unique_ptr<Branch>> Branch::start(const Simulation& simulation, const scene::Settings& ghost,
                                                int threads) {
    auto made = makeCopy(simulation, ghost, threads);
    if (!made) return fail(made.error());
    std::unique_ptr<Branch> branch(new Branch());
    branch->ghost_ = std::move(*made);
    branch->startStep_ = simulation.state().step;
    branch->timeBefore_ = simulation.state().time;
    branch->before_ = branch->positions_ = simulation.state().x;
    return branch;
}

/// Pins and the grabs act on both cloths.
void Branch::syncPinsAndGrabs(const Simulation& simulation) {
    ghost_->copyPins(simulation.state());
    ghost_->setGrab(simulation.state().grab);
    ghost_->setColliderGrab(simulation.state().colliderGrab);
}

bool Branch::follow(const Simulation& simulation, const std::stop_token& stop) {
    const double time = simulation.state().time, tolerance = kSameTime * std::max(1.0, time);
    if (time < timeBefore_ - tolerance) return false;
    syncPinsAndGrabs(simulation);
    while (problem_.empty() && ghost_->state().time < time - tolerance && !stop.stop_requested()) {
        before_ = ghost_->state().x;
        timeBefore_ = ghost_->state().time;
        Simulation::StepOptions options;
        options.stop = stop;
        options.hash = false;
        const StepReport& report = ghost_->step(options);
        if (hasFailed(report.status) && !stop.stop_requested())
            problem_ = report.message.empty() ? ghost_->refusal() : report.message;
    }
    place(time);
    if (problem_.empty())
        measure(simulation.state().x);
    else
        largest_ = rms_ = -1;
    return true;
}

void Branch::place(double time) {
    const integrators::SimulationState& now = ghost_->state();
    const double step = now.time - timeBefore_;
    const double share = step > 0 ? std::clamp((time - timeBefore_) / step, 0.0, 1.0) : 1.0;
    // At a step of the ghost's own not a bit is lost to the formula.
    positions_ = now.x;
    if (std::abs(time - now.time) > kSameTime * std::max(1.0, time))
        positions_.flat() = (1 - share) * before_.flat() + share * now.x.flat();
}

void Branch::measure(const linalg::BlockVector& x) {
    const linalg::Distances apart = linalg::distances(x, positions_);
    largest_ = apart.largest;
    rms_ = apart.rms;
}

}  // namespace clothlab::simulation
