#pragma once

#include "papers/boxerman/boxerman.hpp"

/// What the experiments of [B] chapter 6 have in common: the sheet of 1.5 m, and systems of its steps solved whole and
/// by components.
namespace clothlab::papers::boxerman {

/// "In some experiments, the cloth sticks and in some it slips, dependant on friction constants."
enum class Friction : int { Sticking, Slipping, Sliding };
inline constexpr std::array kFrictions{
    EnumEntry{int(Friction::Sticking), "sticking", "coefficients 10: what touches is held"},
    EnumEntry{int(Friction::Slipping), "slipping", "coefficients 0.2: held on top, slips on the flanks"},
    EnumEntry{int(Friction::Sliding), "sliding", "none: nothing is ever held"},
};
constexpr std::span<const EnumEntry> enumTable(Friction) { return kFrictions; }

/// Which springs are implicit in the systems that are compared.
enum class Implicit : int { Adaptive, Stretch };
inline constexpr std::array kImplicits{
    EnumEntry{int(Implicit::Adaptive), "adaptive", "by the thesis' rule, spring by spring, bend always explicit"},
    EnumEntry{int(Implicit::Stretch), "stretch", "stretch alone, as in the captions of figures 6.4 to 6.6"},
};
constexpr std::span<const EnumEntry> enumTable(Implicit) { return kImplicits; }

/// One of the 500 sets: the grid of [B] §5.3.1 at 1.5 m, "chosen randomly as a permutation" of its values. So few
/// sheets of a size are run that values left to chance would decide the mean: they are stratified, `number` counts the
/// sheets of that size.
Cloth drawnForDecomposition(const ReproduceOptions& options, Configuration configuration, int side, int number);

/// Steps by adaptive IMEX, rule `safe`, with MPCG and CP at the strictest reading of the thesis' tolerance.
scene::Scene decomposingScene(const Cloth& cloth, Friction friction);

/// The system of the step that the simulation is about to take, with other springs implicit. The simulation itself does
/// not take that step: with stiff bend or shear explicit it would not survive many (E-53). An Error when stopped.
/// `look` sees the simulation after that step, before it goes back.
Expected<linalg::FrozenSystem> systemOfNextStep(simulation::Simulation& simulation, Implicit which, Job& job,
                                                const std::function<void(const simulation::Simulation&)>& look = {});

/// MPCG with CP, whole or by components.
Method wholeOrDecomposed(double tolerance, bool decompose);

/// Sums over systems that were solved both ways.
struct BothWays {
    /// RV: iterations x particles, as [B] §6.4 counts them; the whole has all particles in it, held or not.
    double whole = 0, decomposed = 0;
    double skipping = 0;                   ///< RV that leaving the held particles out of the whole would give
    double wholeMs = 0, decomposedMs = 0;  ///< medians; without symbolic analysis
    double components = 0;
    double largest = 0;  ///< shares of the particles in the largest component
    double held = 0;     ///< shares of the particles with ndof 0

    /// Solves one more: `pairs` times one after the other, each time in the other order. `both` are the whole, then the
    /// decomposed.
    void add(std::span<KeptSolver, 2> both, const linalg::FrozenSystem& system, int pairs, Job& job);
};

struct Sampling {
    int readings = 1;           ///< of the tolerance: the first so many of kReadings
    bool stretchAlone = false;  ///< with stretch alone implicit as well as by the thesis' rule
    int pairs = 1;              ///< timed solves of a system, each way
};

struct SampledRun {
    std::array<std::array<BothWays, kReadings.size()>, kImplicits.size()> sums;  ///< by implicit springs, then reading
    int systems = 0;
    double restMs = 0;      ///< of the sampled steps, what is not their solve
    double drift = 0;       ///< how far the middle of the sheet has moved sideways in the end, m; not a sum
    bool diverged = false;  ///< the guard ended it; the systems up to there count

    /// To divide a sum by.
    double count() const { return std::max(1, systems); }
};

/// An Error when stopped.
Expected<SampledRun> runSampled(const Cloth& cloth, const scene::Scene& scene, const Extent& extent,
                                const Sampling& sampling, Job& job);

}  // namespace clothlab::papers::boxerman
