#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Options of the command line, as plain data. command_line.cpp fills these through CLI11; all other files need only
/// this one.
namespace clothlab::app::commands {

/// `clothlab [view] [SCENE] ...`
struct ViewOptions {
    std::string scene;              ///< name or path; empty = the default scene
    std::string fromFile;           ///< a saved state to start from instead of a scene
    std::vector<std::string> sets;  ///< key=value, in order
    int threads = -1;               ///< -1 = the scene's own; 0 = one fewer than the cores
    std::string recordFile;         ///< output: all edits of the simulation, for a replay
    std::string replayFile;         ///< a recording to replay instead of a scene
    std::string inputFile;          ///< time-stamped events, fed through the same queue as the window's
    std::string stateFile;          ///< the window writes its state here, for scripts that poll it
    std::string screenshotFile;     ///< PNG, written before the window closes
    std::string sweepFile;          ///< NDJSON of a sweep with a reference, shown as work and precision
    std::string lesson;             ///< name or file of a lesson to begin with; empty = none
    std::string theme;              ///< key of a theme; empty = the default
    bool playground = false;        ///< begins in the playground
    int width = 0, height = 0;      ///< points; 0 = the window's own choice
    double scale = 0;               ///< pixels per point; 0 = the monitor's
    int link = -1;                  ///< socket of another program, whose simulation is shown; -1 = none
    int maxFrames = -1;             ///< closes after this many frames; -1 = never
};

/// `clothlab render SCENE --steps N --out FILE.mp4 | FILE.png | DIR ...`
struct RenderOptions {
    std::string scene;
    std::vector<std::string> sets;
    int steps = -1;                  ///< -1 = the scene's own
    std::vector<std::string> vary;   ///< key=a,b,c: a contact sheet of all values
    std::string out;                 ///< .mp4, .gif, .png (the last state) or a folder of PNG frames
    int width = 1280, height = 720;  ///< pixels
    std::string overlay;             ///< name of an overlay; empty = the scene's own
    std::string theme;               ///< key of a theme; empty = the default
    bool panels = false;             ///< draws the window's panels too
    int threads = -1;                ///< -1 = the scene's own; 0 = all cores
    int every = 1;                   ///< draws every n-th step
    double fps = 0;                  ///< frames per second of the film; 0 = real time of the scene
};

/// `clothlab run SCENE ...`
struct RunCommand {
    std::string scene;
    std::string fromFile;    ///< a saved state to start from instead of a scene
    std::string saveFile;    ///< the last state goes here
    std::string replayFile;  ///< a recording of a window, to replay instead of a scene
    std::vector<std::string> sets;
    int steps = -1;     ///< -1 = the scene's own
    int threads = -1;   ///< -1 = the scene's own; 0 = all cores
    int branchAt = -1;  ///< step after which a second cloth continues with other settings; -1 = none
    std::vector<std::string> branchSets;
    std::string reportFile;     ///< NDJSON, one object per step
    std::string positionsFile;  ///< .npy, .ndjson, .pc2 or .obj: records::createPositions
    int every = 1;              ///< steps between two states of positionsFile
    std::string outFolder;      ///< report.ndjson, summary.json and scene.toml go here
    bool json = false;
};

/// `clothlab system SCENE --step K --out DIR [--format mtx|npz|petsc]`
struct SystemCommand {
    std::string scene;
    std::vector<std::string> sets;
    int step = 1;      ///< the system that leads from state K-1 to K
    int threads = -1;  ///< -1 = the scene's own; 0 = all cores
    std::string outFolder;
    std::string format = "mtx";  ///< key of a SystemForm
};

/// `clothlab race SCENE --step K` or `clothlab race --system DIR`
struct RaceCommand {
    std::string scene;
    std::vector<std::string> sets;
    int step = 0;                    ///< the system that leads from state K-1 to K
    bool nonlinear = false;          ///< a race of the methods that minimise the energy of that step instead
    std::string systemFolder;        ///< a system from files instead
    std::vector<double> tolerances;  ///< true relative residuals to reach; empty = 1e-3 and 1e-6
    int runs = 5, maxIterations = 2000;
    int threads = -1;       ///< -1 = the scene's own; 0 = all cores
    std::string outFolder;  ///< the race, the system, scene and settings go here
    bool json = false, csv = false;
    std::vector<std::string> programs;  ///< NAME='COMMAND {dir}', or the name of a configured one
    double programLimit = 60;           ///< s per run of a program
    std::uint64_t programMemory = 0;    ///< MiB of address space per process of a program; 0 = no limit
};

/// `clothlab reproduce TABLE` or `clothlab reproduce --list`
struct ReproduceCommand {
    std::string table;
    bool list = false, json = false, quick = false;
    std::vector<std::string> overrides;
    int side = 0;            ///< 0 = the table's own sizes
    int threads = 1;         ///< 0 = all cores
    int sets = 0, seed = 1;  ///< sets of random parameters, 0 = the table's own number; their seed
    std::string setsFile;    ///< NDJSON, one line per finished set, read back at the start
    std::string figures;     ///< folder for the table's figures as SVG; empty: none
    std::string keep;        ///< folder of kept tables: this one is kept there; --claims reads them
    bool claims = false;     ///< the verdicts on the papers' claims instead of a table
};

/// `clothlab sweep SCENE --vary key=a,b,c --out FILE.ndjson ...`
struct SweepCommand {
    std::string scene;
    std::vector<std::string> sets, vary, reference;
    int steps = -1;       ///< -1 = the scene's own
    double duration = 0;  ///< s, instead of steps; 0 = not given
    int threads = -1;     ///< -1 = the scene's own, or 1 with shards; 0 = all cores
    int repeat = 1;       ///< repetitions of each run, of which the fastest counts
    int random = 0;       ///< number of random sets; 0 = the grid
    std::uint64_t seed = 1;
    std::string shard = "1/1";
    std::string out;  ///< NDJSON, one line per run; finished runs in it are kept
};

/// `clothlab plot FILE.ndjson... --out FILE.png | FILE.svg | FILE.csv`
struct PlotCommand {
    std::vector<std::string> files;
    std::string out;
    std::string x, y, by;  ///< keys, y and by comma-separated; empty = chosen by the files
    bool logX = false, logY = false, linearX = false, linearY = false;  ///< neither: by the values
    std::string title;
    std::string theme;               ///< key of a theme; empty = the default
    int width = 1280, height = 720;  ///< pixels
};

/// `clothlab scenes`
struct ScenesCommand {
    bool json = false;
};

/// `clothlab check SCENE`
struct CheckCommand {
    std::string scene;  ///< name, scene file or Python file (.py)
    std::vector<std::string> sets;
    std::string exercise;  ///< name of the exercise that a Python file solves
    bool json = false;
};

/// `clothlab lesson [LESSON ...]`
struct LessonCommand {
    std::vector<std::string> lessons;  ///< empty: lists them
    bool all = false;
    int threads = 0;
    std::string film;           ///< FILE.mp4, FILE.gif, FILE.png or a folder; empty: none
    int width = 0, height = 0;  ///< pixels of the film; 0 = the default
    double seconds = 60;        ///< longest duration of the film
    std::string theme;          ///< key of the film's theme
};

/// `clothlab trials slopes|boards`
struct TrialsCommand {
    std::string trials;
    bool few = false, full = false, json = false;
    std::vector<int> only;  ///< numbers of runs; empty: a sample
    int sceneOf = -1;       ///< number of a run whose scene is printed instead; -1 = none
    int threads = 0;        ///< concurrent runs; 0 = all cores
};

}  // namespace clothlab::app::commands
