#pragma once

#include "integrators/descent/acceleration.hpp"
#include "integrators/descent/descent.hpp"
#include "integrators/descent/graph_colors.hpp"
#include "integrators/descent/spring_links.hpp"

namespace clothlab::integrators {

/// Vertex block descent (Chen, Liu, Yang and Yuksel 2024) on the step's energy g: one particle at a time, with all
/// others fixed,
///
///     H_i dx_i = -grad_i g,     H_i = m_i I + a^2 sum of the clamped blocks of its springs
///
/// in its free directions. dx_i is halved until the part of g that depends on x_i does not rise (a setting), so that g
/// never does. Particles of one color of the springs' graph share no spring, and are moved at once: the same bits at
/// any number of threads. Other interactions of a step (pairs of particles that repel) may join any two; such particles
/// are moved after the others, one by one.
///
/// Chebyshev's acceleration acts between sweeps; where g would rise, the plain sweep is taken.
class VertexBlockDescent final : public Descent {
public:
    using Descent::Descent;
    explicit VertexBlockDescent(const IntegratorSettings& settings) : Descent(settings) {}

private:
    Plan plan() const override;
    /// Cloth that nothing holds falls and slides as a whole, before and after the sweeps.
    void settle(const Way& way) const override { way.objective.keepMomentum(way.x, way.context.pool); }
    std::string start(const Way& way, bool again) override;
    Pass advance(const Way& way) override;

    void indexPairs(const StepObjective& objective);
    /// g as a function of one particle's position, up to a constant: b.d + 1/2 d.Q d + a^2 sum of E_e, at d from x_i.
    struct Local {
        Vec3 b = Vec3::Zero();
        Mat3 Q = Mat3::Zero();
    };
    Local assembleLocal(const StepObjective& objective, const linalg::BlockVector& x, Index i) const;
    double elasticEnergy(const StepObjective& objective, const linalg::BlockVector& x, Index i, const Vec3& at) const;
    /// Moves particle i; false: not finite.
    bool move(const StepObjective& objective, linalg::BlockVector& x, Index i) const;
    bool sweep(const StepObjective& objective, linalg::BlockVector& x, WorkerPool& pool) const;

    SpringLinks links_;
    Colors colors_;
    linalg::BlockVector constant_, before_, increment_, next_;
    std::vector<Index> paired_;             // how many pairs a particle has
    std::vector<Index> termsFrom_, terms_;  // which
    std::vector<Index> alone_;              // particles of pairs, ascending
    FixedPointAcceleration acceleration_{Acceleration::None, 0};
    double value_ = 0;
};

}  // namespace clothlab::integrators
