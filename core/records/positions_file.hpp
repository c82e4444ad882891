#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/output.hpp"
#include "cloth/cloth_model.hpp"
#include "integrators/state/state.hpp"

namespace clothlab::records {

/// Positions over the steps for other programs; positions_forms.hpp has the forms. Only whole frames are written, even
/// if the disk is full or a signal ends the run.
class PositionsFile {
public:
    virtual ~PositionsFile() = default;

    virtual Expected<void> add(const integrators::SimulationState& state) = 0;
    virtual Expected<void> finish() = 0;
};

/// FILE.npy and numPySteps(FILE.npy), and the lines of FILE.ndjson: positions and velocities, for computing.
Expected<std::unique_ptr<PositionsFile>> createNumPy(const std::string& path, const cloth::ClothModel& model,
                                                     const InputFiles& inputs);
Expected<std::unique_ptr<PositionsFile>> createLines(const std::string& path, const cloth::ClothModel& model,
                                                     const InputFiles& inputs);
/// "cloth.npy" gives "cloth.steps.npy".
std::string numPySteps(const std::string& path);

/// x then v of one state: float64, 2 x N x 3, in NumPy's format, particles under their outside numbers.
std::string stateNpy(const integrators::SimulationState& state, const cloth::ClothModel& model);

}  // namespace clothlab::records
