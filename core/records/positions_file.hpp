#pragma once

#include <optional>
#include <string>

#include "base/output.hpp"
#include "cloth/cloth_model.hpp"
#include "integrators/state.hpp"

namespace clothlab::records {

/// Positions and velocities over the steps, for programs outside. By the ending of the name:
///
///   FILE.npy     float64, frames x 2 x N x 3 (NumPy format 1.0, C order, little endian), x (m) then v (m/s); the step
///   of each
///                frame stands in FILE.steps.npy, int64
///   FILE.ndjson  a line a frame: {"step", "time_s", "x": [[x, y, z], ...], "v": [...]}, numbers that read back to the
///   same bits
///
/// Particles stand under the numbers that scenes and meshes know them by (ClothModel::outsideNumber), so that the faces
/// of an OBJ file fit the rows.
///
/// What is written is whole frames, also when the disk is full or a signal ends the run.
class PositionsFile {
public:
    static Expected<PositionsFile> create(const std::string& path, const cloth::ClothModel& model,
                                          const InputFiles& inputs);

    Expected<void> add(const integrators::SimulationState& state);
    Expected<void> finish();

private:
    PositionsFile(GrowingFile frames, std::optional<GrowingFile> steps, const cloth::ClothModel& model)
        : frames_(std::move(frames)), steps_(std::move(steps)), model_(&model) {}
    Expected<void> addBinary(const integrators::SimulationState& state);

    GrowingFile frames_;
    std::optional<GrowingFile> steps_;  ///< of a .npy
    const cloth::ClothModel* model_;
    std::int64_t count_ = 0;
    std::string scratch_;
};

/// x then v of one state: float64, 2 x N x 3, in NumPy's format, particles as above.
std::string stateNpy(const integrators::SimulationState& state, const cloth::ClothModel& model);

}  // namespace clothlab::records
