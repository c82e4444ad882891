#include "experiments/trials/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/platform.hpp"
#include "commands/commands.hpp"
#include "commands/interrupt.hpp"
#include "commands/progress.hpp"
#include "commands/say.hpp"
#include "experiments/trials/board_trials.hpp"
#include "experiments/trials/slope_trials.hpp"

namespace clothlab::app::commands {
namespace {

using experiments::TrialSample;

/// What the command asks of a table of trials.
struct Table {
    std::string_view name;
    int (*runs)();                                     ///< all, those that do not exist included
    std::optional<scene::Scene> (*scene)(int number);  ///< none: there is no such run
    experiments::TrialReport (*make)(const experiments::TrialControl& control);
};

const std::array kTables{
    Table{"slopes", [] { return experiments::slopeAxes().cells(); }, experiments::slopeRunScene,
          experiments::slopeTrials},
    Table{"boards", experiments::boardRuns, experiments::boardRunScene, experiments::boardTrials},
};

Error noSuchRun(const Table& table, int number) {
    return {.message = fmt::format("{} have no run {}: the law leaves open how it ends, or the number is above {}",
                                   table.name, number, table.runs() - 1)};
}

}  // namespace

int runTrials(const TrialsCommand& command) {
    const Table& table = *std::ranges::find(kTables, command.trials, &Table::name);
    for (const int number : command.only)
        if (!table.scene(number)) return complain(noSuchRun(table, number));
    if (command.sceneOf >= 0) {
        const auto scene = table.scene(command.sceneOf);
        return scene ? say(scene::writeScene(*scene)) : complain(noSuchRun(table, command.sceneOf));
    }
    std::optional<Progress> progress(std::in_place);
    const experiments::TrialControl control{
        .sample = command.few    ? TrialSample::Few
                  : command.full ? TrialSample::Full
                                 : TrialSample::Covering,
        .only = command.only,
        .threads = command.threads > 0 ? command.threads : platform::hardwareThreads(),
        .stop = Interrupt::current()->token(),
        .progress = [&](int done, int of) {
            progress->show(fmt::format("{} of {} runs", done, of), double(done) / of);
        }};
    const experiments::TrialReport report = table.make(control);
    progress.reset();
    const int said = say(command.json ? report.json.text(1) + "\n" : report.text);
    if (said != kExitDone) return said;
    return signalExitCode(fmt::format("after {} runs", report.runs), report.wrong > 0 ? kExitDiverged : kExitDone);
}

}  // namespace clothlab::app::commands
