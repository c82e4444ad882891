#pragma once

#include <vector>

#include "cloth/tearing.hpp"
#include "integrators/state/state.hpp"

/// Pins that still hold cloth. A pin whose particle has no whole spring left, since it was cut or torn off, holds
/// nothing, is neither drawn nor counted, and its particle is free. The state keeps it: a restart, or anything else
/// that restores the springs, restores it too.
namespace clothlab::integrators {

/// Calls visit(pin) for every pin that holds cloth, in their order.
template <class Visit>
void forEachHoldingPin(const SimulationState& state, const cloth::ClothModel& model, Visit visit) {
    std::vector<std::uint8_t> loose;  // stays empty unless something is torn
    if (!state.pins.empty()) loose = cloth::looseParticles(model, state.brokenSprings);
    for (const Pin& pin : state.pins)
        if (loose.empty() || loose[pin.particle] == 0) visit(pin);
}

inline std::vector<Pin> holdingPins(const SimulationState& state, const cloth::ClothModel& model) {
    std::vector<Pin> pins;
    forEachHoldingPin(state, model, [&](const Pin& pin) { pins.push_back(pin); });
    return pins;
}

}  // namespace clothlab::integrators
