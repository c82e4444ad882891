#include "commands/replay.hpp"

#include <fmt/format.h>

#include "base/platform.hpp"
#include "base/text.hpp"
#include "commands/interrupt.hpp"
#include "commands/say.hpp"
#include "simulation/recording.hpp"
#include "simulation/report_json.hpp"
#include "simulation/state_file.hpp"

namespace clothlab::app::commands {
namespace {

/// A replay and its outputs.
class ReplayRun {
public:
    ReplayRun(const RunCommand& command, simulation::Recording recording)
        : command_(command),
          replay_(std::move(recording.events)),
          session_(command.threads > 0 ? command.threads : platform::hardwareThreads()) {
        inputs_.add(command.replayFile);
    }

    Expected<void> run() {
        if (auto ready = open(); !ready) return ready;
        const std::int64_t wanted = command_.steps < 0 ? replay_.allSteps() : command_.steps;
        // To the end what is done after the last step is done, too.
        const auto enough = [&] { return replay_.steps() >= wanted && wanted < replay_.allSteps(); };
        while (Interrupt::signal() == 0 && !(session_.loaded() && enough())) {
            const auto more = replay_.upToStep(session_);
            if (!more) return fail(located(more.error()));
            if (!*more || enough()) break;
            if (auto done =
                    replay_.step(session_, {.stop = Interrupt::current()->token(), .hash = report_.has_value()});
                !done)
                return fail(located(done.error()));
            if (session_.simulation().lastReport().solveStatus == solvers::SolveStatus::Cancelled) break;
            if (!report_) continue;
            if (auto done = report_->line(toJsonLine(session_.simulation().lastReport())); !done) return done;
        }
        if (!session_.loaded()) return fail(located(Error{.message = "nothing was recorded"}));
        if (report_)
            if (auto done = report_->finish(); !done) return done;
        return command_.saveFile.empty() ? Expected<void>{}
                                         : simulation::saveState(session_.simulation(), command_.saveFile, inputs_);
    }

    /// Why the last step failed, or empty.
    std::string failure() const {
        const simulation::StepReport& last = session_.simulation().lastReport();
        if (!integrators::hasFailed(last.status)) return {};
        return last.message.empty() ? std::string(enumLabel(last.status)) : last.message;
    }
    std::string summary() const {
        const std::uint64_t hash = integrators::stateHash(session_.simulation().state());
        const std::string& scene = session_.simulation().scene().name;
        const std::int64_t step = session_.simulation().state().step;
        if (!command_.json)
            return fmt::format("{}: {} steps and {} changes replayed, step {}, state {:016x}\n", shown(scene),
                               replay_.steps(), replay_.changes(), step, hash);
        records::Json out;
        out["scene"] = scene;
        out["replayed_steps"] = replay_.steps();
        out["changes"] = replay_.changes();
        out["step"] = step;
        out["state_hash"] = records::hashText(hash);
        return out.text() + "\n";
    }

private:
    Expected<void> open() {
        const NamedOutput outputs[] = {{"the report", command_.reportFile}, {"the saved state", command_.saveFile}};
        if (auto distinct = checkDistinct(outputs); !distinct) return distinct;
        if (!command_.saveFile.empty())
            if (auto done = checkOutput(command_.saveFile, inputs_); !done) return done;
        if (command_.reportFile.empty()) return {};
        auto made = GrowingFile::create(command_.reportFile, inputs_);
        if (!made) return fail(made.error());
        report_.emplace(std::move(*made));
        return {};
    }
    Error located(Error error) const {
        if (error.file.empty()) error.file = command_.replayFile;
        return error;
    }

    const RunCommand& command_;
    simulation::Replay replay_;
    simulation::Session session_;
    InputFiles inputs_;
    std::optional<GrowingFile> report_;
};

}  // namespace

int runReplay(const RunCommand& command) {
    if (!command.sets.empty() || command.branchAt >= 0 || !command.positionsFile.empty() || !command.outFolder.empty())
        return complain({.message = "--replay repeats a recording: of the other options it accepts --steps, --threads, "
                                    "--report, --save and --json"});
    auto recording = simulation::loadRecording(command.replayFile);
    if (!recording) return complain(recording.error());
    remark(recording->note);
    ReplayRun replay(command, std::move(*recording));
    if (auto done = replay.run(); !done) return complain(done.error());
    const std::string failure = replay.failure();
    if (!failure.empty()) remark("the last step of the recording failed, as it did then: " + failure);
    const int said = report(replay.summary(), isStandardOutput(command.reportFile));
    return signalExitCode("the replay", failure.empty() ? said : kExitDiverged);
}

}  // namespace clothlab::app::commands
