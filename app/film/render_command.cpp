#include "film/render_command.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "base/platform.hpp"
#include "base/text.hpp"
#include "commands/assets.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"
#include "commands/progress.hpp"
#include "film/contact_sheet.hpp"
#include "film/film.hpp"
#include "film/film_panels.hpp"
#include "frames/film_writer.hpp"
#include "simulation/simulation.hpp"
#include "widgets/palette.hpp"

namespace clothlab::app::film {

using commands::complain;
using scene::OverlayKind;

namespace {

Expected<OverlayKind> overlayNamed(const std::string& key) {
    if (key.empty()) return OverlayKind::None;
    Error error{.message = fmt::format("there is no overlay '{}'", shown(key))};
    for (const EnumEntry& entry : scene::kOverlayKinds) {
        if (entry.key == key) return static_cast<OverlayKind>(entry.value);
        error.choices.emplace_back(entry.key);
    }
    return fail(std::move(error));
}

/// A name such as x.jpg or x.MP4, which would become a folder by mistake. An extension without a letter (v1.2) is none.
bool looksLikeAFile(const std::string& out) {
    const std::filesystem::path path(out);
    const std::string name = path.filename().string(), ending = path.extension().string();
    const bool letters =
        std::any_of(ending.begin(), ending.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    const bool known = ending == ".mp4" || ending == ".gif" || ending == ".png",
               bare = name == ".mp4" || name == ".gif" || name == ".png";
    std::error_code ignored;
    return ((letters && !known) || bare) && !std::filesystem::is_directory(path, ignored);
}

int runSheet(const commands::RenderOptions& options, scene::Scene scene, OverlayKind overlay,
             widgets::ThemeKind theme) {
    if (frames::filmKind(options.out) != frames::FilmKind::Picture || options.panels)
        return complain(Error{.message = "--vary draws a contact sheet: --out FILE.png, without --panels"});
    SheetOptions sheet{.out = options.out,
                       .threads = platform::hardwareThreads(),
                       .overlay = overlay,
                       .lightTheme = theme == widgets::ThemeKind::Light,
                       .shaderFolder = commands::shadersFolder(),
                       .inputs = commands::listInputs(scene),
                       .stop = commands::Interrupt::current()->token()};
    if (options.width > 0) sheet.width = options.width;
    if (options.height > 0) sheet.height = options.height;
    const auto plan = experiments::planSweep(
        std::move(scene), {.vary = options.vary, .sets = options.sets, .reference = {}, .steps = options.steps});
    if (!plan) return complain(plan.error());
    std::optional<commands::Progress> progress(std::in_place);
    sheet.progress = [&](int done, int of) {
        progress->show(fmt::format("{} of {} pictures", done, of), double(done) / of);
    };
    const auto drawn = drawContactSheet(*plan, sheet);
    progress.reset();
    if (!drawn) return complain(drawn.error());
    if (drawn->stopped)
        return commands::signalExitCode(fmt::format("after {} pictures; nothing was written", drawn->pictures),
                                        commands::kExitDone);
    const int code = commands::say(
        fmt::format("{}: {} pictures in {} x {}{}\n", shownPath(options.out), drawn->pictures, drawn->rows,
                    drawn->columns, drawn->failed > 0 ? fmt::format(", {} stopped early", drawn->failed) : ""));
    return drawn->failed > 0 ? commands::kExitDiverged : code;
}

}  // namespace

Expected<void> checkFilmName(const std::string& option, const std::string& out) {
    if (!looksLikeAFile(out)) return {};
    return fail(Error{.message = fmt::format("{} {}: this is neither a film nor a picture", option, shownPath(out)),
                      .choices = {"FILE.mp4", "FILE.gif", "FILE.png", "a folder, for one picture per step"}});
}

Expected<void> drawPicture(simulation::Simulation& simulation, const std::string& file) {
    const auto drawn = makeFilm(simulation, {.out = file, .shaderFolder = commands::shadersFolder(), .panels = {}});
    if (!drawn) return fail(drawn.error());
    return {};
}

int runRender(const commands::RenderOptions& options) {
    if (const auto named = checkFilmName("--out", options.out); !named) return complain(named.error());
    const frames::FilmKind kind = frames::filmKind(options.out);
    if (const double most = frames::mostFrames(kind); options.fps > most)
        return complain(Error{.message = fmt::format("--fps {}: a {} has 1 to {} frames per second", options.fps,
                                                     kind == frames::FilmKind::Gif ? "GIF" : "film", most)});
    const auto named = overlayNamed(options.overlay);
    if (!named) return complain(named.error());
    const auto theme = widgets::themeNamed(options.theme);
    if (!theme) return complain(theme.error());
    auto scene = commands::loadScene(options.scene, options.sets, options.threads);
    if (!scene) return complain(scene.error());
    const OverlayKind overlay = options.overlay.empty() ? scene->overlay : *named;
    if (std::string why = render::overlayRefusal(overlay, scene->settings); !why.empty())
        return complain(
            Error{.message = fmt::format("nothing to show in the overlay '{}': {}", enumKey(overlay), why)});
    FilmOptions film{.out = options.out,
                     .steps = options.steps >= 0 ? options.steps : scene->steps,
                     .every = options.every,
                     .fps = options.fps};
    if (!options.vary.empty()) return runSheet(options, std::move(*scene), overlay, *theme);
    auto simulation = simulation::Simulation::create(std::move(*scene), platform::hardwareThreads());
    if (!simulation) return complain(simulation.error());
    const frames::FilmSize asked{options.width > 0 ? options.width : film.width,
                                 options.height > 0 ? options.height : film.height},
        size = frames::fittingSize(kind, asked.width, asked.height);
    film.width = size.width;
    film.height = size.height;
    film.overlay = overlay;
    film.lightTheme = *theme == widgets::ThemeKind::Light;
    film.inputs = commands::listInputs((*simulation)->scene());
    film.stop = commands::Interrupt::current()->token();
    film.shaderFolder = commands::shadersFolder();
    if (options.panels)
        film.panels = [&] { return makeFilmPanels((*simulation)->scene(), film.steps, film.width, film.height); };
    const auto summary = makeFilm(**simulation, film);
    if (!summary) return complain(summary.error());
    if (summary->diverged)
        fmt::print(stderr, "clothlab: stopped after step {}: {}\n", summary->steps, summary->message);
    if (summary->stopped) {
        const std::string kept = kind != frames::FilmKind::Folder ? "nothing was written"
                                 : summary->frames == 1
                                     ? fmt::format("1 frame is in {}", shownPath(options.out))
                                     : fmt::format("{} frames are in {}", summary->frames, shownPath(options.out));
        return commands::signalExitCode(fmt::format("after step {}; {}", summary->steps, kept), commands::kExitDone);
    }
    const std::string rounded =
        asked.width == size.width && asked.height == size.height
            ? ""
            : fmt::format(" (sides of an MP4 are even; {} x {} was asked for)", asked.width, asked.height);
    const int code =
        commands::say(fmt::format("{}: {} steps, {} frame{} of {} x {}{}\n", shownPath(options.out), summary->steps,
                                  summary->frames, plural(summary->frames), size.width, size.height, rounded));
    return summary->diverged ? commands::kExitDiverged : code;
}

}  // namespace clothlab::app::film
