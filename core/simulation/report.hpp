#pragma once

#include <string>

#include "cloth/seam_counts.hpp"
#include "contact/settings.hpp"
#include "integrators/integrator.hpp"

namespace clothlab::simulation {

/// What made a step: not what is set now. Who draws what a step did takes names and colours from here.
struct StepMethods {
    integrators::IntegratorKind integrator{};
    solvers::SolverSettings solver;
    preconditioners::PreconditionerSettings preconditioner;

    bool usesSolver() const { return integrators::usesSolver(integrator); }
    /// The settings would solve a step's system in the same way; of two explicit ones the solver does not matter.
    bool sameAs(const StepMethods& other) const;
};

/// What one step did: scalars only, so that reports can be queued without losing any.
/// Wide on purpose: one member for each number that a step reports; kReportColumns lists them.
struct StepReport {
    /// Leads from state `step` - 1 to state `step`. A step that failed has the number that it would have had; time,
    /// energies, contacts and hash are then of the state before, which stays.
    std::int64_t step = 0;
    StepMethods methods;
    double timeSeconds = 0;  ///< simulated time after the step
    integrators::StepStatus status = integrators::StepStatus::Ok;
    solvers::SolveStatus solveStatus = solvers::SolveStatus::NotRun;
    int iterations = 0;         ///< of the linear solver (explicit integrators: 0)
    int doubleIterations = 0;   ///< of a matrix kept in single precision: those that needed it in double
    int linearIterations = 0;   ///< of all its linear solves
    int outerIterations = 0;    ///< passes of a method that solves more than once per step; 0: it solves once
    double outerResidual = -1;  ///< what the last of them found left to do, relative to the first; negative: none
    double dt = 0;              ///< s, length of the step
    double explicitLimit =
        0;             ///< s, longest step that the explicit part allows, as Simulation::explicitLimit; infinity = any
    int rejected = 0;  ///< attempts before it that an adaptive schedule gave up
    int substeps = 1;
    Index implicitSprings = 0, explicitSprings = 0;  ///< with and without a Jacobian, slack ones too
    bool uncoupled = false;                          ///< A was diagonal: the step had no system to solve
    double trueRelativeResidual = -1;
    double icShift = 0;          ///< diagonal shift of an incomplete factorization, 0 = none was needed
    Index coarseUnknowns = 0;    ///< of a deflation, 0 = there is none
    Index domains = 0;           ///< of the solver `interface`, 0 = that is not the solver
    Index interfaceRows = 0;     ///< particles between them
    double coarseMs = 0;         ///< for its coarse space, part of factorMs
    int factorAge = 0;           ///< steps since a lagged factor was made, or since a method's own fell behind
    bool factorAdopted = false;  ///< the step began to use a factor that was made in the background
    /// ms, what a method with a factor of its own needed last for a new one, and for a change by extra columns;
    /// negative: not yet.
    double newFactorMs = -1, factorColumnsMs = -1;
    double fill = 0, flops = 0;  ///< entries of a factor, complete or incomplete, and the operations that made it
    double relativeFill = 0;     ///< blocks of an incomplete factor, in multiples of the lower half of its matrix
    double solverBytes = 0;      ///< of the factor or preconditioner
    double stepMs = 0, assembleMs = 0, analyzeMs = 0, factorMs = 0, solveMs = 0, contactMs = 0, otherMs = 0;
    double kineticJ = 0, gravityJ = 0, stretchJ = 0, shearJ = 0, bendJ = 0;
    double repulsionJ = 0;      ///< of the pairs that are closer than their distance now
    double sewingJ = 0;         ///< of threads
    double maxStrain = 0;       ///< largest (l - L)/L of the stretch springs
    double maxShearStrain = 0;  ///< of the shear springs
    int contacts = 0;
    Index brokenSprings = 0;
    Index repulsionPairs = 0;  ///< of particles that acted in the step
    integrators::ContactRepeats contactRepeats;
    contact::SelfContactCounts selfContact;
    integrators::LimitedSprings limited;
    cloth::SeamCounts seams;  ///< after the step
    double energyGivenJ = 0;  ///< to the velocities, by the energy budget
    Index ndofCounts[4] = {0, 0, 0, 0};
    int components = -1;         ///< of the implicit graph; negative: nobody searched for them
    Index largestComponent = 0;  ///< particles
    double rowIterations =
        0;                   ///< sum over the components of iterations x particles; the whole system: iterations x all
    int cutPairs = 0;        ///< springs cut between components
    double decomposeMs = 0;  ///< search and copies
    double ghostDistance = -1,
           ghostRms = -1;  ///< m, to a second cloth beside it (simulation::Branch); negative: there is none
    int threads = 1;
    std::uint64_t stateHash = 0;
    std::string message;  ///< for the user, when the status is not ok
    std::string advice;   ///< the end of the message of a step that failed: what may help, untried (cure.hpp tries)
    std::string warning;  ///< what is true of the motion although the step went well; said once

    double elasticJ() const { return stretchJ + shearJ + bendJ + repulsionJ + sewingJ; }
    double totalJ() const { return kineticJ + gravityJ + elasticJ(); }
};

/// Whether the time that contact took is worth words: the cloth minds itself, or contact is a tenth of the steps or
/// more.
bool tellsContactTime(const contact::ContactSettings& contact, double meanContactMs, double meanStepMs);

/// What the outcome of a step says by itself, as a whole system of so many particles; all else is as it is by default.
StepReport reportOf(const integrators::StepOutcome& outcome, double stepSeconds, Index particles);
/// Energies and strains of the state that the step led to.
void addEnergies(const cloth::ForceModel::Energies& energies, StepReport& report);
/// Of a solve by components.
void addComponents(const solvers::SolveSummary& solve, StepReport& report);

}  // namespace clothlab::simulation
