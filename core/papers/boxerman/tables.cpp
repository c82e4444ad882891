#include "papers/boxerman/tables.hpp"

#include "integrators/kind.hpp"

namespace clothlab::papers::boxerman {

using integrators::IntegratorKind;
using std::bind_front;

namespace {

using enum Scenario;
using enum Axis;
using enum Shown;

using Names = std::vector<std::string_view>;
const Names kOfEnergies{"side", "damping", "coarser"},
    kOfExample{
        "side",          "spacing", "density", "stretch",           "shear",           "bend",  "stretch_damping",
        "shear_damping", "drag",    "dt_ms",   "numerical_stretch", "numerical_shear", "class", "seeds"};
const Names kOfSets{"sets", "diverged"}, kOnSphere{"sets", "seconds", "samples", "stiff_bend", "diverged"};

const std::vector<PaperTable> kTables{
    {"boxerman-section-4.1.3", criticalSteps, {"steps"}, true},
    {"boxerman-section-4.2.4", amplifications},
    {"boxerman-figure-4.3", bind_front(blocksOfFirstStep, IntegratorKind::LinearizedBackwardEuler)},
    {"boxerman-figure-4.4", bind_front(energiesOfSwing, SwingDamping::None), kOfEnergies},
    {"boxerman-figure-4.5", bind_front(energiesOfSwing, SwingDamping::Unprojected), kOfEnergies},
    {"boxerman-figure-4.6", bind_front(energiesOfSwing, SwingDamping::Projected), kOfEnergies},
    {"boxerman-figure-4.7", bind_front(blocksOfFirstStep, IntegratorKind::ImexEuler)},
    {"boxerman-figure-4.8", bind_front(springsOfSteps, 50, "large"), {"what"}},
    {"boxerman-figure-4.9", bind_front(springsOfSteps, 25, "modest"), {"what"}},
    {"boxerman-figure-4.10", bind_front(springsOfSteps, 0, "small"), {"what"}},
    {"boxerman-figure-4.11", blocksOfAdaptiveImex},
    {"boxerman-section-4.4.3-stability", stepsThatVary, {"steps"}},
    {"boxerman-section-4.4.3-results", differencesOfSets, {"sets", "seconds", "limit"}, true},
    {"boxerman-figure-4.12", bind_front(differencesOfExample, Example::Worst), kOfExample},
    {"boxerman-figure-4.13", bind_front(differencesOfExample, Example::Average), kOfExample},
    {"boxerman-table-4.1", speedOfAdaptiveImex, {"sets", "drawn", "seconds", "limit"}, true},
    {"boxerman-aimex-local",
     localAdaptiveImex,
     {"side", "spacing", "density", "dt_ms", "steps", "stretch", "shear", "stiff_stretch", "stiff_shear"}},
    {"boxerman-section-5.2", savedByCorrections, {"side", "seconds"}},
    {"boxerman-figure-5.3", bind_front(iterationsOfSets, Figure{TwoCorners, Particles, Counts}), kOfSets, true},
    {"boxerman-figure-5.4", bind_front(iterationsOfSets, Figure{TwoCorners, Particles, Ratios}), kOfSets, true},
    {"boxerman-figure-5.5", bind_front(iterationsOfSets, Figure{TwoCorners, Stiffness, Counts}), kOfSets, true},
    {"boxerman-figure-5.6", bind_front(iterationsOfSets, Figure{TwoCorners, Stiffness, Ratios}), kOfSets, true},
    {"boxerman-figure-5.7", bind_front(iterationsOfSets, Figure{SlidingSphere, Particles, Counts}), kOfSets, true},
    {"boxerman-figure-5.8", bind_front(iterationsOfSets, Figure{SlidingSphere, Particles, Ratios}), kOfSets, true},
    {"boxerman-figure-5.9", bind_front(iterationsOfSets, Figure{SlidingSphere, Stiffness, Counts}), kOfSets, true},
    {"boxerman-figure-5.10", bind_front(iterationsOfSets, Figure{SlidingSphere, Stiffness, Ratios}), kOfSets, true},
    {"boxerman-section-6.4.1", costOfDecomposition, {"sets", "seconds", "samples", "pairs"}, true},
    {"boxerman-figure-6.9", bind_front(productsOnSphere, Counts), kOnSphere, true},
    {"boxerman-figure-6.10", bind_front(productsOnSphere, Ratios), kOnSphere, true},
    {"boxerman-section-6.4.2-sphere", productsByVariant, {"cloths", "side"}, true},
    {"boxerman-section-6.4.2-parallel",
     timesOnTwoThreads,
     {"side", "density", "stretch", "dt_ms", "systems", "components", "runs"}},
    {"boxerman-section-6.4.3", productsByScene},
    {"boxerman-chapter-7", allThreeTogether, {"side", "steps"}},
};

}  // namespace

std::span<const PaperTable> tables() { return kTables; }

}  // namespace clothlab::papers::boxerman
