#pragma once

#include <span>
#include <vector>

#include "contact/contact_solver.hpp"
#include "integrators/integrator.hpp"
#include "linalg/dof_constraints.hpp"
#include "mechanics/prescribed.hpp"

/// From what pins, the pointer and contacts ask for to DOF constraints. Precedence: grab, pin, impact zone, contact.
namespace clothlab::integrators {

/// Pins stand still at their targets; a grabbed particle (by constraint) moves toward the pointer's target at no more
/// than `maxSpeed`. Sorted by precedence, strongest first.
void prescribePinsAndGrab(const SimulationState& state, const GrabSettings& grab, double dt,
                          std::vector<mechanics::Prescribed>& out);

/// Particles that pins or the grab hold, ascending: they take no contact.
std::vector<Index> heldParticles(std::span<const mechanics::Prescribed> prescribed);

/// What contact sees of a step, or of a substep of it, that begins at `time`; ContactInput says what `forceTime` is.
struct ContactTimes {
    double time, dt, forceTime;
};
contact::ContactInput contactInput(const StepContext& context, const SimulationState& state, const ContactTimes& times,
                                   std::span<const Index> held);

/// S and z with z = (target velocity - v) in the removed directions; the strongest request for a particle wins.
void buildConstraints(std::span<const mechanics::Prescribed> prescribed, const linalg::BlockVector& v,
                      linalg::DofConstraints& out);

/// The spring between the grabbed particle and the pointer, when dragging is by spring.
void grabAnchor(const SimulationState& state, const GrabSettings& grab, std::vector<cloth::AnchorSpring>& out);

}  // namespace clothlab::integrators
