#pragma once

#include "linalg/cholmod_factor.hpp"
#include "linalg/reduced_system.hpp"
#include "solvers/solver.hpp"

namespace clothlab::solvers {

/// CHOLMOD on the reduced system (methods §10.1). The symbolic factor is kept while the reduced pattern lasts.
class Cholesky final : public Solver {
public:
    explicit Cholesky(const SolverSettings& settings) : settings_(settings) {}
    std::string_view name() const override { return "cholesky"; }
    void solve(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
               const SolveControl& control, WorkerPool& pool) override;

private:
    SolverSettings settings_;
    linalg::ReducedSystem reduced_;
    linalg::CholmodFactor factor_;
    linalg::BlockVector y_;
};

}  // namespace clothlab::solvers
