#pragma once

#include <array>
#include <span>
#include <vector>

#include "worker/commands.hpp"

namespace clothlab::app::panels {

/// What the curves over steps are drawn from: one entry a step of the motion shown. A step taken again after going
/// back replaces what came after; old steps are forgotten beyond a limit.
class PlotHistory {
public:
    enum Series : std::size_t {
        Iterations,
        ContactMs,
        AssembleMs,
        SetUpMs,
        SolveMs,
        OtherMs,
        TotalJ,
        KineticJ,
        ElasticJ,
        GravityJ,
        MaxStrain,       ///< of the stretch springs
        MaxShearStrain,  ///< of the shear springs
        GhostLargest,    ///< m; NaN where there is no second cloth
        GhostRms,
        Components,        ///< NaN where nobody searched for them
        LargestComponent,  ///< particles; NaN likewise
        Dt,                ///< s
        Substep,           ///< s; NaN where the step is not divided
        ExplicitLimit,     ///< s; NaN where nothing is explicit
        kSeries
    };
    struct Method {
        integrators::IntegratorKind integrator;
        solvers::SolverKind solver;
        preconditioners::PreconditionerKind preconditioner;
        bool operator==(const Method&) const = default;
    };

    explicit PlotHistory(std::size_t limit = 20000) : limit_(limit) {}

    void push(const worker::ReportEntry& entry);
    void clear();

    bool empty() const { return steps_.empty(); }
    std::size_t size() const { return steps_.size(); }
    std::span<const double> steps() const { return steps_; }
    std::span<const double> values(Series series) const { return values_[series]; }
    std::span<const Method> methods() const { return methods_; }
    /// First entry at or after a step.
    std::size_t firstFrom(double step) const;

private:
    void dropFrom(std::size_t index);

    std::size_t limit_;
    std::vector<double> steps_;
    std::array<std::vector<double>, kSeries> values_;
    std::vector<Method> methods_;
};

}  // namespace clothlab::app::panels
