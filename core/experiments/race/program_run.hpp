#pragma once

#include <optional>

#include "experiments/race/race.hpp"

/// The input of a user's program, and the evaluation of its answer.
namespace clothlab::experiments {

/// The files of the system, for all programs and tolerances of a race: A S (3N x 3N) b z x0 (3N) in each of the
/// formats, and positions (3N) where they are known.
class ProgramFiles {
public:
    /// An Error where a format cannot hold the matrix.
    static Expected<ProgramFiles> of(const linalg::FrozenSystem& system, const linalg::BlockVector* positions,
                                     int threads);

    /// Writes them and problem.json, which says what each is, the tolerance and the norm that is measured.
    Expected<void> write(const std::string& folder, double tolerance, int maxIterations) const;
    std::size_t bytes() const;

private:
    explicit ProgramFiles(const linalg::FrozenSystem& system) : system_(&system) {}
    bool has(std::string_view stem) const;

    const linalg::FrozenSystem* system_;
    int threads_ = 1;
    bool withPositions_ = false;
    std::vector<std::pair<std::string, std::string>> files_;  ///< names and contents
};

/// A program's report on its solve: answer.json.
struct ProgramAnswer {
    double setUpSeconds = 0, solveSeconds = 0;
    int iterations = 0;
    std::optional<double> residual = {};
};
/// {"setup_s": 0.12, "solve_s": 0.34, "iterations": 56, "residual": 8.1e-4}, the residual optional, other keys free. An
/// Error has line and column.
Expected<ProgramAnswer> readAnswer(std::string_view json, const std::string& file);

/// x.npy of so many particles: float64, (3N,), (3N, 1) or (N, 3). Its numbers may be anything.
Expected<linalg::BlockVector> readSolution(std::string_view npy, const std::string& file, Index particles);

/// Runs a program on the system, in its own temporary folder, and measures its residual. Failures are in the status and
/// the message of the row. `files`: an Error there is the row's.
RaceRow runProgram(const Program& program, const linalg::FrozenSystem& system, const Expected<ProgramFiles>& files,
                   double tolerance, const RaceOptions& options, const RaceControl& control, int threads);

}  // namespace clothlab::experiments
