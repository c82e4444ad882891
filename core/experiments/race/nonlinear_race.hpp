#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace clothlab::simulation {
class Simulation;
}

/// A race of the methods that minimize the energy g of an implicit step, on a frozen frame (methods §12; [L] figure 2):
/// from the same state, each with its own iterations, measured by the relative error
///
///     (g(x_k) - g(x*)) / (g(x_0) - g(x*))      [L] (15)
///
/// x* is where Newton with the blended Hessian ends (integrators/descent/step_hessian); if a method ends below it, the
/// lowest value counts. x_0 is inertia only, the same for all. Before a method is timed it takes one iteration: the
/// factor of local/global and symbolic work exist then, as they do in a motion. Measuring an iterate is not part of its
/// time.
namespace clothlab::experiments {

struct NonlinearContestant {
    std::string key, label;
    scene::Settings settings;
    /// It converges to the minimum of a neighbouring problem instead of x*: its error ends on a plateau.
    bool neighbouring() const;
};

/// Local/global plain and accelerated, the other methods that use its factor or move single particles, position based
/// methods, and Newton with each kind of linear solver; the step and the cloth are those of `active`.
std::vector<NonlinearContestant> nonlinearField(const scene::Settings& active);

struct NonlinearRow {
    std::size_t contestant = 0;
    std::vector<double> value, error, milliseconds;  ///< per iterate, 0 = the start; g in kg m^2
    int linearIterations = 0;                        ///< of all its solves
    double residual = -1;                            ///< of its own equations (report column outer_residual)
    std::string problem;                             ///< why it stopped early, or empty

    double msPerIteration() const;
    /// Milliseconds to the first iterate at or below this error; negative if there is none.
    double timeTo(double wanted) const;
};

/// The cloth at an iterate of plain local/global, or at x* ([L] figure 3).
struct NonlinearFrame {
    int iterations = 0;
    bool exact = false;  ///< x*, after so many iterations of its search
    double error = 0, milliseconds = 0;
    double distance = 0;           ///< from x*, m: the root of the mean square over the particles
    std::vector<float> positions;  ///< #P x 3, m
};

struct NonlinearRace {
    std::string scene;
    int step = 0, threads = 1;
    double dt = 0;  ///< s
    Index particles = 0, springs = 0;
    double startEnergy = 0, leastEnergy = 0;  ///< g at x_0 and x*, kg m^2
    double gradientLeft = 0;                  ///< |S grad g| at x*, relative to that at x_0
    bool minimumFound = false;                ///< otherwise x* is the lowest found: errors near 0 mean nothing
    std::vector<NonlinearContestant> field;
    std::vector<NonlinearRow> rows;
    std::vector<NonlinearFrame> frames;  ///< as requested, x* at the end
};

struct NonlinearControl {
    int localGlobalIterations = 300, newtonIterations = 30;
    /// Iterations of plain local/global whose positions are kept, ascending. It then makes as many as the last of them;
    /// if it ends before, its last iterate is kept.
    std::vector<int> frames = {};
    std::stop_token stop = {};
    /// Called around timed work, so that other threads can pause.
    std::function<void()> hold = {}, release = {};
    /// During the search for x*: iterations, and the remaining share of the gradient.
    std::function<void(int, double)> onSearch = {};
    std::function<void(const NonlinearRace&, double)> onRow = {};  ///< after x* and each row; the share done
};

/// `simulation` is at the state from which the step is taken. An Error if no x* was found, or it was stopped before.
Expected<NonlinearRace> raceNonlinear(const simulation::Simulation& simulation, std::vector<NonlinearContestant> field,
                                      const NonlinearControl& control);

std::string nonlinearTable(const NonlinearRace& race);
/// A line per iterate: method, iteration, milliseconds, error.
std::string nonlinearCsv(const NonlinearRace& race);
std::string toJson(const NonlinearRace& race);

}  // namespace clothlab::experiments
