#pragma once

#include <span>
#include <string>
#include <vector>

#include "scene/overlay.hpp"

namespace clothlab::simulation {
class Simulation;
}

namespace clothlab::app::worker {

/// A number for each particle, and how it is coloured: linearly or by its logarithm between two ends.
struct ParticleField {
    std::vector<float> values = {};  ///< #P, or empty: there is nothing to show
    double from = 0, to = 1;         ///< ends of the colours, in `unit`
    bool logarithmic = false;
    std::string label = {}, unit = {};
    std::string absence = {};  ///< why there is nothing to show, if it is not for want of a step

    /// 0 at `from`, 1 at `to`.
    float position(float value) const;
};

/// Whether the overlay is a number for each particle. Such a one is a value and a row in scene/overlay.hpp, and a row
/// in particle_fields.cpp.
bool hasField(scene::OverlayKind kind);

/// Fills the field of an overlay that has one; empties it for others.
void fillField(scene::OverlayKind kind, const simulation::Simulation& simulation, ParticleField& field);

}  // namespace clothlab::app::worker
