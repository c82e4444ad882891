#pragma once

#include <array>

#include "papers/boxerman/decomposition.hpp"

/// A sheet falls on a sphere ([B] §6.4.2), and systems of its steps are solved whole and by components.
namespace clothlab::simulation::boxerman {

struct SphereSample {
    double seconds;     ///< of the motion
    int samples;        ///< systems of it, evenly spread
    int readings;       ///< of the tolerance: the first so many of kReadings
    bool stretchAlone;  ///< with stretch alone implicit as well as by the thesis' rule
};

/// Sums over the sampled systems.
struct SphereRun {
    /// RV: iterations x particles.
    struct OfReading {
        double whole = 0, decomposed = 0;
        double skipping = 0;  ///< what leaving the held particles out of the whole would give
    };
    struct OfImplicit {
        std::array<OfReading, kReadings.size()> readings;
        double components = 0;
        double largest = 0;  ///< shares of the particles in the largest component
    };
    std::array<OfImplicit, kImplicits.size()> sums;
    int systems = 0;
    double held = 0;        ///< shares of the particles with ndof 0
    double drift = 0;       ///< how far the middle of the sheet has moved sideways in the end, m; not a sum
    bool diverged = false;  ///< the guard ended it; the systems up to there count
};

/// An Error when stopped.
Expected<SphereRun> runOnSphere(const Cloth& cloth, const scene::Scene& scene, const SphereSample& sample,
                                const ReproduceControl& control, WorkerPool& pool);

}  // namespace clothlab::simulation::boxerman
