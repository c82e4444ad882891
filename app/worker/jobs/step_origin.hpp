#pragma once

#include <cstdint>
#include <memory>

#include "scene/scene.hpp"
#include "simulation/history.hpp"

namespace clothlab::app::worker {

/// The step that a result was computed from: enough to tell it from the one shown.
struct StepOrigin {
    std::uint64_t mesh = 0;  ///< revision of its mesh; 0: of no step
    std::int64_t step = 0;   ///< its number
    bool toCome = false;     ///< computed from the next steps after the state shown, not from the one that led to it
    simulation::StateIdentity shown;              ///< the state shown then; null: any
    std::shared_ptr<const scene::Settings> made;  ///< settings of the step
};

}  // namespace clothlab::app::worker
