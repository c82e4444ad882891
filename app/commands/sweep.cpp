#include "experiments/sweep/sweep.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "base/platform.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"
#include "commands/progress.hpp"

namespace clothlab::app::commands {
namespace {

std::string sweepSentence(const SweepCommand& command, const experiments::SweepOutcome& o) {
    std::string text = fmt::format("{}: {} of {} runs", shownPath(command.out), o.kept + o.added, o.runs);
    if (command.shard != "1/1") text += fmt::format(" of shard {}", command.shard);
    if (o.kept > 0) text += fmt::format(", {} of them there before", o.kept);
    if (o.dropped) text += ", after half a line was dropped";
    if (o.diverged > 0) text += fmt::format(", {} diverged", o.diverged);
    if (o.refused > 0) text += fmt::format(", {} refused", o.refused);
    return text;
}

}  // namespace

int runSweep(const SweepCommand& command) {
    const auto shard = experiments::parseShard(command.shard);
    if (!shard) return complain(shard.error());
    auto scene = loadScene(command.scene, command.sets, command.threads);
    if (!scene) return complain(scene.error());
    std::vector<std::string> sets = command.sets;
    if (command.threads >= 0) sets.push_back(fmt::format("threads={}", command.threads));
    const InputFiles inputs = listInputs(*scene);
    const auto plan = experiments::planSweep(std::move(*scene), {.vary = command.vary,
                                                                 .sets = std::move(sets),
                                                                 .reference = command.reference,
                                                                 .steps = command.steps,
                                                                 .duration = command.duration,
                                                                 .random = command.random,
                                                                 .seed = command.seed});
    if (!plan) return complain(plan.error());
    platform::singleThreadedBlas();
    std::optional<Progress> progress(std::in_place);
    const auto show = [&](int done, int of, const std::string& now) {
        progress->show(fmt::format("{} of {} runs{}{}", done, of, now.empty() ? "" : ": ", now),
                       of > 0 ? double(done) / of : 1);
    };
    const auto outcome = experiments::sweep(*plan, {.shard = *shard,
                                                    .threads = shard->of > 1 ? 1 : platform::hardwareThreads(),
                                                    .repeat = command.repeat,
                                                    .out = command.out,
                                                    .inputs = inputs,
                                                    .stop = Interrupt::current()->token(),
                                                    .progress = show});
    progress.reset();
    if (!outcome) return complain(outcome.error());
    const int signal = Interrupt::signal();
    if (signal != 0) fmt::print(stderr, "clothlab: stopped: signal {}; the same command continues from here\n", signal);
    const int code = report(sweepSentence(command, *outcome) + "\n", isStandardOutput(command.out));
    return signal != 0 ? kExitSignal + signal : code;
}

}  // namespace clothlab::app::commands
