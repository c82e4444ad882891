#pragma once

#include <memory>
#include <string>
#include <vector>

#include "records/positions_file.hpp"

namespace clothlab::records {

/// Positions over the steps for other programs. By the ending of the name:
///
///   FILE.npy     positions and velocities, float64, frames x 2 x N x 3 (NumPy format 1.0, C order, little endian), x
///                (m) then v (m/s); FILE.steps.npy has the step number of each frame, int64
///   FILE.ndjson  the same as lines: {"step", "time_s", "x": [[x, y, z], ...], "v": [...]}, numbers that read back to
///                the same bits
///   FILE.pc2     positions as a point cache, float32, sample after sample, and the first frame as a mesh in FILE.obj:
///                surface_files.hpp
///   FILE.obj     each frame as a mesh of its own, FILE.0000.obj, FILE.0001.obj ...: surface_files.hpp
///
/// Particles have the numbers that scenes and meshes use (ClothModel::outsideNumber), so the faces of an OBJ file fit
/// the rows.
Expected<std::unique_ptr<PositionsFile>> createPositions(const std::string& path, const cloth::ClothModel& model,
                                                         const InputFiles& inputs);

/// The files that createPositions(path) writes (of a series the first): no other output may be one of them.
std::vector<std::string> positionsFiles(const std::string& path);

}  // namespace clothlab::records
