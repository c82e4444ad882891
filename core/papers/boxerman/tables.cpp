#include "papers/boxerman/tables.hpp"

#include "integrators/kind.hpp"

namespace clothlab::papers::boxerman {

using integrators::IntegratorKind;
using std::bind_front;

namespace {

using enum Scenario;
using enum Axis;
using enum Shown;

const std::vector<PaperTable> kTables{
    {"boxerman-section-4.1.3", "Boxerman, section 4.1.3: the critical step of forward-backward Euler", criticalSteps,
     true},
    {"boxerman-section-4.2.4", "Boxerman, sections 4.1.4 and 4.2.4: what a step takes from a swing, theory and run",
     amplifications},
    {"boxerman-figure-4.3", "Boxerman, figure 4.3: blocks of the matrix, all springs implicit",
     bind_front(blocksOfFirstStep, IntegratorKind::LinearizedBackwardEuler, 1360)},
    {"boxerman-figure-4.4", "Boxerman, figure 4.4: energies of a swing, no damping",
     bind_front(energiesOfSwing, SwingDamping::None)},
    {"boxerman-figure-4.5", "Boxerman, figure 4.5: energies of a swing, unprojected damping",
     bind_front(energiesOfSwing, SwingDamping::Unprojected)},
    {"boxerman-figure-4.6", "Boxerman, figure 4.6: energies of a swing, projected damping",
     bind_front(energiesOfSwing, SwingDamping::Projected)},
    {"boxerman-figure-4.7", "Boxerman, figure 4.7: blocks of the matrix, stretch alone implicit",
     bind_front(blocksOfFirstStep, IntegratorKind::ImexEuler, 0)},
    {"boxerman-figure-4.8", "Boxerman, figure 4.8: implicit, explicit and inactive springs, large step",
     bind_front(springsOfSteps, 50, "large")},
    {"boxerman-figure-4.9", "Boxerman, figure 4.9: implicit, explicit and inactive springs, modest step",
     bind_front(springsOfSteps, 25, "modest")},
    {"boxerman-figure-4.10", "Boxerman, figure 4.10: implicit, explicit and inactive springs, small step",
     bind_front(springsOfSteps, 0, "small")},
    {"boxerman-figure-4.11", "Boxerman, figure 4.11: blocks of the matrix, adaptive IMEX", blocksOfAdaptiveImex},
    {"boxerman-section-4.4.3-stability", "Boxerman, section 4.4.3: adaptive IMEX with steps that vary", stepsThatVary},
    {"boxerman-section-4.4.3-results", "Boxerman, section 4.4.3: how far adaptive IMEX and backward Euler come apart",
     differencesOfSets, true},
    {"boxerman-figure-4.12", "Boxerman, figure 4.12: the same, worst case",
     bind_front(differencesOfExample, Example::Worst)},
    {"boxerman-figure-4.13", "Boxerman, figure 4.13: the same, average case",
     bind_front(differencesOfExample, Example::Average)},
    {"boxerman-table-4.1", "Boxerman, table 4.1: adaptive IMEX against backward Euler, time and iterations",
     speedOfAdaptiveImex, true},
    {"boxerman-aimex-local", "Beside Boxerman, table 4.1: explicit in one part of a sheet, implicit in the other",
     localAdaptiveImex},
    {"boxerman-section-5.2", "Boxerman, section 5.2: original and corrected MPCG", savedByCorrections},
    {"boxerman-figure-5.3", "Boxerman, figure 5.3: iterations against size, two corners pinned",
     bind_front(iterationsOfSets, Figure{TwoCorners, Particles, Counts}), true},
    {"boxerman-figure-5.4", "Boxerman, figure 5.4: ratios of iterations against size, two corners pinned",
     bind_front(iterationsOfSets, Figure{TwoCorners, Particles, Ratios}), true},
    {"boxerman-figure-5.5", "Boxerman, figure 5.5: iterations against stiffness, two corners pinned",
     bind_front(iterationsOfSets, Figure{TwoCorners, Stiffness, Counts}), true},
    {"boxerman-figure-5.6", "Boxerman, figure 5.6: ratios of iterations against stiffness, two corners pinned",
     bind_front(iterationsOfSets, Figure{TwoCorners, Stiffness, Ratios}), true},
    {"boxerman-figure-5.7", "Boxerman, figure 5.7: iterations against size, sliding over a sphere",
     bind_front(iterationsOfSets, Figure{SlidingSphere, Particles, Counts}), true},
    {"boxerman-figure-5.8", "Boxerman, figure 5.8: ratios of iterations against size, sliding over a sphere",
     bind_front(iterationsOfSets, Figure{SlidingSphere, Particles, Ratios}), true},
    {"boxerman-figure-5.9", "Boxerman, figure 5.9: iterations against stiffness, sliding over a sphere",
     bind_front(iterationsOfSets, Figure{SlidingSphere, Stiffness, Counts}), true},
    {"boxerman-figure-5.10", "Boxerman, figure 5.10: ratios of iterations against stiffness, sliding over a sphere",
     bind_front(iterationsOfSets, Figure{SlidingSphere, Stiffness, Ratios}), true},
    {"boxerman-section-6.4.1", "Boxerman, section 6.4.1: cost of decomposition where nothing falls apart",
     costOfDecomposition, true},
    {"boxerman-figure-6.9", "Boxerman, figure 6.9: row-vector products against size, whole and by components, sphere",
     bind_front(productsOnSphere, Counts), true},
    {"boxerman-figure-6.10", "Boxerman, figure 6.10: ratio of row-vector products against size, sphere",
     bind_front(productsOnSphere, Ratios), true},
    {"boxerman-section-6.4.2-sphere",
     "Boxerman, section 6.4.2: effect of friction, size and place of the sphere on that ratio", productsByVariant,
     true},
    {"boxerman-section-6.4.2-parallel", "Boxerman, section 6.4.2: one and two threads, whole and by components",
     timesOnTwoThreads},
    {"boxerman-section-6.4.3",
     "Boxerman, section 6.4.3: what decomposition saves on the floor, a table, a sphere and a T-shirt",
     productsByScene},
};

}  // namespace

std::span<const PaperTable> tables() { return kTables; }

}  // namespace clothlab::papers::boxerman
