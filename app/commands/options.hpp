#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What the command line says, as plain data. CLI11 fills these in one file (command_line.cpp); everything else sees
/// only this.
namespace clothlab::app::commands {

/// `clothlab [view] [SCENE] ...`
struct ViewOptions {
    std::string scene;              ///< name or path; empty = the default scene
    std::string fromFile;           ///< a saved state to go on from, in place of a scene
    std::vector<std::string> sets;  ///< key=value, in order
    int threads = -1;               ///< -1 = the scene's own; 0 = one fewer than the cores
    std::string recordFile;         ///< all that is done to the simulation, to be replayed
    std::string replayFile;         ///< what was recorded, in place of a scene
    std::string inputFile;          ///< time-stamped events, fed through the same queue as the window's
    std::string stateFile;          ///< the window writes its state here, for scripts that poll it
    std::string screenshotFile;     ///< PNG, written before the window closes
    std::string sweepFile;          ///< NDJSON of a sweep with a reference, shown as work and precision
    std::string lesson;             ///< name or file of one to begin with; empty = none
    std::string theme;              ///< key of a theme; empty = the usual one
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
    std::vector<std::string> vary;   ///< key=a,b,c: a contact sheet of all of them
    std::string out;                 ///< .mp4, .gif, .png (the last state) or a folder of PNG frames
    int width = 1280, height = 720;  ///< pixels
    std::string overlay;             ///< name of an overlay; empty = the scene's own
    std::string theme;               ///< key of a theme; empty = the usual one
    bool panels = false;             ///< draws the window's panels too
    int threads = -1;                ///< -1 = the scene's own; 0 = all cores
    int every = 1;                   ///< draws every n-th step
    double fps = 0;                  ///< of the film; 0 = real time of the scene
};

/// `clothlab run SCENE ...`
struct RunCommand {
    std::string scene;
    std::string fromFile;    ///< a saved state to go on from, in place of a scene
    std::string saveFile;    ///< the last state goes here
    std::string replayFile;  ///< what was recorded in a window, in place of a scene
    std::vector<std::string> sets;
    int steps = -1;     ///< -1 = the scene's own
    int threads = -1;   ///< -1 = the scene's own; 0 = all cores
    int branchAt = -1;  ///< step after which a second cloth goes on with other settings; -1 = none
    std::vector<std::string> branchSets;
    std::string reportFile;     ///< NDJSON, one object a step
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
    bool nonlinear = false;          ///< the methods that go down the energy of that step instead
    std::string systemFolder;        ///< a system from files instead
    std::vector<double> tolerances;  ///< of the true relative residual; empty = 1e-3 and 1e-6
    int runs = 5, maxIterations = 2000;
    int threads = -1;       ///< -1 = the scene's own; 0 = all cores
    std::string outFolder;  ///< the race, the system, scene and settings go here
    bool json = false, csv = false;
    std::vector<std::string> programs;  ///< NAME='COMMAND {dir}', or the name of a configured one
    double programLimit = 60;           ///< s, of each of their runs
    std::uint64_t programMemory = 0;    ///< MiB of address space of each of their processes; 0 = any
};

/// `clothlab reproduce TABLE` or `clothlab reproduce --list`
struct ReproduceCommand {
    std::string table;
    bool list = false, json = false, quick = false;
    std::vector<std::string> overrides;
    int side = 0;            ///< 0 = the table's own sizes
    int threads = 1;         ///< 0 = all cores
    int sets = 0, seed = 1;  ///< of random parameters; 0 = the table's own number
    std::string setsFile;    ///< NDJSON, a line a finished set, read back at the start
    std::string figures;     ///< folder of the table's figures as SVG; empty: none
    std::string keep;        ///< folder of kept tables: this one is kept there; of --claims, those that it reads
    bool claims = false;     ///< in place of a table
};

/// `clothlab sweep SCENE --vary key=a,b,c --out FILE.ndjson ...`
struct SweepCommand {
    std::string scene;
    std::vector<std::string> sets, vary, reference;
    int steps = -1;       ///< -1 = the scene's own
    double duration = 0;  ///< s, in place of steps; 0 = not given
    int threads = -1;     ///< -1 = the scene's own, or 1 with shards; 0 = all cores
    int repeat = 1;       ///< of each run the fastest of so many counts
    int random = 0;       ///< so many random sets; 0 = the grid
    std::uint64_t seed = 1;
    std::string shard = "1/1";
    std::string out;  ///< NDJSON, one line a run; what is there is kept
};

/// `clothlab plot FILE.ndjson... --out FILE.png | FILE.svg | FILE.csv`
struct PlotCommand {
    std::vector<std::string> files;
    std::string out;
    std::string x, y, by;  ///< keys, y and by with commas; empty = what fits the files
    bool logX = false, logY = false, linearX = false, linearY = false;  ///< neither: by the values
    std::string title;
    std::string theme;               ///< key of a theme; empty = the usual one
    int width = 1280, height = 720;  ///< pixels
};

/// `clothlab scenes`
struct ScenesCommand {
    bool json = false;
};

/// `clothlab check SCENE`
struct CheckCommand {
    std::string scene;  ///< or a file that ends in .py
    std::vector<std::string> sets;
    std::string exercise;  ///< of a file that ends in .py
    bool json = false;
};

/// `clothlab lesson [LESSON ...]`
struct LessonCommand {
    std::vector<std::string> lessons;  ///< empty: lists them
    bool all = false;
    int threads = 0;
    std::string film;           ///< FILE.mp4, FILE.gif, FILE.png or a folder; empty: none
    int width = 0, height = 0;  ///< of the film, pixels; 0 = the usual size
    double seconds = 60;        ///< of the film, at most
    std::string theme;          ///< of the film
};

/// `clothlab trials slopes|boards`
struct TrialsCommand {
    std::string trials;
    bool few = false, full = false, json = false;
    std::vector<int> only;  ///< numbers of runs; empty: a sample
    int sceneOf = -1;       ///< number of a run whose scene is printed instead
    int threads = 0;        ///< runs at a time; 0 = all cores
};

}  // namespace clothlab::app::commands
