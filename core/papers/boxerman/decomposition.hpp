#pragma once

#include <array>
#include <memory>

#include "papers/boxerman/boxerman.hpp"
#include "papers/boxerman/scenes.hpp"

/// What the experiments of [B] chapter 6 have in common: the sheet of 1.5 m, and its systems solved whole and by
/// components.
namespace clothlab::simulation::boxerman {

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

/// One of the 500 sets: the grid of §5.3.1 at 1.5 m, "chosen randomly as a permutation" of its values. So few sheets of
/// a size are run that values left to chance would decide the mean: they are dealt, `number` counts the sheets of that
/// size.
Cloth drawnForDecomposition(const ReproduceOptions& options, Configuration configuration, int side, int number);

/// Steps by adaptive IMEX, rule `safe`, with MPCG and CP at the strictest reading of the thesis' tolerance.
scene::Scene decomposingScene(const Cloth& cloth, Friction friction);

/// Of the step that the simulation is about to take, with other springs implicit. The simulation itself does not take
/// that step: with stiff bend or shear explicit it would not survive many (E-53). An Error when stopped.
Expected<linalg::FrozenSystem> systemOfNextStep(Simulation& simulation, Implicit which, Job& job);

/// MPCG with CP on the same systems, whole and by components. Keeps both solvers, so that only first solves allocate.
class BothWays {
public:
    explicit BothWays(double tolerance);

    /// RV: iterations x particles, as [B] §6.4 counts them; the whole has all particles in it, held or not.
    struct Counts {
        double whole = 0, decomposed = 0;
        double wholeMs = 0, decomposedMs = 0;  ///< medians; without symbolic analysis
        int components = 0;
        Index largest = 0;  ///< particles
    };
    /// `pairs` times one after the other, each time in the other order.
    Counts solve(const linalg::LinearSystem& system, int pairs, Job& job);

    const linalg::BlockVector& wholeDeltaV() const { return whole_.deltaV; }
    const linalg::BlockVector& decomposedDeltaV() const { return decomposed_.deltaV; }
    const solvers::SolveSummary& decomposedSummary() const { return decomposed_.summary; }

private:
    struct Way {
        std::unique_ptr<solvers::Solver> solver;
        linalg::BlockVector deltaV;
        solvers::SolveSummary summary;
        std::vector<double> ms;
    };
    static Way wayOf(double tolerance, bool decompose);

    Way whole_, decomposed_;
};

}  // namespace clothlab::simulation::boxerman
