#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "app/program.hpp"
#include "base/input.hpp"
#include "scene/scene.hpp"
#include "scene/scene_files.hpp"

namespace clothlab::tests {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CommandLine, EachMalformedFileGivesExitCode2AndItsPlace) {
    for (const MalformedFile& file : malformedFiles()) {
        const Result r = clothlab("check '" + file.path + "'");
        EXPECT_EQ(r.code, 2) << file.path;
        EXPECT_TRUE(has(r.err, file.path + ":" + file.place + ": ") && has(r.err, file.fragment)) << r.err;
        EXPECT_EQ(r.out, "");
    }
}

TEST(CommandLine, WrongUseIsExitCode2) {
    for (const char* arguments :
         {"run", "run nothing", "run hang --steps many", "run hang --steps -1", "run hang --colour",
          "run hang drape-table", "system hang --out x", "system hang --step 0 --out x", "run hang --set",
          "run hang --set solver.kind=gauss", "render hang",
          "render chen --steps 1 --panels --size 640x400 --out small.png",
          "run hang --steps 1 --report /no/such/folder/r.ndjson", "view hang --size 12", "check"}) {
        const Result r = clothlab(arguments);
        EXPECT_EQ(r.code, 2) << arguments;
        EXPECT_NE(r.err, "") << arguments;
        EXPECT_EQ(r.out, "") << arguments;
    }
}

TEST(CommandLine, Lists) {
    const Result scenes = clothlab("scenes");
    EXPECT_EQ(scenes.code, 0);
    EXPECT_TRUE(scenes.out.starts_with("hang"));
    EXPECT_EQ(std::size_t(std::count(scenes.out.begin(), scenes.out.end(), '\n')),
              scene::builtInScenes(CLOTHLAB_SOURCE_DIR "/assets").size());
    EXPECT_TRUE(clothlab("scenes --json").out.starts_with("[{\"name\":\"hang\""));
    EXPECT_TRUE(has(clothlab("--version").out, "CLOTHLAB_ARCH="));
    EXPECT_TRUE(has(clothlab("--version --licences").out, "Eigen         MPL-2.0\n"));
    EXPECT_TRUE(has(clothlab("--help-settings").out, "\nintegrator.dt  time step  default 0.01  "));
    const Result help = clothlab("--help");
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(has(help.out, "render") && has(help.out, "system"));
    EXPECT_EQ(clothlab("check chen").code, 0);
    const Result kept = clothlab("check ball-hit"), changed = clothlab("check ball-hit --set integrator.dt=0.002");
    EXPECT_NE(kept.out.find("paper: Ye, table 2: 10 values printed there, 2 read off"), std::string::npos) << kept.out;
    EXPECT_NE(kept.out.find("integrator.dt = 0.00667 s  (printed 0.00667, 0.00555, 0.00367 s)"), std::string::npos)
        << kept.out;
    EXPECT_NE(changed.out.find("integrator.dt = 0.002 s  (printed 0.00667, 0.00555, 0.00367 s; ours differs)"),
              std::string::npos)
        << changed.out;
    EXPECT_EQ(clothlab("check hang").out.find("paper"), std::string::npos) << "this scene belongs to no paper";
}

// CLI11 2.4 ends the program at its start if an option of a command has the name of the window's argument, SCENE.
TEST(CommandLine, NoCommandHasAnOptionNamedAsTheArgumentOfTheWindow) {
    for (const char* command : {"view", "render", "run", "system", "race", "reproduce", "sweep", "plot", "trials",
                                "scenes", "lesson", "check"}) {
        const Result help = clothlab(std::string(command) + " --help");
        EXPECT_EQ(help.code, 0) << command;
        EXPECT_FALSE(has(help.out, "--scene ")) << help.out;
    }
}

TEST(CommandLine, RunWritesReportSummaryAndScene) {
    const ScratchFolder folder;
    const Result r =
        clothlab("run chen --steps 5 --json --threads 2 --set integrator.dt=0.01 --set material.density=2 --out '" +
                 folder.file("o") + "'");
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    EXPECT_TRUE(has(r.out, "\"scene\":\"chen\",\"steps\":5,\"status\":\"ok\"")) << r.out;
    EXPECT_TRUE(has(r.out, "\"dt\":0.01") && has(r.out, "\"density\":2.0") && !has(r.out, "particle_mass")) << r.out;
    const std::string report = *readFile(folder.file("o/report.ndjson"));
    EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 5);
    for (const char* key : {"step",       "time_s",      "status",       "iterations",       "true_relative_residual",
                            "step_ms",    "assemble_ms", "analyze_ms",   "factor_ms",        "solve_ms",
                            "contact_ms", "kinetic_j",   "gravity_j",    "elastic_j",        "total_j",
                            "max_strain", "contacts",    "repulsion_j",  "repulsion_pairs",  "ndof_counts",
                            "components", "state_hash",  "solve_status", "linear_iterations"})
        EXPECT_TRUE(has(report, std::string("\"") + key + "\":")) << key;
    EXPECT_EQ(
        std::distance(std::filesystem::directory_iterator(folder.file("o")), std::filesystem::directory_iterator()), 4);

    // The scene written runs to the same state.
    const auto hash = [](const std::string& text) { return text.substr(text.find("\"state_hash\":\"") + 14, 16); };
    const Result again = clothlab("run '" + folder.file("o/scene.toml") + "' --steps 5 --json --threads 1");
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(hash(again.out), hash(r.out));
}

TEST(CommandLine, RenderDrawsPanelsWithoutADisplay) {
    const ScratchFolder folder;
    ::unsetenv("DISPLAY");
    const std::string bare = folder.file("bare.png"), panels = folder.file("panels.png");
    for (const std::string& arguments : {"--out '" + bare + "'", "--panels --out '" + panels + "'"}) {
        const Result r = clothlab("render chen --steps 3 --threads 1 " + arguments);
        EXPECT_EQ(r.code, 0) << r.err;
        EXPECT_EQ(r.err, "");
        EXPECT_TRUE(has(r.out, "3 steps, 1 frame of 1280 x 720")) << r.out;
    }
    EXPECT_NE(*readFile(bare), *readFile(panels));
}

TEST(CommandLine, DivergenceIsExitCode1AndKeepsTheReport) {
    const ScratchFolder folder;
    const Result r = clothlab(
        "run chen --steps 400 --set integrator.kind=forward-euler --set material.stretch_stiffness=100000 "
        "--set integrator.dt=0.05 --json --report '" +
        folder.file("r.ndjson") + "'");
    EXPECT_EQ(r.code, 1) << r.out << r.err;
    EXPECT_TRUE(has(r.out, "\"status\":\"diverged\"")) << r.out;
    EXPECT_NE(r.err, "");
    const std::string report = *readFile(folder.file("r.ndjson"));
    EXPECT_TRUE(has(report.substr(report.rfind("{\"step\"")), "\"status\":\"diverged\""));
}

}  // namespace
}  // namespace clothlab::tests
