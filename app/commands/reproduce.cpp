#include "papers/claims.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <optional>

#include "base/platform.hpp"
#include "commands/assets.hpp"
#include "commands/commands.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"
#include "commands/progress.hpp"

namespace clothlab::app::commands {

namespace {

/// From the kept tables of a folder; empty: the program's own.
int printClaims(const std::string& folder) {
    const auto claims =
        papers::checkedClaims(assetsFolder(), folder.empty() ? papers::measuredFolder(assetsFolder()) : folder);
    return claims ? say(papers::claimsPage(*claims)) : complain(claims.error());
}

}  // namespace

int runReproduce(const ReproduceCommand& command, const DrawingCommands& drawing) {
    if (command.list) {
        const auto texts = papers::paperTexts(assetsFolder());
        if (!texts) return complain(texts.error());
        std::string text;
        for (const papers::PaperTable& table : papers::paperTables())
            text += fmt::format("{:<31} {}\n", table.name, texts->find(table.name)->second.title);
        return say(text);
    }
    if (command.claims) return printClaims(command.keep);
    if (command.table.empty())
        return complain(Error{.message = "reproduce takes the name of a TABLE, --list or --claims"});
    if (!command.keep.empty() && (!command.overrides.empty() || command.sets > 0 || command.seed != 1))
        return complain(Error{.message = "--keep keeps a table as it is: without --set, --sets and --seed"});
    const auto texts = papers::paperTexts(assetsFolder());
    if (!texts) return complain(texts.error());
    if (const auto known = texts->find(command.table);
        !command.figures.empty() && known != texts->end() && known->second.figures.empty())
        return complain(Error{.message = fmt::format("--figures: nothing is drawn of {}", command.table)});
    papers::ReproduceControl control{.stop = Interrupt::current()->token()};
    std::optional<Progress> progress(std::in_place);
    control.progress = [&](std::string_view what, double share) { progress->show(what, share); };
    platform::singleThreadedBlas();
    const papers::ReproduceOptions options{
        .assetsFolder = assetsFolder(),
        .quick = command.quick,
        .threads = command.threads > 0 ? command.threads : platform::hardwareThreads(),
        .side = command.side,
        .overrides = command.overrides,
        .sets = command.sets,
        .seed = command.seed,
        .setsFile = command.setsFile};
    const auto start = std::chrono::steady_clock::now();
    const auto table = papers::reproduce(command.table, options, control);
    progress.reset();
    if (!table) {
        if (const int code = signalExitCode("before a first set was finished", kExitDone); code != kExitDone)
            return code;
        complain(table.error());
        return table.error().choices.empty() && table.error().file.empty() ? kExitDiverged : kExitUsage;
    }
    const papers::TableText& words = texts->find(command.table)->second;
    int code = report(command.json ? toJson(*table) : papers::reproductionText(*table, &words),
                      isStandardOutput(command.setsFile));
    if (!command.keep.empty()) {
        const papers::KeptTable kept{
            .table = *table,
            .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            .when = papers::today(),
            .quick = command.quick,
            .stopped = Interrupt::current()->token().stop_requested(),
            .side = command.side};
        if (const auto written = papers::keepTable(kept, command.keep); !written) code = complain(written.error());
    }
    if (!command.figures.empty())
        if (const auto drawn = drawing.paperFigures(*table, words, command.figures); !drawn)
            code = complain(drawn.error());
    return signalExitCode("", code);
}

}  // namespace clothlab::app::commands
