#pragma once

#include "integrators/descent/descent.hpp"
#include "integrators/descent/graph_colors.hpp"

namespace clothlab::integrators {

/// Position based dynamics for the springs (PBD: Müller and others 2007; XPBD: Macklin, Müller and Chentanez 2016;
/// methods §12.10), in substeps of iterations each. From the positions after inertia and forces, a pass moves the two
/// ends of each spring in turn, C = l - L, W = w_i + w_j, w = 1/m:
///
///     PBD     dx_i = w_i/W k' C n         k' = 1 - (1 - k)^(1/iterations): no N/m, a share that depends on both
///     XPBD    (1 + h^2 (k + d/h) W) dlambda = h^2 T + h d n.(u_j - u_i) - lambda,   dx_i = w_i dlambda n
///
/// with T the tension of the spring's own law (k its slope), d its damper, u the displacement since the start and n
/// from i to j. So XPBD supports all laws, curved bends too; PBD uses only C, one-sided for one-sided laws. XPBD adds
/// up lambda along directions of earlier iterates, and PBD has no energy: both end near the minimum of the step's
/// energy g, and not at it.
///
/// Held particles have w S instead of w. Repelling pairs and the pointer's spring are moved as in XPBD by both; drag on
/// single particles is part of w. Dampers act along their spring only; PBD leaves them out: it damps by itself.
///
/// Springs of one color share no particle, and are moved at once: the same bits at any number of threads.
class PositionBased final : public Descent {
public:
    explicit PositionBased(const IntegratorSettings& settings);

private:
    Plan plan() const override;
    std::string start(const Way& way, bool again) override;
    Pass advance(const Way& way) override;

    void updateColors(const cloth::ClothModel& model);
    /// The squared residual of a spring's equation, m^2.
    double moveByShare(const StepObjective& objective, linalg::BlockVector& x, Index e) const;
    double moveByCompliance(const StepObjective& objective, linalg::BlockVector& x, Index e);
    void movePairs(const StepObjective& objective, linalg::BlockVector& x);
    /// The inverse mass w of a particle along n, and its displacement by a unit impulse along n, w S n.
    double weight(Index i, const Vec3& n) const;
    Vec3 moved(Index i, const Vec3& n) const;

    bool compliant_;
    double share_[3] = {};  // k' of each family
    const linalg::DofConstraints* held_ = nullptr;
    std::vector<double> inverseMass_;  // 1/kg, 0: held
    std::vector<double> lambda_;       // kg m, a number a spring
    std::vector<Vec3> pairLambda_, anchorLambda_;
    Colors colors_;
    std::uint64_t revision_ = 0;
    linalg::BlockVector force_;
};

}  // namespace clothlab::integrators
