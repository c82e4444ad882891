#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "simulation/simulation.hpp"

/// A race on a frozen frame of the methods that go down the energy g of an implicit step (methods §12; [L] figure 2):
/// from the same state, each with its own iterations, measured by the relative error
///
///     (g(x_k) - g(x*)) / (g(x_0) - g(x*))      [L] (15)
///
/// x* is where Newton with the exact Hessian and a direct solver ends; x_0 is inertia alone, the same for all. Each
/// method takes the step twice, and the second time counts: the factor of local/global and symbolic work are there, as
/// they are in a motion. Looking at an iterate is left out of its time.
namespace clothlab::experiments {

struct NonlinearContestant {
    std::string key, label;
    scene::Settings settings;
};

/// Local/global plain and accelerated, and Newton with each kind of linear solver; the step and the cloth are those of
/// `active`.
std::vector<NonlinearContestant> nonlinearField(const scene::Settings& active);

struct NonlinearRow {
    std::size_t contestant = 0;
    std::vector<double> error, milliseconds;  ///< per iterate, 0 = the start
    int linearIterations = 0;                 ///< of all its solves
    std::string problem;                      ///< why it stopped early, or nothing

    double msPerIteration() const;
    /// Of the first iterate at or below this error; negative: none is.
    double timeTo(double wanted) const;
};

struct NonlinearRace {
    std::string scene;
    int step = 0, threads = 1;
    Index particles = 0, springs = 0;
    double startEnergy = 0, leastEnergy = 0;  ///< g at x_0 and x*, kg m^2
    std::vector<NonlinearContestant> field;
    std::vector<NonlinearRow> rows;
};

struct NonlinearControl {
    int localGlobalIterations = 300, newtonIterations = 30;
    std::stop_token stop = {};
    std::function<void(const NonlinearRace&, double)> onRow = {};  ///< after each row; the share that is done
};

/// `simulation` stands at the state from which the step is taken. An Error when Newton finds no x*.
Expected<NonlinearRace> raceNonlinear(const simulation::Simulation& simulation, std::vector<NonlinearContestant> field,
                                      const NonlinearControl& control);

std::string nonlinearTable(const NonlinearRace& race);
/// A line per iterate: method, iteration, milliseconds, error.
std::string nonlinearCsv(const NonlinearRace& race);
std::string toJson(const NonlinearRace& race);

}  // namespace clothlab::experiments
