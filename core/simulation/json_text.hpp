#pragma once

#include <span>
#include <string>

#include "linalg/dof_constraints.hpp"
#include "scene/scene.hpp"

/// Pieces of JSON that several commands print. The JSON library is seen by report_json.cpp alone.
namespace clothlab::simulation {

/// {"step", "dt_s", "particles", "constraints": [{"particle", "ndof", "p", "q", "z", "S"}]}
std::string constraintsJson(const linalg::DofConstraints& constraints, double dt, int step);

/// [{"name", "title", "watch", "steps", "particles", "file"}]
std::string sceneListJson(std::span<const scene::Scene> scenes);

}  // namespace clothlab::simulation
