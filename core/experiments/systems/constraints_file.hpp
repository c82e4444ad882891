#pragma once

#include <string>

#include "base/errors.hpp"
#include "linalg/dof_constraints.hpp"

/// constraints.json of a system that is written for other programs, and read back.
namespace clothlab::experiments {

struct SystemOrigin;

/// {"step", "dt_s", "particles", "constraints": [{"particle", "ndof", "p", "q", "z", "S"}]}, and where the origin is
/// known "time_s" "wind_m_s" "colliders" of the state before the step, and "solve": its status, iterations and true
/// relative residual.
std::string constraintsJson(const linalg::DofConstraints& constraints, double dt, int step,
                            const SystemOrigin* origin = nullptr);

/// The inverse, for this many particles: p and q must fit ndof, z must be in the removed directions, and S, if given,
/// must match them (all to 1e-6). A mistake is an Error with line and column.
Expected<linalg::DofConstraints> readConstraints(const std::string& text, const std::string& file, Index particles);

}  // namespace clothlab::experiments
