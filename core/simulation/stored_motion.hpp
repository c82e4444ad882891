#pragma once

#include <string_view>

#include "integrators/state/state.hpp"
#include "scene/painting.hpp"
#include "scene/scene.hpp"
#include "simulation/history.hpp"
#include "simulation/report.hpp"

namespace clothlab::simulation {

/// The ending of a file that has a whole simulation (simulation/state_file.hpp).
inline constexpr std::string_view kStateEnding = ".clothstate";

/// The ending of a recording (simulation/recording.hpp).
inline constexpr std::string_view kRecordingEnding = ".clothrec";

/// A simulation as a value: everything needed to return to it later, to the last bit of its state, whatever was
/// simulated in between. Its matrices and factors are caches and are recomputed.
struct StoredMotion {
    /// Bytes of the history that are kept by default: seconds of a typical cloth, small enough for several of them.
    static constexpr std::size_t kHistoryBytes = std::size_t{64} << 20;

    scene::Scene scene;      ///< with the active settings, without the painting
    scene::Settings loaded;  ///< of the scene as loaded
    scene::Painting painting;
    integrators::SimulationState state;
    StepReport report;
    History history{};

    std::size_t bytes() const { return state.bytes() + history.bytes(); }
};

}  // namespace clothlab::simulation
