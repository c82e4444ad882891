#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "app/program.hpp"
#include "parsed_json.hpp"

namespace clothlab::tests {
namespace {

// One run per kind of method: explicit, linear, two-step, Newton, local/global, positions.
TEST(TrialsCommand, AFewSlopesAreNotWrong) {
    const std::vector<int> numbers{838, 6058, 7417, 8994, 26814, 30234};
    std::string command = "trials slopes --json";
    for (const int number : numbers) command += " --run " + std::to_string(number);
    const Result r = clothlab(command);
    EXPECT_EQ(r.code, 0) << r.err;
    const ParsedJson json(r.out);
    EXPECT_EQ(json["wrong"], 0);
    EXPECT_EQ(json["runs"].size(), numbers.size());
    std::set<std::string> integrators;
    for (const ParsedJson& run : json["runs"].items()) {
        integrators.insert(run["integrator"].get<std::string>());
        EXPECT_NE(run["verdict"], "wrong") << run.text();
    }
    EXPECT_EQ(integrators.size(), numbers.size());
}

TEST(TrialsCommand, PrintsTheSceneOfARun) {
    const ScratchFolder folder;
    const Result scene = clothlab("trials slopes --scene-of 54");
    EXPECT_EQ(scene.code, 0) << scene.err;
    std::ofstream(folder.file("slope.toml")) << scene.out;
    EXPECT_EQ(clothlab("check '" + folder.file("slope.toml") + "'").code, 0);
    const Result run = clothlab("trials slopes --run 54");
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(says(run.out, "forward-euler")) << run.out;
}

TEST(TrialsCommand, EndsWith1WhereABoardIsWrong) {
    // Two boards, the jaws, and the four shots.
    const Result r =
        clothlab("trials boards --run 264 --run 1740 --run 1928 --run 1952 --run 1953 --run 1954 --run 1955 --json");
    const ParsedJson json(r.out);
    EXPECT_EQ(r.code, json["wrong"].get<int>() > 0 ? 1 : 0) << r.err;
    int wrong = 0, shots = 0;
    for (const ParsedJson& run : json["runs"].items()) {
        wrong += run["verdict"] == "wrong";
        if (run["kind"] != "shot") continue;
        ++shots;
        EXPECT_EQ(run["verdict"], "ok") << run.text();
    }
    EXPECT_EQ(json["wrong"], wrong);
    EXPECT_EQ(shots, 4);
}

TEST(TrialsCommand, WrongUseIsExitCode2) {
    for (const char* arguments : {"trials", "trials hills", "trials slopes --few --full", "trials slopes --run -1",
                                  "trials slopes --run 99999999", "trials slopes --scene-of 99999999"}) {
        const Result r = clothlab(arguments);
        EXPECT_EQ(r.code, 2) << arguments;
        EXPECT_NE(r.err, "") << arguments;
        EXPECT_EQ(r.out, "") << arguments;
    }
}

}  // namespace
}  // namespace clothlab::tests
