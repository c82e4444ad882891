#pragma once

#include <span>
#include <string>
#include <vector>

#include "scene/overlay.hpp"

namespace clothlab::simulation {
class Simulation;
}

namespace clothlab::app::worker {

/// One number per particle, and its colour scale: linear or logarithmic between two ends.
struct ParticleField {
    std::vector<float> values = {};  ///< #P, or empty: there is nothing to show
    double from = 0, to = 1;         ///< ends of the colours, in `unit`
    bool logarithmic = false;
    std::string label = {}, unit = {};
    std::string absence = {};  ///< why there is nothing to show, unless a step is missing

    /// 0 at `from`, 1 at `to`.
    float position(float value) const;
};

/// Whether the overlay is one number per particle. Such an overlay is a value and a row in scene/overlay.hpp, and a row
/// in particle_fields.cpp.
bool hasField(scene::OverlayKind kind);

/// Fills the field of an overlay that has one; empties it for others.
void fillField(scene::OverlayKind kind, const simulation::Simulation& simulation, ParticleField& field);

}  // namespace clothlab::app::worker
