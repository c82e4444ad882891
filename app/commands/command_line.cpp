#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <limits>
#include <sstream>

#include "base/file_system.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/interrupt.hpp"
#include "commands/option_text.hpp"
#include "commands/plugins.hpp"
#include "commands/say.hpp"
#include "commands/shared_options.hpp"
#include "experiments/systems/system_formats.hpp"

namespace clothlab::app::commands {
namespace {

void addView(CLI::App& command, ViewOptions& o) {
    addScene(command, o.scene, false);
    addFrom(command, o.fromFile);
    addName(command, "--record", o.recordFile, "records all edits and steps of the simulation, for --replay", "FILE");
    addReplay(command, o.replayFile);
    addSets(command, o.sets);
    addThreads(command, o.threads, "one fewer than the cores");
    addSize(command, o.width, o.height,
            "size of the window in points: pixels on a monitor of scale 1; 640x400 at least");
    command.add_option("--scale", o.scale, "pixels per point, 1 to 4; otherwise the monitor's own")
        ->check(inRange(1.0, 4.0));
    addName(command, "--theme", o.theme, "colours: dark, or light for projectors (key L)", "NAME");
    addName(command, "--lesson", o.lesson, "begins a lesson: its name, or a file that ends in .md", "NAME");
    command.add_flag("--playground", o.playground, "begins in the playground: a few large controls, no numbers");
    addName(command, "--input", o.inputFile, "feeds the time-stamped events of a file to the window", "FILE");
    addName(command, "--state", o.stateFile, "keeps the window's state in a file, for scripts", "FILE");
    addName(command, "--open-sweep", o.sweepFile, "shows a sweep's file as work and precision", "FILE.ndjson");
    addName(command, "--screenshot", o.screenshotFile, "saves the window as PNG before it closes", "FILE");
    command.add_option("--link", o.link)->group("");  // an open socket of the Python module's, which starts the window
    command.add_option("--frames", o.maxFrames, "closes the window after this many frames")
        ->check(wholeIn(1, 100'000'000));
}

void addRender(CLI::App& command, RenderOptions& o) {
    addScene(command, o.scene, true);
    command.add_option("--steps", o.steps, "how many steps; otherwise the scene's own")->check(wholeIn(0, 100'000'000));
    addName(command, "--out", o.out, "FILE.mp4, FILE.gif, FILE.png (the last state) or a folder for PNG frames", "PATH")
        ->required();
    addSets(command, o.sets);
    addVary(command, o.vary, "a contact sheet in a PNG: the last state with each value, or with each pair of two keys");
    addThreads(command, o.threads, "all cores");
    addSize(command, o.width, o.height, "size of the picture in pixels; otherwise 1280x720");
    addName(command, "--overlay", o.overlay, "an overlay on the cloth; otherwise the scene's own", "NAME");
    addName(command, "--theme", o.theme, "colours: dark, or light for projectors", "NAME");
    command.add_flag("--panels", o.panels, "draws the window's panels too (1280x720 or larger)");
    command.add_option("--every", o.every, "draws every n-th step")->check(wholeIn(1, 1'000'000));
    command.add_option("--fps", o.fps, "frames per second of the film; otherwise the scene's real time")
        ->check(inRange(1.0, 1000.0));
}

void addRun(CLI::App& command, RunCommand& o) {
    addScene(command, o.scene, false);
    addFrom(command, o.fromFile);
    addReplay(command, o.replayFile);
    addName(command, "--save", o.saveFile, "writes the last state, for --from", "FILE");
    command.add_option("--steps", o.steps, "how many steps; otherwise the scene's own")->check(wholeIn(0, 100'000'000));
    addSets(command, o.sets);
    addThreads(command, o.threads, "all cores");
    command
        .add_option("--branch", o.branchAt,
                    "from this step, also simulate a copy with the settings of --with; the report "
                    "has their distance")
        ->check(wholeIn(0, 100'000'000))
        ->type_name("STEP");
    command.add_option("--with", o.branchSets, "a setting of the second cloth; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    addName(command, "--report", o.reportFile, "writes one JSON object per step", "FILE.ndjson");
    addName(
        command, "--positions", o.positionsFile,
        "writes positions and velocities: frames x 2 x N x 3 as .npy, one line per frame as .ndjson; or positions of "
        "the surface: .pc2 is a point cache for Blender, its mesh in FILE.obj; .obj one mesh per frame, FILE.0000.obj "
        "...",
        "FILE");
    command.add_option("--every", o.every, "with --positions: writes every n-th state; otherwise 1")
        ->check(wholeIn(1, 1'000'000))
        ->needs("--positions");
    addName(command, "--out", o.outFolder,
            "writes report.ndjson, summary.json, scene.toml and last_state.npy into a folder", "DIR");
    command.add_flag("--json", o.json, "prints the summary as one JSON object");
}

void addSystem(CLI::App& command, SystemCommand& o) {
    addScene(command, o.scene, true);
    command.add_option("--step", o.step, "the system that leads from state K-1 to state K")
        ->required()
        ->check(wholeIn(1, 100'000'000))
        ->type_name("K");
    addName(command, "--out", o.outFolder, "folder for A, core, S, b, z, delta_v, constraints and settings", "DIR")
        ->required();
    command
        .add_option("--format", o.format,
                    "mtx: MatrixMarket (the default); npz: for NumPy and SciPy; petsc: PETSc's binary format")
        ->check(CLI::IsMember(listKeys(experiments::SystemForm{})));
    addSets(command, o.sets);
    addThreads(command, o.threads, "all cores");
}

void addRace(CLI::App& command, RaceCommand& o) {
    addScene(command, o.scene, false);
    command.add_option("--step", o.step, "the system that leads from state K-1 to state K")
        ->check(wholeIn(1, 100'000'000))
        ->type_name("K");
    addName(
        command, "--system", o.systemFolder,
        "a folder with A.mtx and b.mtx (or A.npz and b.npy, A.petsc and b.petsc) instead of a scene, ours (`system`) "
        "or foreign",
        "DIR");
    command.add_flag("--nonlinear", o.nonlinear,
                     "local/global against Newton on the energy of that step: error over iterations and time");
    command
        .add_option_function<std::string>(
            "--tolerance",
            [&o](const std::string& text) {
                if (const std::string wrong = parseTolerances(text, o.tolerances); !wrong.empty())
                    throw CLI::ValidationError("--tolerance", wrong);
            },
            "true relative residuals to reach; otherwise 1e-3,1e-6")
        ->type_name("A,B,C");
    command.add_option("--runs", o.runs, "runs per method, of which the median counts; otherwise 5")
        ->check(wholeIn(1, 1000));
    command.add_option("--max-iterations", o.maxIterations, "iteration limit of a method; otherwise 2000")
        ->check(wholeIn(1, 10'000'000));
    command
        .add_option("--with", o.programs,
                    "adds your own program: {dir} is the folder with the system, to which it writes its answer; or the "
                    "NAME of one in contestants.json of your configuration; may be repeated")
        ->type_name("NAME='COMMAND {dir}'")
        ->allow_extra_args(false);
    command.add_option("--with-limit", o.programLimit, "time limit of a program in seconds; otherwise 60")
        ->check(inRange(0.01, 1e5))
        ->type_name("SECONDS");
    command
        .add_option("--with-memory", o.programMemory,
                    "limit of the address space of each process of such a program; otherwise your own limit")
        ->check(wholeIn(1, 100'000'000))
        ->type_name("MIB");
    addSets(command, o.sets);
    addThreads(command, o.threads, "all cores");
    addName(command, "--out", o.outFolder,
            "writes the race (txt, csv, json), the system, scene and settings into a folder", "DIR");
    CLI::Option* json = command.add_flag("--json", o.json, "prints one JSON object, curves and Ritz values included");
    command.add_flag("--csv", o.csv, "prints the table as CSV")->excludes(json);
}

void addReproduce(CLI::App& command, ReproduceCommand& o) {
    addName(command, "table", o.table, "name of a table (see --list)", "TABLE");
    command.add_flag("--list", o.list, "lists the tables");
    command.add_flag("--claims", o.claims, "verdicts on the papers' claims, as Markdown, from kept tables");
    addName(command, "--keep", o.keep,
            "keeps the table in a folder; with --claims the folder of kept tables, otherwise the program's own", "DIR");
    command.add_flag("--json", o.json, "prints one JSON object");
    command.add_flag("--quick", o.quick, "smaller sizes and fewer runs: within a minute");
    addThreads(command, o.threads, "1, as in the papers");
    addName(command, "--out", o.setsFile, "stores every finished set; a later run with the file continues it",
            "FILE.ndjson");
    addName(command, "--figures", o.figures, "draws the table's figures, ours over the paper's, as SVG into a folder",
            "DIR");
    addSets(command, o.overrides, "a setting of the scenes that the table steps, not of the methods that it compares");
    command.add_option("--side", o.side, "particles per side instead of the table's own sizes")
        ->check(wholeIn(5, 1000));
    command.add_option("--sets", o.sets, "number of random sets; otherwise the table's own")
        ->check(wholeIn(1, 1000000));
    command.add_option("--seed", o.seed, "seed of the random sets; otherwise 1")->check(wholeIn(1, 1000000));
}

void addSweep(CLI::App& command, SweepCommand& o) {
    addScene(command, o.scene, true);
    addVary(command, o.vary,
            "the values of a setting; repeated, all combinations are run; with --random also KEY=A..B and KEY=A..B:log")
        ->required();
    addSets(command, o.sets);
    CLI::Option* steps = command.add_option("--steps", o.steps, "how many steps; otherwise the scene's own")
                             ->check(wholeIn(0, 100'000'000));
    command
        .add_option("--duration", o.duration,
                    "simulated seconds instead of steps, so that runs of any time step end together")
        ->check(inRange(1e-6, 1e6))
        ->type_name("SECONDS")
        ->excludes(steps);
    command
        .add_option("--reference", o.reference,
                    "the reference: a run with these settings, from which errors are measured (error_m, error_rms_m)")
        ->type_name("KEY=VALUE[,KEY=VALUE]")
        ->allow_extra_args(false);
    CLI::Option* random =
        command.add_option("--random", o.random, "number of random sets of values, instead of the grid")
            ->check(wholeIn(1, 1'000'000));
    command.add_option("--seed", o.seed, "seed of the random sets; otherwise 1")
        ->check(wholeIn(0, std::numeric_limits<long>::max()))
        ->needs(random);
    command.add_option("--repeat", o.repeat, "repetitions of each run, of which the fastest counts; otherwise 1")
        ->check(wholeIn(1, 1000));
    addName(command, "--shard", o.shard, "the i-th of n parts of the runs, counted from 1", "I/N");
    addThreads(command, o.threads, "all cores, or 1 with --shard");
    addName(command, "--out", o.out, "one line per run; runs already in it are skipped", "FILE.ndjson")->required();
}

void addPlot(CLI::App& command, PlotCommand& o) {
    command.add_option("files", o.files, "reports of `run --report`, or files of `sweep`")
        ->required()
        ->type_name("FILE.ndjson...");
    addName(command, "--out", o.out, "FILE.png or FILE.svg, or FILE.csv with the numbers", "FILE")->required();
    addName(command, "--x", o.x, "the horizontal axis", "KEY");
    addName(command, "--y", o.y, "the vertical axis; one plot per key", "KEY[,KEY]");
    addName(command, "--by", o.by, "sweeps: one curve per value", "KEY[,KEY]");
    for (const auto& [name, log, linear] : {std::tuple{"x", &o.logX, &o.linearX}, {"y", &o.logY, &o.linearY}}) {
        CLI::Option* option = command.add_flag(std::string("--log-") + name, *log,
                                               std::string("logarithmic ") + name + " axis; otherwise by the values");
        command.add_flag(std::string("--linear-") + name, *linear, std::string("linear ") + name + " axis")
            ->excludes(option);
    }
    command.add_option("--title", o.title, "title above the picture")->type_name("TEXT");
    addName(command, "--theme", o.theme, "colours: dark, or light for paper", "NAME");
    addSize(command, o.width, o.height, "size of the picture in pixels; otherwise 1280x720");
}

void addTrials(CLI::App& command, TrialsCommand& o) {
    command.add_option("trials", o.trials, "slopes: a sheet on a plane, or boards: boards and jaws against sheets")
        ->required()
        ->check(CLI::IsMember({"slopes", "boards"}));
    CLI::Option* few = command.add_flag("--few", o.few, "a small sample, in seconds");
    CLI::Option* full = command.add_flag("--full", o.full, "all runs, not a sample: hours")->excludes(few);
    command.add_option("--run", o.only, "only the run of this number; may be repeated")
        ->check(wholeIn(0, 100'000'000))
        ->allow_extra_args(false)
        ->type_name("N")
        ->excludes(few)
        ->excludes(full);
    command.add_option("--scene-of", o.sceneOf, "prints the scene of the run of this number, for `clothlab run`")
        ->check(wholeIn(0, 100'000'000))
        ->type_name("N");
    command.add_option("--threads", o.threads, "concurrent runs, 0 = as many as cores (the default)")
        ->check(wholeIn(0, 256));
    command.add_flag("--json", o.json, "prints all runs as one JSON object");
}

/// All commands and what was said for them.
struct Parsed {
    ViewOptions bare, view;
    RenderOptions render;
    RunCommand run;
    SystemCommand system;
    RaceCommand race;
    ReproduceCommand reproduce;
    SweepCommand sweep;
    PlotCommand plot;
    ScenesCommand scenes;
    CheckCommand check;
    LessonCommand lesson;
    TrialsCommand trials;
    bool version = false, licences = false, settings = false, actions = false;
    DrawingCommands drawing;
    std::vector<std::string> plugins;
    std::function<int()> action;
};

void describe(CLI::App& app, Parsed& p) {
    app.require_subcommand(0, 1);
    app.footer(
        "Exit codes: 0 done, 1 the simulation diverged, a solve failed or standard output was closed, 2 wrong use, bad "
        "input or an output that cannot be written, 128 + N signal N.");
    app.add_flag("--version", p.version, "version, build, processor and libraries");
    app.add_flag("--licences", p.licences, "the licences of the program and of what it contains");
    app.add_flag("--help-settings", p.settings, "every key of --set, with its unit, range and meaning");
    app.add_flag("--help-actions", p.actions, "every key and action of the window, as a Markdown page");
    addView(app, p.bare);
    const auto command = [&app, &p](const char* name, const char* help, auto action) {
        CLI::App* sub = app.add_subcommand(name, help);
        sub->callback([&p, action] { p.action = action; });
        return sub;
    };
    addView(*command("view", "opens the window (the default command)", [&p] { return p.drawing.view(p.view); }),
            p.view);
    addRun(*command("run", "steps without a window", [&p] { return runRun(p.run); }), p.run);
    addRender(*command("render", "draws off screen: a film or pictures", [&p] { return p.drawing.render(p.render); }),
              p.render);
    addSystem(*command("system", "writes the linear system of one step", [&p] { return runSystem(p.system); }),
              p.system);
    addRace(*command("race", "every solver and preconditioner on one frozen system",
                     [&p] { return runRace(p.race, p.drawing); }),
            p.race);
    addReproduce(*command("reproduce", "a paper's table: the paper's values beside ours",
                          [&p] { return runReproduce(p.reproduce, p.drawing); }),
                 p.reproduce);
    addSweep(*command("sweep", "runs a grid or random sets of settings, one line per run",
                      [&p] { return runSweep(p.sweep); }),
             p.sweep);
    addPlot(*command("plot", "draws curves from reports and sweeps", [&p] { return p.drawing.plot(p.plot); }), p.plot);
    addTrials(*command("trials", "many runs with a known physical outcome, and a verdict on each",
                       [&p] { return runTrials(p.trials); }),
              p.trials);
    CLI::App* scenes = command("scenes", "lists the built-in scenes", [&p] { return runScenes(p.scenes); });
    scenes->add_flag("--json", p.scenes.json, "as one JSON array");
    CLI::App* lesson = command("lesson", "runs lessons without the window, and their claims; without a name lists them",
                               [&p] { return runLesson(p.lesson, p.drawing); });
    lesson->add_option("lessons", p.lesson.lessons, "names of built-in lessons, or files that end in .md")
        ->type_name("LESSON");
    lesson->add_flag("--all", p.lesson.all, "all built-in lessons");
    addThreads(*lesson, p.lesson.threads, "all cores");
    CLI::Option* film = addName(*lesson, "--film", p.lesson.film,
                                "a film of one lesson: FILE.mp4, FILE.gif, FILE.png with its end, or a folder", "FILE");
    lesson->add_option("--seconds", p.lesson.seconds, "longest duration of the film; otherwise 60")
        ->check(CLI::Range(1.0, 600.0))
        ->needs(film);
    addSize(*lesson, p.lesson.width, p.lesson.height, "size of the film in pixels; otherwise 1280x720")->needs(film);
    addName(*lesson, "--theme", p.lesson.theme, "colours of the film: dark, or light", "NAME")->needs(film);
    CLI::App* check = command("check", "validates a scene or a Python file", [&p] { return runCheck(p.check); });
    addScene(*check, p.check.scene, true);
    addSets(*check, p.check.sets);
    addName(*check, "--exercise", p.check.exercise, "exercise that a Python file solves", "NAME");
    check->add_flag("--json", p.check.json, "the verdict on a Python file as JSON");
    addPlugins(app, p.plugins);
}

}  // namespace

int runCommandLine(int argc, const char* const* argv, const DrawingCommands& drawing) {
    platform::prepareStandardStreams();
    CLI::App app("Clothlab: an interactive laboratory for cloth solvers", "clothlab");
    Parsed parsed{.drawing = drawing};
    describe(app, parsed);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        constexpr std::size_t kLongest = 300;  // its messages repeat what was given
        if (e.get_exit_code() != 0) {          // its own codes are 105 to 109
            fmt::print(stderr, "clothlab: {}\nRun with --help for more information.\n", shown(e.what(), kLongest));
            return kExitUsage;
        }
        std::ostringstream help;
        app.exit(e, help, std::cerr);
        return say(help.str());
    }
    const Interrupt interrupt;
    loadPlugins(parsed.plugins);
    const int code = parsed.licences   ? printLicences()
                     : parsed.version  ? printVersion()
                     : parsed.settings ? printSettings()
                     : parsed.actions  ? say(drawing.actions())
                     : parsed.action   ? parsed.action()
                                       : drawing.view(parsed.bare);
    return Interrupt::signal() != 0 ? kExitSignal + Interrupt::signal() : code;
}

}  // namespace clothlab::app::commands
