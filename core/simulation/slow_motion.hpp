#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "simulation/race.hpp"

/// Slow motion: the iterates of a linear solve, kept one by one, so that a class sees where an iteration has arrived: the
/// cloth at x + h (v + dv_k), coloured by the error against the solution. Smoothers such as Jacobi take the short waves out
/// of the error and leave the long ones; a coarse method does it the other way round.
namespace clothlab::simulation {

struct SlowMotion {
    struct Method {
        Contestant who;
        solvers::SolveStatus status = solvers::SolveStatus::NotRun;
        std::vector<int> iteration;               ///< of each frame, from 0; not all of a long solve
        std::vector<std::vector<float>> deltaV;   ///< per frame, #P x 3, m/s
        std::vector<float> residuals;             ///< per frame, relative
        std::string message;

        std::size_t frames() const { return iteration.size(); }
    };
    int step = 0;
    double dt = 0;                   ///< s
    std::vector<float> inertial;     ///< x + h v, #P x 3, m: where the cloth would be with dv = 0
    std::vector<float> solution;     ///< dv of a direct solve, #P x 3, m/s
    std::vector<Method> methods;     ///< one or two
    double largestError = 0;         ///< over particles, of any method's first frame, m/s

    /// |dv_k - dv| of each particle, m/s.
    void errors(std::size_t method, std::size_t frame, std::vector<float>& out) const;
    /// x + h (v + dv + exaggeration (dv_k - dv)): with 1 the cloth as the iterate has it, m.
    void positions(std::size_t method, std::size_t frame, double exaggeration, std::vector<float>& out) const;
};

/// Solves the system with each method from zero and keeps at most `mostFrames` iterates of each: all of the first ones, and
/// of a longer solve ever fewer, evenly over its logarithm.
SlowMotion recordSlowMotion(const linalg::FrozenSystem& system, const linalg::BlockVector& x, const linalg::BlockVector& v,
                            const std::vector<Contestant>& methods, std::size_t mostFrames, const std::stop_token& stop,
                            WorkerPool& pool);

}  // namespace clothlab::simulation
