#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "cloth/cloth_model.hpp"

namespace clothlab::cloth {

/// Pressure drag of the air ([B] (3.17) with the sign and the modulus that print lost, E-04):
/// f_i = -1/2 rho c_w A_i |n_i . w| w,  w = v_i - wind, with A_i the particle's rest area and n_i the normalized sum of
/// the area vectors of its facets. An explicit force. Two passes without races: facets, then particles.
class PressureDrag {
public:
    /// Lists the facets of each particle. Call after a change of the mesh or of `torn`: a flag per facet; empty = none.
    void analyze(const ClothModel& model, std::span<const std::uint8_t> torn);

    struct Air {
        Vec3 velocity;  ///< m/s
        double factor;  ///< 1/2 rho c_w, kg/m^3
    };
    /// force[i] = drag on particle i, N.
    void evaluate(const ClothModel& model, const linalg::BlockVector& x, const linalg::BlockVector& v, const Air& air,
                  linalg::BlockVector& force, WorkerPool& pool);

private:
    std::vector<Index> start_, facet_;  // facets of particle i: facet_[start_[i] .. start_[i + 1])
    std::vector<double> area_;          // m^2, rest area of each particle without its torn facets
    linalg::BlockVector areaVector_;    // m^2, twice the area vector of each facet, by its share
};

}  // namespace clothlab::cloth
