#pragma once

#include <span>
#include <string>

#include "scene/scene.hpp"
#include "scene/toml/toml_document.hpp"

namespace clothlab::scene {

/// Reads the particles of an entry of `pins` or `point_force`:
///     row = 3               one row, or     row = "middle"
///     rows = [0, -1]        from and to, ends included, or     rows = "all"
///     column, columns       likewise
///     row_step, column_step every n-th of them
///     cloth = 0             the cloth, if there are several
/// or instead of all these
///     set = "rim"           the name of a [[set]]
/// Negative numbers count from the end. Refuses particles outside the cloth. `others` are keys that the caller
/// reads itself; `name` names the table in errors.
Expected<ParticleRange> readRange(const TomlNode& table, std::string_view name, const std::vector<ClothPatch>& cloths,
                                  const std::string& file, std::span<const std::string_view> others = {});

/// The cloth that a table names, or the only one there is.
Expected<int> readClothNumber(const TomlNode& table, std::string_view name, std::size_t cloths,
                              const std::string& file);

}  // namespace clothlab::scene
