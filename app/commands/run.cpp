#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "base/platform.hpp"
#include "commands/commands.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"
#include "simulation/files.hpp"
#include "simulation/runner.hpp"

namespace clothlab::app {
namespace {

using integrators::StepStatus;

std::string sentence(const simulation::RunSummary& s) {
    return fmt::format("{}: {} steps, {}, {:.1f} iterations and {:.2f} ms a step, {:.2f} x real time on {} thread{}, "
                       "total {:.4g} J, largest strain {:.2f} %, state {:016x}",
                       s.scene, s.steps, enumLabel(s.status), s.meanIterations, s.meanStepMs, s.realTimeFactor, s.threads,
                       s.threads == 1 ? "" : "s", s.totalJ, 100 * s.maxStrain, s.stateHash) +
           (s.ghostDistance < 0 ? "" : fmt::format(", {:.4g} m from the second cloth ({:.4g} m rms)", s.ghostDistance, s.ghostRms));
}

/// A second cloth on the same particles: what makes another mesh has no place in it.
std::string rebuildReason(const scene::Scene& with, const scene::Scene& scene) {
    return with.cloths == scene.cloths && with.pins == scene.pins ? "" : "--with: the second cloth of a branch has the mesh and the pins of the first; "
                                                                        "settings alone can differ";
}

Expected<void> writeFolder(const std::string& folder, const simulation::RunSummary& summary,
                           const simulation::Simulation& simulation) {
    scene::Scene scene = simulation.scene();
    scene.settings = simulation.settings();
    if (auto done = simulation::writeFile(folder + "/scene.toml", scene::writeScene(scene)); !done) return done;
    return simulation::writeFile(folder + "/summary.json", simulation::toJson(summary, simulation.settings()) + "\n");
}

}  // namespace

int runRun(const RunCommand& command) {
    auto scene = loadScene(command.scene, command.sets, command.threads);
    if (!scene) return complain(scene.error());
    auto simulation = simulation::Simulation::create(std::move(*scene), platform::hardwareThreads());
    if (!simulation) return complain(simulation.error());
    if (!command.outFolder.empty())
        if (auto done = simulation::makeFolder(command.outFolder); !done) return complain(done.error());

    std::optional<scene::Settings> other;
    if (command.branchAt >= 0) {
        scene::Scene with = (*simulation)->scene();
        for (const std::string& assignment : command.branchSets)
            if (auto done = scene::applyOverride(with, assignment, "--with"); !done) return complain(done.error());
        if (std::string reason = rebuildReason(with, (*simulation)->scene()); !reason.empty()) return complain(Error{.message = std::move(reason)});
        if (const scene::SettingsFault fault = scene::findFault(with.settings); !fault.message.empty())
            return complain(Error{.message = fmt::format("--with: {}: {}", fault.key, fault.message)});
        if (const int steps = command.steps < 0 ? with.steps : command.steps; command.branchAt >= steps)
            return complain(Error{.message = fmt::format("--branch {}: the run has {} steps, and the second cloth would make none", command.branchAt, steps)});
        other = with.settings;
    } else if (!command.branchSets.empty()) {
        return complain(Error{.message = "--with is for the second cloth of a branch: --branch STEP says from where it goes on"});
    }
    const Interrupt interrupt;
    simulation::RunOptions options{.steps = command.steps, .reportFile = command.reportFile, .branchAt = command.branchAt,
                                   .branchWith = other, .stop = [] { return Interrupt::signal() != 0; }};
    if (options.reportFile.empty() && !command.outFolder.empty()) options.reportFile = command.outFolder + "/report.ndjson";
    const auto summary = simulation::run(**simulation, options);
    if (!summary) return complain(summary.error());
    if (!command.outFolder.empty())
        if (auto done = writeFolder(command.outFolder, *summary, **simulation); !done) return complain(done.error());

    if (!summary->message.empty())
        fmt::print(stderr, "clothlab: stopped after step {}: {}\n", (*simulation)->state().step, summary->message);
    if (!summary->ghostProblem.empty()) fmt::print(stderr, "clothlab: the second cloth stopped: {}\n", summary->ghostProblem);
    const int signal = Interrupt::signal();
    if (signal != 0) fmt::print(stderr, "clothlab: stopped after step {}: signal {}\n", (*simulation)->state().step, signal);
    fmt::print("{}\n", command.json ? simulation::toJson(*summary, (*simulation)->settings()) : sentence(*summary));
    return signal != 0 ? kExitSignal + signal : summary->status >= StepStatus::Diverged ? kExitDiverged : kExitDone;
}

}  // namespace clothlab::app
