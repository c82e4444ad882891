#pragma once

#include <array>
#include <vector>

#include "integrators/stages/after_solve.hpp"

namespace clothlab::integrators {

/// Quantities made equal for welded particles.
enum class Welds : int {
    Places,     ///< and velocities
    Velocities  ///< after stages that change single particles
};

/// Seams whose threads weld (cloth/sewing.hpp). Threads that begin a step closed, after their time, end it with all
/// that they join in one place x, with one velocity:
///
///     x = (sum_p m_p)^-1 sum_p m_p x_p
///
/// and the same for velocities, so that momentum is kept. Held particles count as infinitely heavy in the directions in
/// which they are held; where pins or solids hold two of them in different places, nothing is welded. Self-contact
/// comes later and may leave a tiny gap between them, which the next step closes.
class WeldingStage final : public CandidateStage {
public:
    explicit WeldingStage(Welds welds) : welds_(welds) {}
    void resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                 StepOutcome& outcome) override;

private:
    void findPlaces(const SimulationState& state, const cloth::ClothModel& model);
    bool areParted(std::span<const std::array<Index, 2>> place, const SimulationState& candidate) const;
    void join(const cloth::ClothModel& model, std::span<const std::array<Index, 2>> place,
              SimulationState& candidate) const;

    const Welds welds_;
    HeldParticles held_;
    std::vector<std::array<Index, 2>> members_;  // {first, particle}, ascending, of places with several particles
};

}  // namespace clothlab::integrators
