#pragma once

#include <random>

#include "papers/boxerman/boxerman.hpp"

/// What the experiments of [B] §4.4.3 have in common: the grid of parameters, and adaptive IMEX beside backward Euler.
namespace clothlab::papers::boxerman {

/// The treatment of stretch / shear in adaptive IMEX: the rows of table 4.1.
enum class SplitClass : int { ImplicitImplicit, ImplicitExplicit, ExplicitImplicit, ExplicitExplicit };
inline constexpr std::array kSplitClasses{
    EnumEntry{int(SplitClass::ImplicitImplicit), "implicit/implicit", "implicit/implicit"},
    EnumEntry{int(SplitClass::ImplicitExplicit), "implicit/explicit", "implicit/explicit"},
    EnumEntry{int(SplitClass::ExplicitImplicit), "explicit/implicit", "explicit/implicit"},
    EnumEntry{int(SplitClass::ExplicitExplicit), "explicit/explicit", "explicit/explicit"},
};
constexpr std::span<const EnumEntry> enumTable(SplitClass) { return kSplitClasses; }

/// By (4.8) below 0.2.
SplitClass classifySplit(const Cloth& cloth);
/// Whether the rule `safe` makes bend explicit: h^2 c_b / m <= 1/4, c_b = 50 kappa_b.
bool bendIsSafe(const Cloth& cloth);

/// One of the thesis' 3 x 10 368 000 sets.
Cloth drawnForAimex(std::mt19937& random, std::span<const int> sides);

/// The keys that sort a set into rows: its class, whether bend is explicit by `safe`, its configuration.
records::Entries sortingKeys(const Cloth& cloth);

/// Three ways to step the same cloth; backward Euler is the reference.
enum class Way : int { Implicit, Paper, Safe };
inline constexpr std::array kWays{Way::Implicit, Way::Paper, Way::Safe};
scene::Scene steppedBy(const Cloth& cloth, Way way, const Method& method);
/// MPCG with CP at the strictest reading of the thesis' tolerance.
Method thesisMethod(double dt);
/// For differences that do not depend on the solver.
Method directMethod();

/// The time of a step for its matrix and its system, without contact.
double linearMs(const simulation::StepReport& report);

/// Springs of each family by their flags, cloth::kSpringActive and kSpringImplicit.
using SpringCounts = std::array<std::array<int, 4>, cloth::kFamilies>;
SpringCounts springCounts(const simulation::Simulation& simulation);

/// A failed walker has diverged: the guard ended it, or it has more energy than 2 m g L of all particles above the
/// start.
struct Runs {
    std::array<std::unique_ptr<Simulation>, kWays.size()> owned;
    std::array<Walker, kWays.size()> walkers;

    const Walker& of(Way way) const { return walkers[int(way)]; }
};

/// Takes this many steps of each in turn, and reports each round; one that diverges is dropped. Ends early when none is
/// left.
Expected<Runs> stepTogether(const Cloth& cloth, const Method& method, int steps,
                            const std::function<void(const Runs&)>& onStep, Job& job);

}  // namespace clothlab::papers::boxerman
