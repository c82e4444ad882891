#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/errors.hpp"
#include "linalg/dof_constraints.hpp"
#include "scene/scene.hpp"
#include "simulation/entries.hpp"

/// Pieces of JSON that several commands print, and read (json_reader.cpp). The JSON library is seen by report_json.cpp
/// alone.
namespace clothlab::simulation {

struct SystemOrigin;

/// {"step", "dt_s", "particles", "constraints": [{"particle", "ndof", "p", "q", "z", "S"}]}, and where the origin is
/// known "time_s" "wind_m_s" "colliders" of the state before the step, and "solve": its status, iterations and true
/// relative residual.
std::string constraintsJson(const linalg::DofConstraints& constraints, double dt, int step,
                            const SystemOrigin* origin = nullptr);

/// The inverse, for so many particles: p and q are checked to be what ndof needs, z to lie in the removed directions,
/// S, where it is there, to be theirs (all to 1e-6). A mistake is an Error with line and column.
Expected<linalg::DofConstraints> readConstraints(const std::string& text, const std::string& file, Index particles);

/// [{"name", "title", "watch", "steps", "particles", "file"}]
std::string sceneListJson(std::span<const scene::Scene> scenes);

/// A text in quotes, escaped.
std::string jsonText(std::string_view text);

/// A flat object in one line; a number that is not finite is null.
std::string entriesLine(const Entries& entries);
/// One object of an NDJSON file, flat: keys of objects within it are joined by dots, elements of arrays by their
/// number. What is null is not a number (NaN); true and false are text. An Error has the column; a line has 4096 values
/// at most, names of 256 letters and 16 levels.
Expected<Entries> readJsonLine(std::string_view line);

}  // namespace clothlab::simulation
