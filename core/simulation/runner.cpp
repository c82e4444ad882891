#include "simulation/runner.hpp"

#include <memory>
#include <optional>

#include "records/positions_forms.hpp"
#include "simulation/branch.hpp"
#include "simulation/cure.hpp"
#include "simulation/report_columns.hpp"
#include "simulation/report_json.hpp"

namespace clothlab::simulation {
namespace {

using integrators::StepStatus;

void take(const StepReport& report, RunSummary& summary, ReportSums& sums) {
    if (report.status > summary.status) summary.status = report.status;
    if (report.status == StepStatus::Unconverged) ++summary.unconverged;
    summary.totalMs += report.stepMs;
    sums.add(report);
    if (!report.warning.empty()) summary.warnings.push_back(report.warning);
    if (hasFailed(report.status))
        summary.message = report.message;
    else
        ++summary.steps;
}

/// The files that a run writes as it proceeds.
struct Outputs {
    std::optional<GrowingFile> report;
    std::unique_ptr<records::PositionsFile> positions;

    static Expected<Outputs> open(const RunOptions& options, const cloth::ClothModel& model) {
        Outputs out;
        if (!options.reportFile.empty()) {
            auto made = GrowingFile::create(options.reportFile, options.inputs);
            if (!made) return fail(made.error());
            out.report.emplace(std::move(*made));
        }
        if (!options.positionsFile.empty()) {
            auto made = records::createPositions(options.positionsFile, model, options.inputs);
            if (!made) return fail(made.error());
            out.positions = std::move(*made);
        }
        return out;
    }

    Expected<void> take(const StepReport& step) { return report ? report->line(toJsonLine(step)) : Expected<void>{}; }
    Expected<void> take(const integrators::SimulationState& state) {
        return positions ? positions->add(state) : Expected<void>{};
    }

    Expected<void> finish() {
        Expected<void> done;
        if (report) done = report->finish();
        if (!positions) return done;
        auto last = positions->finish();
        return done ? last : done;
    }
};

}  // namespace

Expected<RunSummary> run(Simulation& simulation, const RunOptions& options) {
    if (!simulation.refusal().empty()) return fail(simulation.refusal());
    auto outputs = Outputs::open(options, simulation.model());
    if (!outputs) return fail(outputs.error());

    RunSummary summary;
    summary.scene = simulation.scene().name;
    summary.warnings = findWarnings(simulation.model(), simulation.colliders(), simulation.state());
    const double startTime = simulation.state().time;
    const int steps = options.steps < 0 ? simulation.scene().steps : options.steps;
    Simulation::StepOptions stepOptions;
    stepOptions.hash = outputs->report || options.onStep;
    stepOptions.stop = options.stop;
    ReportSums sums;
    sums.start(simulation.lastReport());
    std::unique_ptr<Branch> branch;
    const auto keep = [&summary](const Expected<void>& done) {
        if (!done && !summary.outputProblem) summary.outputProblem = done.error();
    };
    keep(outputs->take(simulation.state()));
    for (int k = 0; k < steps && !summary.outputProblem && !options.stop.stop_requested(); ++k) {
        if (k == options.branchAt && options.branchWith) {
            auto made = Branch::start(simulation, *options.branchWith, simulation.threads());
            if (!made) return fail(made.error());
            branch = std::move(*made);
        }
        if (options.beforeStep) options.beforeStep();
        StepReport report = simulation.step(stepOptions);
        if (options.afterStep) options.afterStep();
        if (report.solveStatus == solvers::SolveStatus::Cancelled) break;  // dropped
        take(report, summary, sums);
        if (branch && !hasFailed(report.status)) {
            branch->follow(simulation, options.stop);
            summary.ghostDistance = report.ghostDistance = branch->largestDistance();
            summary.ghostRms = report.ghostRms = branch->rmsDistance();
            summary.ghostProblem = branch->problem();
        }
        keep(outputs->take(report));
        if (!hasFailed(report.status) && (k + 1) % options.every == 0) keep(outputs->take(simulation.state()));
        if (options.onStep) options.onStep(report);
        if (!hasFailed(report.status)) continue;
        if (options.findsCure && !options.stop.stop_requested())
            summary.message = withCure(report, findCure(simulation, options.stop));
        break;
    }

    summary.numbers = sums.numbers();
    summary.timeSeconds = simulation.state().time - startTime;
    if (summary.totalMs > 0) summary.realTimeFactor = summary.timeSeconds / (summary.totalMs * 1e-3);
    summary.stateHash = integrators::stateHash(simulation.state());
    summary.threads = simulation.threads();
    // Stopped before the first step: an empty report is no successor of the one that may stand there.
    if (summary.steps > 0 || steps == 0) keep(outputs->finish());
    if (hasFailed(summary.status)) summary.endedBy = enumKey(summary.status);
    if (summary.outputProblem) summary.endedBy = summary.outputProblem->text();
    return summary;
}

}  // namespace clothlab::simulation
