#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "commands/assets.hpp"
#include "commands/commands.hpp"
#include "commands/exit_codes.hpp"
#include "commands/interrupt.hpp"
#include "commands/say.hpp"
#include "lessons/lesson_run.hpp"

namespace clothlab::app::commands {
namespace {

int list() {
    const auto lessons = lessons::builtInLessons(assetsFolder());
    if (!lessons) return complain(lessons.error());
    std::size_t width = 0;
    for (const lessons::Lesson& lesson : *lessons) width = std::max(width, lesson.name.size());
    std::string text;
    for (const lessons::Lesson& lesson : *lessons)
        text += fmt::format("{:<{}}  {}. {}\n", lesson.name, width, lesson.title, lesson.summary);
    return say(text);
}

/// Prints each step with its claims as they came out; 1 when one does not hold.
int give(const lessons::Lesson& lesson, int threads) {
    const auto start = std::chrono::steady_clock::now();
    int code = 0;
    const auto tell = [&](std::size_t index, std::span<const lessons::Facts> facts) {
        const lessons::LessonStep& step = lesson.steps[index];
        std::string text = fmt::format("  {}. {} ({} steps)\n", index + 1, step.title, facts.back().reports.size());
        const lessons::Lookup lookup = lessons::lookupAt(facts, index);
        for (const lessons::Claim& claim : step.claims) {
            const bool holds = claim.holds(lookup);
            if (!holds) code = kExitDiverged;
            text += fmt::format("     {} {}\n", holds ? "holds:" : "DOES NOT HOLD:", claim.filledIn(lookup));
        }
        if (const int said = say(text); said != 0) code = said;
    };
    if (const int said = say(fmt::format("{}: {}\n", lesson.name, lesson.title)); said != 0) return said;
    const auto facts = lessons::runLesson(lesson, assetsFolder(),
                                          {.threads = threads, .stop = Interrupt::current()->token(), .onStep = tell});
    if (!facts) return complain(facts.error());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (const int said = say(fmt::format("  {:.1f} s\n", seconds)); said != 0) return said;
    return code;
}

}  // namespace

int runLesson(const LessonCommand& command, const DrawingCommands& drawing) {
    if (!command.film.empty() && (command.all || command.lessons.size() != 1))
        return complain(Error{.message = "--film: a film is of one lesson; scripts/pictures --lesson-films makes all"});
    if (command.lessons.empty() && !command.all) return list();
    std::vector<lessons::Lesson> lessons;
    if (command.all) {
        auto all = lessons::builtInLessons(assetsFolder());
        if (!all) return complain(all.error());
        lessons = std::move(*all);
    }
    for (const std::string& name : command.lessons) {
        auto lesson = lessons::findLesson(name, assetsFolder());
        if (!lesson) return complain(lesson.error());
        lessons.push_back(std::move(*lesson));
    }
    if (!command.film.empty()) return drawing.lessonFilm(command, lessons.front());
    int code = 0;
    for (const lessons::Lesson& lesson : lessons) code = std::max(code, give(lesson, command.threads));
    return code;
}

}  // namespace clothlab::app::commands
