#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/platform.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"
#include "commands/replay.hpp"
#include "records/positions_forms.hpp"
#include "simulation/report_json.hpp"
#include "simulation/runner.hpp"

namespace clothlab::app::commands {
namespace {

using integrators::StepStatus;

/// ", contact 12.10 ms a step (p95 20.31, p99 31.20, worst 97.05 at step 441)", where it is worth it.
std::string contactTime(const simulation::RunSummary& s, const contact::ContactSettings& contact) {
    const auto of = [&](std::string_view key) { return records::findNumber(s.numbers, key); };
    if (s.steps == 0 || !simulation::tellsContactTime(contact, of("mean_contact_ms"), of("mean_step_ms"))) return {};
    return fmt::format(", contact {:.2f} ms per step (p95 {:.2f}, p99 {:.2f}, worst {:.2f} at step {:.0f})",
                       of("mean_contact_ms"), of("contact_ms_p95"), of("contact_ms_p99"), of("contact_ms_max"),
                       of("contact_ms_max_step"));
}

std::string sentence(const simulation::RunSummary& s, const contact::ContactSettings& contact) {
    const auto of = [&](std::string_view key) { return records::findNumber(s.numbers, key); };
    return fmt::format(
               "{}: {} steps, {}, {:.1f} iterations and {:.2f} ms per step, {:.2f} x real time on {} thread{}, total "
               "{:.4g} J, largest strain {:.2f} %, state {:016x}",
               shown(s.scene), s.steps, enumLabel(s.status), of("mean_iterations"), of("mean_step_ms"),
               s.realTimeFactor, s.threads, plural(s.threads), of("total_j"), 100 * of("max_strain"), s.stateHash) +
           contactTime(s, contact) +
           (s.ghostDistance < 0
                ? ""
                : fmt::format(", {:.4g} m from the second cloth ({:.4g} m rms)", s.ghostDistance, s.ghostRms));
}

/// A second cloth on the same particles: what makes another mesh has no place in it.
std::string rebuildReason(const scene::Scene& with, const scene::Scene& scene) {
    return with.cloths == scene.cloths && with.pins == scene.pins
               ? ""
               : "--with: the second cloth of a branch has the mesh and the "
                 "pins of the first; settings alone can differ";
}

constexpr std::array<std::string_view, 4> kFolderFiles{"report.ndjson", "scene.toml", "summary.json", "last_state.npy"};

Expected<void> writeFolder(const OutputFolder& folder, const simulation::RunSummary& summary,
                           const simulation::Simulation& simulation) {
    const std::pair<std::string_view, std::string> files[] = {
        {kFolderFiles[1], scene::writeScene(simulation.scene())},
        {kFolderFiles[2], simulation::toJson(summary, simulation.settings()) + "\n"},
        {kFolderFiles[3], records::stateNpy(simulation.state(), simulation.model())},
    };
    return folder.write(files);
}

/// All that the run writes.
std::vector<NamedOutput> listOutputs(const RunCommand& command) {
    std::vector<NamedOutput> outputs{{"the report", command.reportFile}, {"the saved state", command.saveFile}};
    if (!command.positionsFile.empty())
        for (const std::string& file : records::positionsFiles(command.positionsFile))
            outputs.push_back({"the positions", file});
    if (!command.outFolder.empty())
        for (const std::string_view file : kFolderFiles)
            if (command.reportFile.empty() || file != kFolderFiles[0])
                outputs.push_back({file, (std::filesystem::path(command.outFolder) / file).string()});
    return outputs;
}

/// The settings of the second cloth of a branch, if there is one.
Expected<std::optional<scene::Settings>> branchSettings(const RunCommand& command, const scene::Scene& scene) {
    if (command.branchAt < 0) {
        if (command.branchSets.empty()) return std::nullopt;
        return fail("--with is for the second cloth of a branch: --branch STEP says where it begins");
    }
    scene::Scene with = scene;
    for (const std::string& assignment : command.branchSets)
        if (auto done = scene::applyOverride(with, assignment, "--with"); !done) return fail(done.error());
    if (std::string reason = rebuildReason(with, scene); !reason.empty()) return fail(std::move(reason));
    if (const scene::SettingsFault fault = scene::findFault(with.settings); !fault.message.empty())
        return fail(fmt::format("--with: {}: {}", fault.key, fault.message));
    if (const int steps = command.steps < 0 ? scene.steps : command.steps; command.branchAt >= steps)
        return fail(fmt::format("--branch {}: the run has {} steps, and the second cloth would make none",
                                command.branchAt, steps));
    return with.settings;
}

/// What became of the run, on stderr; returns the exit code. `cutShort`: an output that grows with the steps took no
/// more.
int tell(const simulation::RunSummary& summary, std::int64_t step, bool cutShort) {
    for (const std::string& warning : summary.warnings) fmt::print(stderr, "clothlab: warning: {}\n", warning);
    if (!summary.message.empty()) fmt::print(stderr, "clothlab: stopped after step {}: {}\n", step, summary.message);
    if (!summary.ghostProblem.empty())
        fmt::print(stderr, "clothlab: the second cloth stopped: {}\n", summary.ghostProblem);
    if (cutShort) fmt::print(stderr, "clothlab: stopped after step {}: the output until then is kept\n", step);
    if (summary.outputProblem) complain(*summary.outputProblem);
    const int code = summary.outputProblem ? kExitUsage : hasFailed(summary.status) ? kExitDiverged : kExitDone;
    return signalExitCode(fmt::format("after step {}", step), code);
}

/// From the start of a scene, or from a saved state.
Expected<std::unique_ptr<simulation::Simulation>> begin(const RunCommand& command) {
    if (!command.fromFile.empty()) {
        auto saved = loadSaved(command.fromFile, command.sets, command.threads);
        if (!saved) return fail(saved.error());
        return simulation::resume(*saved, platform::hardwareThreads());
    }
    if (command.scene.empty()) return fail("run: a scene is needed, or --from FILE");
    auto scene = loadScene(command.scene, command.sets, command.threads);
    if (!scene) return fail(scene.error());
    return simulation::Simulation::create(std::move(*scene), platform::hardwareThreads());
}

}  // namespace

int runRun(const RunCommand& command) {
    if (!command.replayFile.empty()) return runReplay(command);
    auto simulation = begin(command);
    if (!simulation) return complain(simulation.error());
    if (auto distinct = checkDistinct(listOutputs(command)); !distinct) return complain(distinct.error());
    InputFiles inputs = listInputs((*simulation)->scene());
    if (!command.fromFile.empty()) inputs.add(command.fromFile);
    if (!command.saveFile.empty())
        if (auto done = checkOutput(command.saveFile, inputs); !done) return complain(done.error());
    auto other = branchSettings(command, (*simulation)->scene());
    if (!other) return complain(other.error());
    std::optional<OutputFolder> folder;
    if (!command.outFolder.empty()) {
        auto made = OutputFolder::create(command.outFolder, kFolderFiles, inputs);
        if (!made) return complain(made.error());
        folder.emplace(std::move(*made));
    }
    const std::string reportFile =
        command.reportFile.empty() && folder ? folder->file(kFolderFiles[0]) : command.reportFile;
    auto summary = simulation::run(**simulation, {.steps = command.steps,
                                                  .findsCure = true,
                                                  .reportFile = reportFile,
                                                  .positionsFile = command.positionsFile,
                                                  .every = command.every,
                                                  .inputs = inputs,
                                                  .branchAt = command.branchAt,
                                                  .branchWith = *other,
                                                  .stop = Interrupt::current()->token()});
    if (!summary) return complain(summary.error());
    if (const int signal = Interrupt::signal(); signal != 0 && summary->endedBy.empty())
        summary->endedBy = fmt::format("signal {}", signal);
    const bool cutShort = summary->outputProblem.has_value();
    if (folder)
        if (auto done = writeFolder(*folder, *summary, **simulation); !done && !summary->outputProblem)
            summary->outputProblem = done.error();

    if (!command.saveFile.empty() && !summary->outputProblem)
        if (auto done = simulation::saveState(**simulation, command.saveFile, inputs); !done)
            summary->outputProblem = done.error();

    const int code = tell(*summary, (*simulation)->state().step, cutShort);
    const bool taken = !command.json && (isStandardOutput(reportFile) || isStandardOutput(command.positionsFile));
    const scene::Settings& settings = (*simulation)->settings();
    const int said = report(
        (command.json ? simulation::toJson(*summary, settings) : sentence(*summary, settings.contact)) + "\n", taken);
    return code != kExitDone ? code : said;
}

}  // namespace clothlab::app::commands
