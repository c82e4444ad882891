#pragma once

#include <cstdint>
#include <memory>

#include "scene/scene.hpp"
#include "simulation/history.hpp"

namespace clothlab::app::worker {

/// Of which step something was computed: what is needed to tell that step from the one shown.
struct StepOrigin {
    std::uint64_t mesh = 0;           ///< revision of its mesh; 0: of no step
    std::int64_t step = 0;            ///< its number
    bool toCome = false;              ///< of the steps to come from the state shown, not of the one that led to it
    simulation::StateIdentity shown;  ///< the state that was shown; null: whatever was
    std::shared_ptr<const scene::Settings> made;  ///< what the step was taken with
};

}  // namespace clothlab::app::worker
