#include "worker/snapshots/particle_fields.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "simulation/simulation.hpp"
#include "worker/snapshots/round_up.hpp"

namespace clothlab::app::worker {
namespace {

using scene::OverlayKind;
using simulation::Simulation;

/// The largest finite value, and no less than `least`.
double largestValue(const ParticleField& field, float least) {
    for (const float value : field.values)
        if (std::isfinite(value)) least = std::max(least, value);
    return least;
}

void fillSpeeds(const Simulation& simulation, ParticleField& field) {
    const linalg::BlockVector& v = simulation.state().v;
    for (Index i = 0; i < v.size(); ++i) field.values.push_back(float(v[i].norm()));
    field.to = roundedUp(largestValue(field, 0.01f));
    field.label = "speed";
    field.unit = "m/s";
}

/// |S(b - A dv)| of each particle, scaled so that the mean square over all of them is the square of the true relative
/// residual: a particle at the tolerance has its share of what is left.
void fillResidual(const Simulation& simulation, ParticleField& field) {
    constexpr double kDecades = 4;
    simulation.residuals(field.values);
    field.to = roundedUp(largestValue(field, 1e-30f));
    field.from = field.to * std::pow(10.0, -kDecades);
    field.logarithmic = true;
    field.label = "residual, relative";
}

/// The uppermost region over each particle, counted from 1.
void fillRegions(const Simulation& simulation, ParticleField& field) {
    if (simulation.scene().regions.empty()) {
        field.absence = "the cloth is of one material: G + left drag paints";
        return;
    }
    const auto layers = simulation.materialLayers();
    for (const std::uint16_t material : simulation.model().material) {
        const auto& regions = layers[material].regions;
        field.values.push_back(regions.empty() ? 0 : float(regions.back() + 1));
    }
    field.to = double(simulation.scene().regions.size());
    field.label = "region";
}

struct FieldEntry {
    OverlayKind kind;
    void (*fill)(const Simulation&, ParticleField&);  ///< of one that is empty, from 0 to 1, linear
};
constexpr FieldEntry kFields[] = {
    {OverlayKind::Velocity, fillSpeeds},
    {OverlayKind::Residual, fillResidual},
    {OverlayKind::Regions, fillRegions},
};

const FieldEntry* find(OverlayKind kind) {
    const auto found = std::ranges::find(kFields, kind, &FieldEntry::kind);
    return found == std::end(kFields) ? nullptr : found;
}

}  // namespace

float ParticleField::position(float value) const {
    if (!logarithmic) return float((value - from) / (to - from));
    return float(std::log10(std::max<double>(value, 1e-300) / from) / std::log10(to / from));
}

bool hasField(OverlayKind kind) { return find(kind) != nullptr; }

void fillField(OverlayKind kind, const Simulation& simulation, ParticleField& field) {
    std::vector<float> values = std::move(field.values);  // keeps its memory
    values.clear();
    field = {.values = std::move(values)};
    if (const FieldEntry* entry = find(kind)) entry->fill(simulation, field);
}

}  // namespace clothlab::app::worker
