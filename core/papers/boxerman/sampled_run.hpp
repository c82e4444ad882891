#pragma once

#include <array>

#include "papers/boxerman/decomposition.hpp"
#include "papers/set_experiment.hpp"

/// A sheet moves ([B] §6.4), and systems of its steps are solved whole and by components.
namespace clothlab::simulation::boxerman {

struct Sampling {
    int readings = 1;           ///< of the tolerance: the first so many of kReadings
    bool stretchAlone = false;  ///< with stretch alone implicit as well as by the thesis' rule
    int pairs = 1;              ///< timed solves of a system, each way
};

/// Sums over the sampled systems.
struct SampledRun {
    /// RV: iterations x particles.
    struct OfReading {
        double whole = 0, decomposed = 0;
        double skipping = 0;  ///< what leaving the held particles out of the whole would give
    };
    struct OfImplicit {
        std::array<OfReading, kReadings.size()> readings;
        double components = 0;
        double largest = 0;                    ///< shares of the particles in the largest component
        double wholeMs = 0, decomposedMs = 0;  ///< by the first reading
    };
    std::array<OfImplicit, kImplicits.size()> sums;
    int systems = 0;
    double held = 0;        ///< shares of the particles with ndof 0
    double restMs = 0;      ///< of the sampled steps, what is not their solve
    double drift = 0;       ///< how far the middle of the sheet has moved sideways in the end, m; not a sum
    bool diverged = false;  ///< the guard ended it; the systems up to there count

    /// To divide a sum by.
    double count() const { return std::max(1, systems); }
};

/// An Error when stopped.
Expected<SampledRun> runSampled(const Cloth& cloth, const scene::Scene& scene, const Extent& extent,
                                const Sampling& sampling, Job& job);

}  // namespace clothlab::simulation::boxerman
