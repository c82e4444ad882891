#include "film/lesson_command.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/assets.hpp"
#include "commands/exit_codes.hpp"
#include "commands/interrupt.hpp"
#include "commands/say.hpp"
#include "film/lesson_film.hpp"
#include "film/render_command.hpp"
#include "frames/film_writer.hpp"
#include "widgets/palette.hpp"

namespace clothlab::app::film {

using commands::complain;

int runLessonFilm(const commands::LessonCommand& command, const lessons::Lesson& lesson) {
    if (const auto named = checkFilmName("--film", command.film); !named) return complain(named.error());
    const auto theme = widgets::themeNamed(command.theme);
    if (!theme) return complain(theme.error());
    LessonFilmOptions options{.out = command.film,
                              .assets = commands::assetsFolder(),
                              .seconds = command.seconds,
                              .threads = command.threads,
                              .lightTheme = *theme == widgets::ThemeKind::Light,
                              .shaderFolder = commands::shadersFolder(),
                              .stop = commands::Interrupt::current()->token()};
    options.inputs.add(lesson.file);
    const frames::FilmSize size =
        frames::fittingSize(frames::filmKind(command.film), command.width > 0 ? command.width : options.width,
                            command.height > 0 ? command.height : options.height);
    options.width = size.width;
    options.height = size.height;
    const auto film = makeLessonFilm(lesson, options);
    if (!film) return complain(film.error());
    if (film->stopped) return commands::signalExitCode("the film; nothing is complete", commands::kExitDone);
    const int code = commands::say(fmt::format("{}: {}, {:.0f} s, {} frames of {} x {}, {} of {} claims hold\n",
                                               shownPath(command.film), lesson.name, double(film->frames) / options.fps,
                                               film->frames, size.width, size.height, film->holding, film->claims));
    return film->holding < film->claims ? commands::kExitDiverged : code;
}

}  // namespace clothlab::app::film
