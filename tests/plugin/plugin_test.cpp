#include "plugin/plugin.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/program.hpp"
#include "base/text.hpp"

namespace clothlab::tests {
namespace {

/// The examples of docs/plugin, built once for all tests.
class Plugin : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        folder = std::make_unique<ScratchFolder>();
        const std::string prefix = folder->file("prefix");
        run("cmake --install '" CLOTHLAB_BUILD_DIR "' --component development --prefix '" + prefix + "'");
        build(CLOTHLAB_SOURCE_DIR "/docs/plugin", "build");
    }
    static void TearDownTestSuite() { folder.reset(); }

    static void run(const std::string& command) {
        const std::string log = folder->file("log");
        ASSERT_EQ(std::system((command + " >>'" + log + "' 2>&1").c_str()), 0) << command << "\n" << *readFile(log);
    }
    static void build(const std::string& source, const std::string& name) {
        run("cmake -G Ninja -S '" + source + "' -B '" + folder->file(name) +
            "' -DCMAKE_CXX_COMPILER='" CLOTHLAB_CXX "' -DCMAKE_PREFIX_PATH='" + folder->file("prefix") + "'");
        run("cmake --build '" + folder->file(name) + "'");
    }
    static std::string option(const std::string& name) { return " --plugin '" + folder->file("build/" + name) + "'"; }
    static std::string both() { return option("row_sums.so") + option("conjugate_residuals.so"); }
    /// Builds a library from a few lines of C, without Clothlab's headers.
    static std::string fromC(const std::string& name, const std::string& text) {
        std::ofstream(folder->file(name + ".c")) << text;
        EXPECT_EQ(
            std::system(("cc -shared -fPIC -o '" + folder->file(name + ".so") + "' '" + folder->file(name + ".c") + "'")
                            .c_str()),
            0);
        return " --plugin '" + folder->file(name + ".so") + "'";
    }

    inline static std::unique_ptr<ScratchFolder> folder;
};

TEST_F(Plugin, ItsMethodsMoveTheCloth) {
    const std::string small = "run hang --steps 3 --set cloth.rows=9 --set cloth.columns=9 --json";
    for (const char* set : {"preconditioner.kind=row-sums", "solver.kind=conjugate-residuals"}) {
        const Result moved = clothlab(small + both() + " --set " + set);
        EXPECT_EQ(moved.code, 0) << moved.err;
        EXPECT_EQ(moved.err, "");
        EXPECT_TRUE(says(moved.out, "\"status\":\"ok\"")) << moved.out;
    }
}

TEST_F(Plugin, ItsMethodsAreRowsOfARaceAndConverge) {
    const Result race = clothlab("race hang --step 5 --set cloth.rows=9 --set cloth.columns=9 --runs 1 --csv" + both());
    EXPECT_EQ(race.code, 0) << race.err;
    int converged = 0;
    for (const std::string& line : splitText(race.out, '\n'))
        converged += (says(line, "row-sums") || says(line, "conjugate-residuals")) && says(line, ",converged,");
    EXPECT_EQ(converged, 6) << "two tolerances of: reduced PCG and MPCG with row-sums, conjugate-residuals\n"
                            << race.out;
}

TEST_F(Plugin, AreListedAndSwept) {
    const Result help = clothlab("--help-settings" + both());
    EXPECT_TRUE(says(help.out, "row-sums") && says(help.out, "conjugate-residuals")) << help.out;
    const Result sweep = clothlab(
        "sweep hang --steps 2 --set cloth.rows=5 --set cloth.columns=5 --vary "
        "preconditioner.kind=jacobi,row-sums --out '" +
        folder->file("sweep.ndjson") + "'" + both());
    EXPECT_EQ(sweep.code, 0) << sweep.err;
    EXPECT_TRUE(says(*readFile(folder->file("sweep.ndjson")), "row-sums"));
}

TEST_F(Plugin, ASceneOrARecordingThatNamesAnAbsentOneIsRefusedByItsName) {
    std::ofstream(folder->file("own.toml")) << "[cloth]\n[preconditioner]\nkind = \"row-sums\"\n";
    const Result absent = clothlab("check '" + folder->file("own.toml") + "'");
    EXPECT_EQ(absent.code, 2);
    EXPECT_TRUE(says(absent.err,
                     "own.toml:3:8: preconditioner.kind: unknown choice 'row-sums'; a plug-in that is not "
                     "loaded may have it (--plugin) (valid: identity, "))
        << absent.err;
    EXPECT_EQ(clothlab("check '" + folder->file("own.toml") + "'" + both()).code, 0);

    const std::string state = folder->file("state.clothlab");
    EXPECT_EQ(
        clothlab("run hang --steps 2 --set cloth.rows=5 --set cloth.columns=5 --set solver.kind=conjugate-residuals "
                 "--save '" +
                 state + "'" + both())
            .code,
        0);
    const Result without = clothlab("run --steps 1 --from '" + state + "'");
    EXPECT_EQ(without.code, 2);
    EXPECT_TRUE(says(without.err, "unknown choice 'conjugate-residuals'; a plug-in")) << without.err;
    EXPECT_EQ(clothlab("run --steps 1 --from '" + state + "'" + both()).code, 0);

    const std::string recording = folder->file("recording.ndjson");
    std::ofstream(recording) << R"({"clothlab_recording": 1}
{"load": {"name": "mine", "scene": "[cloth]\nrows = 5\ncolumns = 5\n"}}
{"set": {"solver.kind": "conjugate-residuals"}}
{"steps": 2}
)";
    const Result replayed = clothlab("run --replay '" + recording + "'");
    EXPECT_EQ(replayed.code, 2);
    EXPECT_TRUE(says(replayed.err, "recording.ndjson:3:") && says(replayed.err, "'conjugate-residuals'; a plug-in"))
        << replayed.err;
    EXPECT_EQ(clothlab("run --replay '" + recording + "'" + both()).code, 0);
}

TEST_F(Plugin, AProgramOfItsOwnLinksTheCoreAndTakesTheSameSteps) {
    std::filesystem::create_directories(folder->file("program"));
    std::ofstream(folder->file("program/CMakeLists.txt")) << R"(cmake_minimum_required(VERSION 3.25)
project(program CXX)
find_package(clothlab REQUIRED)
add_executable(program main.cpp)
target_link_libraries(program PRIVATE clothlab::core)
)";
    std::ofstream(folder->file("program/main.cpp")) << R"(#include <cstdio>
#include "simulation/simulation.hpp"
int main(int, char** names) {
    const auto scene = clothlab::scene::readScene(names[1]);
    const auto simulation = clothlab::simulation::Simulation::create(*scene, 1);
    for (int k = 0; k < 3; ++k) (*simulation)->step();
    std::printf("%016llx", (unsigned long long)clothlab::integrators::stateHash((*simulation)->state()));
}
)";
    build(folder->file("program"), "program-build");
    const std::string scene = folder->file("small.toml"), hash = folder->file("hash");
    std::ofstream(scene) << "[cloth]\nrows = 9\ncolumns = 9\n";
    run("'" + folder->file("program-build/program") + "' '" + scene + "' >'" + hash + "'; cat '" + hash + "'");
    ASSERT_EQ(readFile(hash)->size(), 16u);
    const Result ours = clothlab("run '" + scene + "' --steps 3 --json");
    EXPECT_TRUE(says(ours.out, "\"state_hash\":\"" + *readFile(hash) + "\"")) << ours.out << *readFile(hash);
}

TEST_F(Plugin, OneThatCannotBeLoadedIsAWarningAndNotAnEnd) {
    const std::string about =
        "struct { unsigned interface, layout; const char *version; void *enter; } about = {%s};\n"
        "void *clothlab_plugin(void) { return &about; }\n";
    const auto with = [&](const std::string& values) {
        return std::string(about).replace(about.find("%s"), 2, values);
    };
    const struct {
        std::string option, says;
    } cases[] = {
        {" --plugin '" + folder->file("none.so") + "'", "none.so: the plug-in cannot be loaded: cannot open shared"},
        {fromC("plain", "int answer = 42;"), "plain.so: this is no plug-in: it has no clothlab_plugin"},
        {fromC("needy", "int missing(void); int call(void) { return missing(); }"), "undefined symbol: missing"},
        {fromC("old", with("1, 2, \"0.0.9\"")),
         fmt::format("old.so: it is for Clothlab 0.0.9 (interface 1), and this is {} (interface {})", CLOTHLAB_VERSION,
                     plugin::kInterface)},
        {fromC("newer", with("77, 2, \"" CLOTHLAB_VERSION "\"")), "(interface 77)"},
        {fromC("other", with(fmt::format("{}, 2, \"{}\"", plugin::kInterface, CLOTHLAB_VERSION))),
         "sizes of types differ"},
    };
    for (const auto& [option, words] : cases) {
        const Result run = clothlab("run hang --steps 1 --set cloth.rows=5 --set cloth.columns=5" + option);
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_TRUE(says(run.err, "clothlab: warning: ")) << run.err;
        EXPECT_TRUE(says(run.err, words)) << run.err;
    }
    const Result twice = clothlab("--help-settings" + both() + both());
    EXPECT_EQ(twice.err, "") << "loading the same plug-in again is no mistake";
}

TEST_F(Plugin, TheUsersConfigurationNamesThem) {
    const std::string config = folder->file("config");
    std::filesystem::create_directories(config + "/clothlab");
    const auto listing = [&](const std::string& text) {
        std::ofstream(config + "/clothlab/plugins.json") << text;
        return clothlab("--help-settings", "XDG_CONFIG_HOME='" + config + "'");
    };
    const Result listed = listing("{\"version\": 1, \"plugins\": [\"" + folder->file("build/row_sums.so") + "\"]}");
    EXPECT_TRUE(says(listed.out, "row-sums")) << listed.err;
    const Result wrong = listing("{\"version\": 1, \"plugins\": 7}");
    EXPECT_EQ(wrong.code, 0);
    EXPECT_TRUE(says(wrong.err, "plugins.json:1:")) << wrong.err;
}

}  // namespace
}  // namespace clothlab::tests
