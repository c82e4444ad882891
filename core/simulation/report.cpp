#include "simulation/report.hpp"

#include <algorithm>

namespace clothlab::simulation {

bool StepMethods::sameAs(const StepMethods& other) const {
    if (integrator != other.integrator) return false;
    if (!usesSolver()) return true;
    return solver == other.solver &&
           (!solvers::usesPreconditioner(solver.kind) || preconditioner == other.preconditioner);
}

bool tellsContactTime(const contact::ContactSettings& contact, double meanContactMs, double meanStepMs) {
    constexpr double kNoticed = 0.1;
    return contact.selfCollision == contact::SelfCollision::Robust ||
           (meanContactMs > 0 && meanContactMs >= kNoticed * meanStepMs);
}

StepReport makeReport(const integrators::StepOutcome& outcome, double stepSeconds, Index particles) {
    const auto ms = [](double seconds) { return 1e3 * seconds; };
    const auto measuredMs = [&](double seconds) { return seconds < 0 ? -1 : ms(seconds); };
    const solvers::SolveSummary& solve = outcome.solve;
    StepReport report;
    report.status = outcome.status;
    report.message = outcome.message;
    report.solveStatus = solve.status;
    report.iterations = solve.iterations;
    report.doubleIterations = solve.doubleIterations;
    report.outerIterations = int(outcome.outer.size());
    for (const integrators::OuterIteration& pass : outcome.outer) report.linearIterations += pass.solveIterations;
    if (!outcome.outer.empty()) report.outerResidual = outcome.outer.back().merit;
    if (outcome.outer.empty()) report.linearIterations = solve.iterations + solve.moreIterations;
    report.rowIterations = double(solve.iterations) * particles;
    report.substeps = outcome.substeps;
    report.implicitSprings = outcome.implicitSprings;
    report.explicitSprings = outcome.explicitSprings;
    report.uncoupled = outcome.uncoupled;
    report.repulsionPairs = outcome.repulsionPairs;
    report.contactRepeats = outcome.contactRepeats;
    report.selfContact = outcome.selfContact;
    report.limited = outcome.limited;
    report.energyGivenJ = outcome.energyGiven;
    std::copy(outcome.ndofCounts, outcome.ndofCounts + 4, report.ndofCounts);
    report.trueRelativeResidual = solve.trueRelativeResidual;
    report.icShift = solve.icShift;
    report.coarseUnknowns = solve.coarseUnknowns;
    report.domains = solve.domains;
    report.interfaceRows = solve.interfaceRows;
    report.coarseMs = ms(solve.coarseSeconds);
    report.factorAge = solve.factorAge;
    report.factorAdopted = outcome.factorAdopted;
    report.newFactorMs = measuredMs(outcome.factorTimes.anew);
    report.factorColumnsMs = measuredMs(outcome.factorTimes.columns);
    report.fill = solve.fill;
    report.relativeFill = solve.relativeFill;
    report.flops = solve.flops;
    report.solverBytes = double(solve.bytes);
    report.cutPairs = solve.cutPairs;
    report.assembleMs = ms(outcome.assembleSeconds);
    report.contactMs = ms(outcome.contactSeconds);
    report.analyzeMs = ms(solve.analyzeSeconds);
    report.factorMs = ms(solve.factorSeconds);
    report.decomposeMs = ms(solve.decomposeSeconds);
    report.solveMs = std::max(0.0, ms(outcome.solveSeconds) - report.analyzeMs - report.factorMs - report.decomposeMs);
    report.stepMs = ms(stepSeconds);
    report.otherMs = std::max(0.0, report.stepMs - report.assembleMs - report.contactMs - ms(outcome.solveSeconds));
    return report;
}

void addEnergies(const cloth::ForceModel::Energies& energies, StepReport& report) {
    report.kineticJ = energies.kinetic;
    report.gravityJ = energies.gravity;
    report.stretchJ = energies.stretch;
    report.shearJ = energies.shear;
    report.bendJ = energies.bend;
    report.repulsionJ = energies.repulsion;
    report.sewingJ = energies.sewing;
    report.maxStrain = energies.maxStrain;
    report.maxShearStrain = energies.maxShearStrain;
}

void addComponents(const solvers::SolveSummary& solve, StepReport& report) {
    report.components = int(solve.components.size());
    for (const solvers::ComponentSolve& c : solve.components)
        report.largestComponent = std::max(report.largestComponent, c.rows);
    report.rowIterations = solve.rowIterations;
}

}  // namespace clothlab::simulation
