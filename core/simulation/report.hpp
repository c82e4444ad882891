#pragma once

#include <string>

#include "cloth/seam_counts.hpp"
#include "contact/settings.hpp"
#include "integrators/integrator.hpp"

namespace clothlab::simulation {

/// The methods of a step, which may differ from the current settings: the source of names and colours in plots.
struct StepMethods {
    integrators::IntegratorKind integrator{};
    solvers::SolverSettings solver;
    preconditioners::PreconditionerSettings preconditioner;

    bool usesSolver() const { return integrators::usesSolver(integrator); }
    /// Whether the settings solve a step's system in the same way; for explicit methods the solver does not matter.
    bool sameAs(const StepMethods& other) const;
};

/// The results of one step: scalars only, so that reports can be queued without losing any.
/// Wide on purpose: one member per number that a step reports; kReportColumns lists them.
struct StepReport {
    /// Leads from state `step` - 1 to state `step`. A failed step has the number that it would have had; time,
    /// energies, contacts and hash are then of the state before, which stays.
    std::int64_t step = 0;
    StepMethods methods;
    double timeSeconds = 0;  ///< simulated time after the step
    integrators::StepStatus status = integrators::StepStatus::Ok;
    solvers::SolveStatus solveStatus = solvers::SolveStatus::NotRun;
    int iterations = 0;         ///< of the linear solver (explicit integrators: 0)
    int doubleIterations = 0;   ///< with a matrix in single precision: those that needed it in double
    int linearIterations = 0;   ///< of all its linear solves
    int outerIterations = 0;    ///< passes of a method that solves more than once per step; 0: it solves once
    double outerResidual = -1;  ///< residual of the last of them, relative to the first; negative: none
    double dt = 0;              ///< s, length of the step
    double explicitLimit =
        0;             ///< s, longest step that the explicit part allows, as Simulation::explicitLimit; infinity = any
    int rejected = 0;  ///< earlier attempts rejected by an adaptive schedule
    int substeps = 1;
    Index implicitSprings = 0, explicitSprings = 0;  ///< with and without a Jacobian, including slack ones
    bool uncoupled = false;                          ///< A was diagonal: the step had no system to solve
    double trueRelativeResidual = -1;
    double icShift = 0;          ///< diagonal shift of an incomplete factorization, 0 = none
    Index coarseUnknowns = 0;    ///< of a deflation, 0 = none
    Index domains = 0;           ///< of the solver `interface`, 0 = another solver
    Index interfaceRows = 0;     ///< particles between them
    double coarseMs = 0;         ///< for its coarse space, part of factorMs
    int factorAge = 0;           ///< steps since a lagged factor was made, or since a method's own became outdated
    bool factorAdopted = false;  ///< the step adopted a factor made in the background
    /// ms, the latest times of a method with its own factor for a new one, and for a change by extra columns; negative:
    /// none yet.
    double newFactorMs = -1, factorColumnsMs = -1;
    double fill = 0, flops = 0;  ///< entries of a factor, complete or incomplete, and the operations that made it
    double relativeFill = 0;     ///< blocks of an incomplete factor, in multiples of the lower half of its matrix
    double solverBytes = 0;      ///< of the factor or preconditioner
    double stepMs = 0, assembleMs = 0, analyzeMs = 0, factorMs = 0, solveMs = 0, contactMs = 0, otherMs = 0;
    double kineticJ = 0, gravityJ = 0, stretchJ = 0, shearJ = 0, bendJ = 0;
    double repulsionJ = 0;      ///< of the pairs currently closer than their distance
    double sewingJ = 0;         ///< of threads
    double maxStrain = 0;       ///< largest (l - L)/L of the stretch springs
    double maxShearStrain = 0;  ///< of the shear springs
    int contacts = 0;
    Index brokenSprings = 0;
    Index repulsionPairs = 0;  ///< of particles, active in the step
    integrators::ContactRepeats contactRepeats;
    contact::SelfContactCounts selfContact;
    integrators::LimitedSprings limited;
    cloth::SeamCounts seams;  ///< after the step
    double energyGivenJ = 0;  ///< to the velocities, by the energy budget
    Index ndofCounts[4] = {0, 0, 0, 0};
    int components = -1;         ///< of the implicit graph; negative: not searched
    Index largestComponent = 0;  ///< particles
    double rowIterations =
        0;                   ///< sum over the components of iterations x particles; the whole system: iterations x all
    int cutPairs = 0;        ///< springs cut between components
    double decomposeMs = 0;  ///< search and copies
    double ghostDistance = -1,
           ghostRms = -1;  ///< m, to a second cloth (simulation::Branch); negative: none
    int threads = 1;
    std::uint64_t stateHash = 0;
    std::string message;  ///< for the user, when the status is not ok
    std::string advice;   ///< end of the message of a failed step: what may help, untried (cure.hpp tries)
    std::string warning;  ///< a warning about the motion although the step is ok; given once

    double elasticJ() const { return stretchJ + shearJ + bendJ + repulsionJ + sewingJ; }
    double totalJ() const { return kineticJ + gravityJ + elasticJ(); }
};

/// Whether the time of contact is worth reporting: the cloth has self-contact, or contact takes a tenth of a step or
/// more.
bool tellsContactTime(const contact::ContactSettings& contact, double meanContactMs, double meanStepMs);

/// The report of an outcome, as one whole system of `particles`; other members are defaults.
StepReport makeReport(const integrators::StepOutcome& outcome, double stepSeconds, Index particles);
/// Adds energies and strains of the state that the step led to.
void addEnergies(const cloth::ForceModel::Energies& energies, StepReport& report);
/// Adds the results of a solve by components.
void addComponents(const solvers::SolveSummary& solve, StepReport& report);

}  // namespace clothlab::simulation
