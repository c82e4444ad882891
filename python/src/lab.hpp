#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "foreign.hpp"
#include "simulation/simulation.hpp"
#include "simulation/state_file.hpp"

namespace clothlab::python {

namespace py = pybind11;

/// A simulation for Python: steps without the interpreter's lock, and keeps the systems of its last two steps and a row
/// of numbers for each step.
///
/// The lock makes it safe: every function here is called with the lock, and only a step releases it. While any thread
/// runs a step, reading or changing the simulation is an error. It never waits, since a callback would wait for ever.
class Lab {
public:
    Lab(std::unique_ptr<simulation::Simulation> simulation, bool keepSystem);

    /// For reading and editing. Throws while a step runs.
    simulation::Simulation& between();
    /// Takes `steps` steps, fewer if one fails, and calls `onStep()` after each unless it is None. Signals end it
    /// between steps.
    void step(std::int64_t steps, const py::object& onStep);
    /// Takes one step without the lock, of a simulation that is claimed and running; then calls `onStep()` with the
    /// lock, unless null. False if the step failed.
    bool stepUnlocked(const std::stop_token& stop, const py::object* onStep = nullptr);

    /// Nothing else may step while this exists. Construct and destroy it with the lock held.
    class Claim {
    public:
        explicit Claim(Lab& lab);
        ~Claim() { lab_.claimed_ = false; }
        Claim(const Claim&) = delete;
        Claim& operator=(const Claim&) = delete;

    private:
        Lab& lab_;
    };
    /// One or more steps without the lock run while this exists. Construct and destroy it with the lock held.
    class Running {
    public:
        explicit Running(Lab& lab) : lab_(lab) { lab_.running_ = true; }
        ~Running() { lab_.running_ = false; }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

    private:
        Lab& lab_;
    };

    /// Uses this object as solver or preconditioner from now on; None: the method before it.
    void use(const py::object& method);
    /// The active settings, with the methods before any Python objects, so that they are valid elsewhere.
    scene::Settings ownSettings();
    /// The objects in use, preconditioner and solver, or None.
    py::tuple inUse();
    /// Whether the object is one of them.
    bool uses(const py::handle& object) const;
    /// Returns the last exception of an object in use, or None, and forgets it.
    py::object takeRaised();

    /// Applies the edits of a window to a copy of this simulation. An object in use stays, unless the window has chosen
    /// another method; external forces stay if the number of particles is the same.
    void take(const simulation::HandOver& hand);

    bool keepsSystem() const { return keepSystem_; }
    std::shared_ptr<const linalg::FrozenSystem> system() const { return simulation_->sharedSystem(); }
    std::shared_ptr<const linalg::FrozenSystem> earlierSystem() const { return earlier_; }
    /// The columns of kReportColumns, for each step that was taken here.
    const std::vector<double>& rows() const { return rows_; }
    const std::vector<std::string_view>& statuses() const { return statuses_; }

private:
    void takeState(const simulation::SavedState& saved);

    std::unique_ptr<simulation::Simulation> simulation_;
    bool keepSystem_;
    bool claimed_ = false, running_ = false;
    std::shared_ptr<const linalg::FrozenSystem> earlier_;  ///< of the last step but one
    std::unique_ptr<Foreign> preconditioner_, solver_;     ///< null: not a Python object
    std::optional<solvers::Method> before_;                ///< the methods before them
    std::vector<double> rows_;
    std::vector<std::string_view> statuses_;
};

}  // namespace clothlab::python
