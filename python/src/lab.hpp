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

/// A simulation as Python has it: steps without the interpreter's lock, keeps the systems of its last two steps and a
/// row of numbers for each step.
///
/// The lock is what makes it safe: everything here is called with it, and only a step lets go of it. While a step runs,
/// from whatever thread, the simulation can be neither read nor changed; that is an error and never a wait, which a
/// callback that asks would never see the end of.
class Lab {
public:
    Lab(std::unique_ptr<simulation::Simulation> simulation, bool keepSystem);

    /// For reading and editing. Throws while a step runs.
    simulation::Simulation& between();
    /// So many steps, fewer when one fails; after each `onStep()` unless it is None. Signals end it between steps.
    void step(std::int64_t steps, const py::object& onStep);
    /// One step without the lock, of a simulation that is claimed and running; then with the lock `onStep()`, unless
    /// null. False: it failed.
    bool stepUnlocked(const std::stop_token& stop, const py::object* onStep = nullptr);

    /// Nothing else may step while this lives. Made and ended with the lock.
    class Claim {
    public:
        explicit Claim(Lab& lab);
        ~Claim() { lab_.claimed_ = false; }
        Claim(const Claim&) = delete;
        Claim& operator=(const Claim&) = delete;

    private:
        Lab& lab_;
    };
    /// A step, or several without the lock in between, run while this lives. Made and ended with the lock.
    class Running {
    public:
        explicit Running(Lab& lab) : lab_(lab) { lab_.running_ = true; }
        ~Running() { lab_.running_ = false; }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

    private:
        Lab& lab_;
    };

    /// From now on this object solves, or preconditions; None: what did before.
    void use(const py::object& method);
    /// The active settings, with what was there before in place of objects of Python: those mean something elsewhere.
    scene::Settings ownSettings();
    /// The objects in use, preconditioner and solver, or None.
    py::tuple inUse();
    /// Whether the object is one of them.
    bool uses(const py::handle& object) const;
    /// What an object in use raised last, or None; only once.
    py::object takeRaised();

    /// What a hand did to a copy of it. An object in use stays, unless the hand has chosen another method; forces from
    /// outside stay while the particles are as many.
    void take(const simulation::HandOver& hand);

    bool keepsSystem() const { return keepSystem_; }
    std::shared_ptr<const linalg::FrozenSystem> system() const { return simulation_->sharedSystem(); }
    std::shared_ptr<const linalg::FrozenSystem> earlierSystem() const { return earlier_; }
    /// Column after column of kReportColumns, of each step that was taken here.
    const std::vector<double>& rows() const { return rows_; }
    const std::vector<std::string_view>& statuses() const { return statuses_; }

private:
    void takeState(const simulation::SavedState& saved);

    std::unique_ptr<simulation::Simulation> simulation_;
    bool keepSystem_;
    bool claimed_ = false, running_ = false;
    std::shared_ptr<const linalg::FrozenSystem> earlier_;  ///< of the step before the last
    std::unique_ptr<Foreign> preconditioner_, solver_;     ///< null: none of Python's
    std::optional<solvers::Method> before_;                ///< them
    std::vector<double> rows_;
    std::vector<std::string_view> statuses_;
};

}  // namespace clothlab::python
