#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <functional>
#include <iostream>
#include <sstream>

#include "base/file_system.hpp"
#include "commands/commands.hpp"
#include "commands/interrupt.hpp"
#include "commands/say.hpp"

namespace clothlab::app {
namespace {

constexpr int kMaxPixels = 16384;

/// "1280x720" into two numbers; an empty string or what is wrong with it, as CLI11's validators say it.
std::string parseSize(const std::string& text, int& width, int& height) {
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, width);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x') {
        const auto second = std::from_chars(first.ptr + 1, end, height);
        const auto fits = [](int n) { return n >= 16 && n <= kMaxPixels; };
        if (second.ec == std::errc{} && second.ptr == end && fits(width) && fits(height)) return {};
    }
    return fmt::format("'{}' is not a size such as 1280x720 (16 to {} pixels each way)", text, kMaxPixels);
}

void addSize(CLI::App& command, int& width, int& height, const std::string& help) {
    command.add_option_function<std::string>("--size", [&width, &height](const std::string& text) {
        if (const std::string wrong = parseSize(text, width, height); !wrong.empty()) throw CLI::ValidationError("--size", wrong);
    }, help)->type_name("WxH");
}

void addSets(CLI::App& command, std::vector<std::string>& sets) {
    command.add_option("--set", sets, "assigns a setting, and wins over the scene; may be repeated; --help-settings lists them")
        ->type_name("KEY=VALUE")->allow_extra_args(false);
}

void addThreads(CLI::App& command, int& threads, const std::string& otherwise) {
    command.add_option("--threads", threads, "threads of a step; otherwise " + otherwise)->check(CLI::Range(1, 256));
}

void addScene(CLI::App& command, std::string& scene, bool required) {
    command.add_option("scene", scene, "name of a built-in scene, or a file that ends in .toml")->required(required)->type_name("SCENE");
}

void addView(CLI::App& command, ViewOptions& o) {
    addScene(command, o.scene, false);
    addSets(command, o.sets);
    addThreads(command, o.threads, "one fewer than the cores");
    addSize(command, o.width, o.height, "size of the window in points: pixels on a monitor of scale 1; 640x400 at least");
    command.add_option("--scale", o.scale, "pixels per point, 1 to 4; otherwise the monitor's own")->check(CLI::Range(1.0, 4.0));
    command.add_option("--msaa", o.msaa, "samples for smooth edges, 0 = off; otherwise what the driver does well")->check(CLI::Range(0, 16));
    command.add_option("--input", o.inputFile, "feeds the time-stamped events of a file to the window")->type_name("FILE");
    command.add_option("--state", o.stateFile, "keeps the window's state in a file, for scripts")->type_name("FILE");
    command.add_option("--open-sweep", o.sweepFile, "shows a sweep's file as work and precision")->type_name("FILE.ndjson");
    command.add_option("--screenshot", o.screenshotFile, "saves the window as PNG before it closes")->type_name("FILE");
    command.add_option("--frames", o.maxFrames, "closes the window after so many frames")->check(CLI::Range(1, 100'000'000));
}

void addRender(CLI::App& command, RenderOptions& o) {
    addScene(command, o.scene, true);
    command.add_option("--steps", o.steps, "how many steps; otherwise the scene's own")->check(CLI::Range(0, 100'000'000));
    command.add_option("--out", o.out, "FILE.mp4, FILE.png (the last state) or a folder for PNG frames")->required()->type_name("PATH");
    addSets(command, o.sets);
    addThreads(command, o.threads, "all cores");
    addSize(command, o.width, o.height, "size of the picture in pixels; otherwise 1280x720");
    command.add_option("--overlay", o.overlay, "an overlay on the cloth; otherwise the scene's own")->type_name("NAME");
    command.add_flag("--panels", o.panels, "draws the window's panels too (1280x720 or larger)");
    command.add_option("--every", o.every, "draws every n-th step")->check(CLI::Range(1, 1'000'000));
    command.add_option("--fps", o.fps, "frames a second of the film; otherwise the scene's real time")->check(CLI::Range(1.0, 1000.0));
}

void addRun(CLI::App& command, RunCommand& o) {
    addScene(command, o.scene, true);
    command.add_option("--steps", o.steps, "how many steps; otherwise the scene's own")->check(CLI::Range(0, 100'000'000));
    addSets(command, o.sets);
    addThreads(command, o.threads, "all cores");
    command.add_option("--branch", o.branchAt, "after this step a second cloth goes on beside the first, with the settings of --with; the report has their distance")
        ->check(CLI::Range(0, 100'000'000))->type_name("STEP");
    command.add_option("--with", o.branchSets, "a setting of the second cloth; may be repeated")->type_name("KEY=VALUE")->allow_extra_args(false);
    command.add_option("--report", o.reportFile, "writes one JSON object a step")->type_name("FILE.ndjson");
    CLI::Option* positions = command.add_option("--positions", o.positionsFile, "writes positions and velocities: frames x 2 x N x 3 as .npy, or a line a frame as .ndjson")
                                 ->type_name("FILE");
    command.add_option("--every", o.every, "with --positions: so many steps from one state to the next; otherwise 1")->check(CLI::Range(1, 1'000'000))->needs(positions);
    command.add_option("--out", o.outFolder, "writes report.ndjson, summary.json, scene.toml and last_state.npy into a folder")->type_name("DIR");
    command.add_flag("--json", o.json, "prints the summary as one JSON object");
}

void addSystem(CLI::App& command, SystemCommand& o) {
    addScene(command, o.scene, true);
    command.add_option("--step", o.step, "the system that leads from state K-1 to state K")->required()->check(CLI::Range(1, 100'000'000))->type_name("K");
    command.add_option("--out", o.outFolder, "folder for A, core, b, z, delta_v, constraints and settings")->required()->type_name("DIR");
    addSets(command, o.sets);
    addThreads(command, o.threads, "all cores");
}

void addRace(CLI::App& command, RaceCommand& o) {
    addScene(command, o.scene, false);
    command.add_option("--step", o.step, "the system that leads from state K-1 to state K")->check(CLI::Range(1, 100'000'000))->type_name("K");
    command.add_option("--system", o.systemFolder, "a folder with A.mtx and b.mtx instead of a scene, ours (`system`) or foreign")
        ->type_name("DIR");
    command.add_option("--tolerance", o.tolerances, "true relative residuals to reach; otherwise 1e-3,1e-6")
        ->delimiter(',')->check(CLI::Range(1e-14, 1.0));
    command.add_option("--runs", o.runs, "runs of which the median counts; otherwise 5")->check(CLI::Range(1, 1000));
    command.add_option("--max-iterations", o.maxIterations, "where a method that does not arrive ends; otherwise 2000")
        ->check(CLI::Range(1, 10'000'000));
    addSets(command, o.sets);
    addThreads(command, o.threads, "all cores");
    command.add_option("--out", o.outFolder, "writes the race (txt, csv, json), the system, scene and settings into a folder")
        ->type_name("DIR");
    CLI::Option* json = command.add_flag("--json", o.json, "prints one JSON object, curves and Ritz values included");
    command.add_flag("--csv", o.csv, "prints one line a row")->excludes(json);
}

void addReproduce(CLI::App& command, ReproduceCommand& o) {
    command.add_option("table", o.table, "name of a table, as --list has them")->type_name("TABLE");
    command.add_flag("--list", o.list, "lists the tables");
    command.add_flag("--json", o.json, "prints one JSON object");
    command.add_flag("--quick", o.quick, "smaller sizes and fewer runs: within a minute");
    addThreads(command, o.threads, "1, as in the papers");
    command.add_option("--out", o.setsFile, "keeps every finished set, and goes on where it stopped")->type_name("FILE.ndjson");
    command.add_option("--sets", o.sets, "how many random sets instead of the table's own number")->check(CLI::Range(1, 1000000));
    command.add_option("--seed", o.seed, "of the random sets (1)")->check(CLI::Range(1, 1000000));
}

void addSweep(CLI::App& command, SweepCommand& o) {
    addScene(command, o.scene, true);
    command.add_option("--vary", o.vary,
                       "the values of a setting; repeated, all combinations are run; with --random also KEY=A..B and KEY=A..B:log")
        ->required()->type_name("KEY=A,B,C")->allow_extra_args(false);
    addSets(command, o.sets);
    CLI::Option* steps = command.add_option("--steps", o.steps, "how many steps; otherwise the scene's own")->check(CLI::Range(0, 100'000'000));
    command.add_option("--duration", o.duration, "simulated seconds in place of steps, so that runs of any time step end together")
        ->check(CLI::Range(1e-6, 1e6))->type_name("SECONDS")->excludes(steps);
    command.add_option("--reference", o.reference, "a run with these settings is what the others are measured by: error_m, error_rms_m")
        ->type_name("KEY=VALUE[,KEY=VALUE]")->allow_extra_args(false);
    CLI::Option* random = command.add_option("--random", o.random, "so many random sets of values in place of the grid")
                              ->check(CLI::Range(1, 1'000'000));
    command.add_option("--seed", o.seed, "of the random sets; otherwise 1")->needs(random);
    command.add_option("--repeat", o.repeat, "makes each run so many times, the fastest counts; otherwise 1")->check(CLI::Range(1, 1000));
    command.add_option("--shard", o.shard, "the i-th of n parts of the runs, counted from 1")->type_name("I/N");
    addThreads(command, o.threads, "all cores, or 1 with --shard");
    command.add_option("--out", o.out, "one line a run; the runs that it has are not made again")->required()->type_name("FILE.ndjson");
}

void addPlot(CLI::App& command, PlotCommand& o) {
    command.add_option("files", o.files, "reports of `run --report`, or files of `sweep`")->required()->type_name("FILE.ndjson...");
    command.add_option("--out", o.out, "FILE.png, or FILE.csv with the numbers")->required()->type_name("FILE");
    command.add_option("--x", o.x, "what goes to the right")->type_name("KEY");
    command.add_option("--y", o.y, "what goes up; several make a plot each")->type_name("KEY[,KEY]");
    command.add_option("--by", o.by, "sweeps: a curve for each value of it")->type_name("KEY[,KEY]");
    for (const auto& [name, log, linear] : {std::tuple{"x", &o.logX, &o.linearX}, {"y", &o.logY, &o.linearY}}) {
        CLI::Option* option = command.add_flag(std::string("--log-") + name, *log, std::string("logarithmic ") + name + " axis; otherwise by the values");
        command.add_flag(std::string("--linear-") + name, *linear, std::string("linear ") + name + " axis")->excludes(option);
    }
    command.add_option("--title", o.title, "stands over the picture")->type_name("TEXT");
    addSize(command, o.width, o.height, "size of the picture in pixels; otherwise 1280x720");
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
    bool version = false, settings = false;
    std::function<int()> action;
};

void describe(CLI::App& app, Parsed& p) {
    app.require_subcommand(0, 1);
    app.footer("Exit codes: 0 done, 1 the simulation diverged, a solve failed or standard output was closed, 2 wrong use, bad input or an output that cannot be "
               "written, 128 + N signal N.");
    app.add_flag("--version", p.version, "version, build, processor and libraries");
    app.add_flag("--help-settings", p.settings, "every key of --set, with its unit, range and meaning");
    addView(app, p.bare);
    const auto command = [&app, &p](const char* name, const char* help, auto action) {
        CLI::App* sub = app.add_subcommand(name, help);
        sub->callback([&p, action] { p.action = action; });
        return sub;
    };
    addView(*command("view", "opens the window (the default command)", [&p] { return runView(p.view); }), p.view);
    addRun(*command("run", "steps without a window", [&p] { return runRun(p.run); }), p.run);
    addRender(*command("render", "draws off screen: a film or pictures", [&p] { return runRender(p.render); }), p.render);
    addSystem(*command("system", "writes the linear system of one step", [&p] { return runSystem(p.system); }), p.system);
    addRace(*command("race", "every solver and preconditioner on one frozen system", [&p] { return runRace(p.race); }), p.race);
    addReproduce(*command("reproduce", "a paper's table: the paper's values beside ours", [&p] { return runReproduce(p.reproduce); }), p.reproduce);
    addSweep(*command("sweep", "runs a grid or random sets of settings, a line a run", [&p] { return runSweep(p.sweep); }), p.sweep);
    addPlot(*command("plot", "draws curves from reports and sweeps", [&p] { return runPlot(p.plot); }), p.plot);
    CLI::App* scenes = command("scenes", "lists the built-in scenes", [&p] { return runScenes(p.scenes); });
    scenes->add_flag("--json", p.scenes.json, "as one JSON array");
    CLI::App* check = command("check", "validates a scene file", [&p] { return runCheck(p.check); });
    addScene(*check, p.check.scene, true);
    addSets(*check, p.check.sets);
}

}  // namespace

int runCommandLine(int argc, const char* const* argv) {
    platform::prepareStandardStreams();
    CLI::App app("Clothlab: an interactive laboratory for cloth solvers", "clothlab");
    Parsed parsed;
    describe(app, parsed);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        std::ostringstream help;
        const bool asked = app.exit(e, help, std::cerr) == 0;  // its own codes are 105 to 109
        return asked ? say(help.str()) : kExitUsage;
    }
    const Interrupt interrupt;
    const int code = parsed.version    ? printVersion()
                     : parsed.settings ? printSettings()
                     : parsed.action   ? parsed.action()
                                       : runView(parsed.bare);
    return Interrupt::signal() != 0 ? kExitSignal + Interrupt::signal() : code;
}

}  // namespace clothlab::app
