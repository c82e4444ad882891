#pragma once

#include "papers/boxerman/boxerman.hpp"

/// Common parts of the experiments of [B] chapter 6: the sheet of 1.5 m, and systems of its steps solved whole and
/// by components.
namespace clothlab::papers::boxerman {

/// "In some experiments, the cloth sticks and in some it slips, dependant on friction constants."
enum class Friction : int { Sticking, Slipping, Sliding };
inline constexpr std::array kFrictions{
    EnumEntry{int(Friction::Sticking), "sticking", "coefficients 10: touching particles are held"},
    EnumEntry{int(Friction::Slipping), "slipping", "coefficients 0.2: held on top, slips on the flanks"},
    EnumEntry{int(Friction::Sliding), "sliding", "none: nothing is ever held"},
};
constexpr std::span<const EnumEntry> enumTable(Friction) { return kFrictions; }

/// The implicit springs of the compared systems.
enum class Implicit : int { Adaptive, Stretch };
inline constexpr std::array kImplicits{
    EnumEntry{int(Implicit::Adaptive), "adaptive", "by the thesis' rule, spring by spring, bend always explicit"},
    EnumEntry{int(Implicit::Stretch), "stretch", "stretch only, as in the captions of figures 6.4 to 6.6"},
};
constexpr std::span<const EnumEntry> enumTable(Implicit) { return kImplicits; }

/// One of the 500 sets: the grid of [B] §5.3.1 at 1.5 m, "chosen randomly as a permutation" of its values. So few
/// sheets of each size are run that random values would decide the mean: they are stratified, `number` counts the
/// sheets of that size.
Cloth drawnForDecomposition(const ReproduceOptions& options, Configuration configuration, int side, int number);

/// Steps by adaptive IMEX, rule `safe`, with MPCG and CP at the strictest reading of the thesis' tolerance.
scene::Scene decomposingScene(const Cloth& cloth, Friction friction);

/// The system of the simulation's next step, with other springs implicit. The simulation itself does not take that
/// step: with stiff bend or shear explicit it would not survive many (E-53). An Error when stopped. `look` sees the
/// simulation after that step, before it goes back.
Expected<linalg::FrozenSystem> systemOfNextStep(simulation::Simulation& simulation, Implicit which, Job& job,
                                                const std::function<void(const simulation::Simulation&)>& look = {});

/// MPCG with CP, whole or by components.
Method wholeOrDecomposed(double tolerance, bool decompose);

/// Sums over systems that were solved both ways.
struct BothWays {
    /// RV: iterations x particles, as [B] §6.4 counts them; the whole includes all particles, held or not.
    double whole = 0, decomposed = 0;
    double skipping = 0;                   ///< RV of the whole without the held particles
    double wholeMs = 0, decomposedMs = 0;  ///< medians; without symbolic analysis
    double components = 0;
    double largest = 0;  ///< shares of the particles in the largest component
    double held = 0;     ///< shares of the particles with ndof 0

    /// Adds a system: solves it `pairs` times in alternating order. `both` are the whole, then the decomposed.
    void add(std::span<KeptSolver, 2> both, const linalg::FrozenSystem& system, int pairs, Job& job);
};

struct Sampling {
    int readings = 1;           ///< of the tolerance: the first so many of kReadings
    bool stretchAlone = false;  ///< with only stretch implicit as well as by the thesis' rule
    int pairs = 1;              ///< timed solves of a system, each way
};

struct SampledRun {
    std::array<std::array<BothWays, kReadings.size()>, kImplicits.size()> sums;  ///< by implicit springs, then reading
    int systems = 0;
    double restMs = 0;      ///< of the sampled steps, without their solve
    double drift = 0;       ///< sideways displacement of the middle of the sheet at the end, m; not a sum
    bool diverged = false;  ///< the guard ended it; the systems up to there count

    /// The divisor of the sums.
    double count() const { return std::max(1, systems); }
};

/// An Error when stopped.
Expected<SampledRun> runSampled(const Cloth& cloth, const scene::Scene& scene, const Extent& extent,
                                const Sampling& sampling, Job& job);

}  // namespace clothlab::papers::boxerman
