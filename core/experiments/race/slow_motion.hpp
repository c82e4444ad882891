#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "experiments/race/error_waves.hpp"
#include "experiments/race/race.hpp"

/// Slow motion: the iterates of a linear solve, kept one by one, so that a class sees how far an iteration has come:
/// the cloth with the velocity change dv_k, coloured by its error against the solution, or by its residual. Smoothers
/// such as Jacobi remove the short waves of the error and leave the long ones; a coarse method does the opposite.
///
/// MPCG iterates on all of dv and filters the constrained directions, reduced PCG on the free directions only. Both are
/// shown as the dv that they represent, with one error and one residual, S(b - A dv), so that they can be compared.
namespace clothlab::experiments {

struct SlowMotion {
    /// The quantity that colours a particle.
    enum class Measure { Error, Residual };

    struct Method {
        Contestant who;
        solvers::SolveStatus status = solvers::SolveStatus::NotRun;
        std::vector<int> iteration;               ///< of each frame, from 0; a subset for a long solve
        std::vector<std::vector<double>> deltaV;  ///< per frame, #P x 3, m/s: as the solver has it, bit for bit
        std::vector<std::vector<float>>
            undone;  ///< per frame, #P: |S(b - A dv_k)| of each particle; its mean square is that of the residual
        std::vector<double> residuals;  ///< per frame: |S(b - A dv_k)| / |S(b - A (I-S) z)|
        std::string message;

        std::size_t frames() const { return iteration.size(); }
    };
    int step = 0;
    double reach = 0;                         ///< s, by how much dv moves a particle
    std::vector<double> inertial;             ///< #P x 3, m: where the cloth would be with dv = 0
    std::vector<double> solution;             ///< dv of a direct solve, #P x 3, m/s
    std::vector<Method> methods;              ///< one or two
    std::shared_ptr<const ErrorWaves> waves;  ///< the decomposition of the errors

    /// dv_k - dv, #P x 3, m/s.
    std::vector<double> computeError(std::size_t method, std::size_t frame) const;
    /// |dv_k - dv| of each particle, m/s.
    void errors(std::size_t method, std::size_t frame, std::vector<float>& out) const;
    /// The amplitudes of dv_k - dv per band of `waves`, m/s.
    std::vector<double> amplitudes(std::size_t method, std::size_t frame) const;
    /// x + h (v + dv + exaggeration (dv_k - dv)): with 1 the cloth of the iterate itself, m.
    void positions(std::size_t method, std::size_t frame, double exaggeration, std::vector<float>& out) const;
};

/// The step shown in slow motion.
struct SlowMotionOf {
    const linalg::FrozenSystem& system;
    const linalg::FrozenSystem* earlier =
        nullptr;                       ///< of the previous step, whose factor a lagged method starts with, as in a race
    const linalg::BlockVector& after;  ///< positions at the end of the step, m
    struct Grid {
        int rows, columns;
        double spacing;  ///< m
    };
    std::optional<Grid> grid = {};  ///< the particles are those of one grid, row after row
};

/// Solves the system with each method from zero, with its own rule and tolerance, and keeps at most `mostFrames`
/// iterates of each: all of the first ones, and of a longer solve ever fewer, evenly over its logarithm.
SlowMotion recordSlowMotion(const SlowMotionOf& of, const std::vector<Contestant>& methods, std::size_t mostFrames,
                            const std::stop_token& stop, WorkerPool& pool);

}  // namespace clothlab::experiments
