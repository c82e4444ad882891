#pragma once

#include <functional>
#include <memory>
#include <string>

#include "geometry/distance_field.hpp"

namespace clothlab::scene {

/// The distance field of a mesh: from a file in the folder if one is there that fits the surface and is whole, else
/// built, and kept there for the next time. A folder that is empty, cannot be written or is lost costs time only.
/// Null when `stop` asks for it.
std::shared_ptr<const geometry::DistanceField> cachedField(const geometry::MeshSolid& mesh, const std::string& folder,
                                                           const geometry::DistanceField::Progress& progress = {},
                                                           const std::stop_token& stop = {});

}  // namespace clothlab::scene
