#pragma once

#include "integrators/settings.hpp"
#include "papers/job.hpp"

/// The tables of [B] Boxerman 2003, and the functions that compute them: functions of several figures take an argument.
namespace clothlab::papers::boxerman {

std::span<const PaperTable> tables();

/// [B] §4.1.3
Expected<Reproduction> criticalSteps(Job& job);

/// [B] §4.1.4, §4.2.4
Expected<Reproduction> amplifications(Job& job);

/// Figures 4.3 and 4.7
Expected<Reproduction> blocksOfFirstStep(integrators::IntegratorKind kind, Job& job);
/// Figure 4.11
Expected<Reproduction> blocksOfAdaptiveImex(Job& job);
/// Figures 4.8 to 4.10: the steps of this number in a period.
Expected<Reproduction> springsOfSteps(int phase, const char* what, Job& job);

/// Figures 4.4 to 4.6
enum class SwingDamping : int { None, Unprojected, Projected };
Expected<Reproduction> energiesOfSwing(SwingDamping damping, Job& job);

/// [B] §4.4.3, figures 4.12 and 4.13, table 4.1
Expected<Reproduction> stepsThatVary(Job& job);
Expected<Reproduction> differencesOfSets(Job& job);
enum class Example : int { Worst, Average };
Expected<Reproduction> differencesOfExample(Example example, Job& job);
Expected<Reproduction> speedOfAdaptiveImex(Job& job);
/// An addition to table 4.1: a part of one sheet explicit, the rest implicit.
Expected<Reproduction> localAdaptiveImex(Job& job);

/// [B] §5.2
Expected<Reproduction> savedByCorrections(Job& job);

/// Figures 5.3 to 5.10
enum class Scenario : int { TwoCorners, SlidingSphere };
enum class Axis : int { Particles, Stiffness };
enum class Shown : int { Counts, Ratios };
struct Figure {
    Scenario scenario;
    Axis axis;
    Shown shown;

    bool onSphere() const { return scenario == Scenario::SlidingSphere; }
    bool bySize() const { return axis == Axis::Particles; }
    bool counts() const { return shown == Shown::Counts; }
};
Expected<Reproduction> iterationsOfSets(const Figure& figure, Job& job);

/// [B] §6.4.1; figures 6.9 and 6.10; §6.4.2; §6.4.3
Expected<Reproduction> costOfDecomposition(Job& job);
Expected<Reproduction> productsOnSphere(Shown shown, Job& job);
Expected<Reproduction> productsByVariant(Job& job);
Expected<Reproduction> timesOnTwoThreads(Job& job);
Expected<Reproduction> productsByScene(Job& job);
Expected<Reproduction> allThreeTogether(Job& job);

}  // namespace clothlab::papers::boxerman
