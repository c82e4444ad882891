#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/errors.hpp"
#include "linalg/dof_constraints.hpp"
#include "scene/scene.hpp"
#include "simulation/entries.hpp"

/// Pieces of JSON that several commands print. The JSON library is seen by report_json.cpp alone.
namespace clothlab::simulation {

struct SystemOrigin;

/// {"step", "dt_s", "particles", "constraints": [{"particle", "ndof", "p", "q", "z", "S"}]}, and where the origin is known
/// "time_s" "wind_m_s" "colliders" of the state before the step, and "solve": its status, iterations, residual and tolerance.
std::string constraintsJson(const linalg::DofConstraints& constraints, double dt, int step, const SystemOrigin* origin = nullptr);

/// The inverse, for so many particles; a mistake is an Error with line and column.
Expected<linalg::DofConstraints> readConstraints(const std::string& text, const std::string& file, Index particles);

/// [{"name", "title", "watch", "steps", "particles", "file"}]
std::string sceneListJson(std::span<const scene::Scene> scenes);

/// A flat object in one line; a number that is not finite is null.
std::string entriesLine(const Entries& entries);
/// One object of an NDJSON file, flat: keys of objects within it are joined by dots, elements of arrays by their number. What
/// is null is not a number (NaN); true and false are text. Nothing when it is no JSON object.
std::optional<Entries> readJsonLine(std::string_view line);
/// Where a line that readJsonLine does not take goes wrong: a column from 1.
int jsonErrorColumn(std::string_view line);

}  // namespace clothlab::simulation
