#pragma once

#include <functional>
#include <memory>
#include <string>

#include "geometry/distance_field.hpp"

namespace clothlab::scene {

/// The distance field of a mesh: from a file in the folder if a complete one fits the surface, otherwise built and
/// stored there. A folder that is empty, not writable or lost only costs time. Null when `stop` was requested.
std::shared_ptr<const geometry::DistanceField> cachedField(const geometry::MeshSolid& mesh, const std::string& folder,
                                                           const geometry::DistanceField::Progress& progress = {},
                                                           const std::stop_token& stop = {});

}  // namespace clothlab::scene
