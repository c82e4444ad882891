#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "app/program.hpp"
#include "experiments/trials/slope_trials.hpp"
#include "integrators/methods/catalogue.hpp"
#include "parsed_json.hpp"

namespace clothlab::tests {
namespace {

/// The number of a run by its places on the axes of slope_trials.cpp; it depends on the number of integrators.
int numberOfSlope(int angle, int friction, std::string_view integrator, int stiffness, int step, int placement) {
    const auto rows = integrators::catalogue();
    const auto row = std::ranges::find(rows, integrator, &integrators::IntegratorEntry::key);
    const std::array cell{angle, friction, int(row - rows.begin()), stiffness, step, placement};
    return experiments::slopeAxes().number(cell);
}

// One run per kind of method: explicit, linear, two-step, Newton, local/global, positions.
TEST(TrialsCommand, AFewSlopesAreNotWrong) {
    const std::vector<int> numbers{
        numberOfSlope(0, 0, "newton-bdf2", 1, 4, 2),      numberOfSlope(0, 4, "linearized-backward-euler", 2, 4, 2),
        numberOfSlope(1, 0, "symplectic-euler", 2, 4, 1), numberOfSlope(1, 1, "bdf2", 1, 3, 2),
        numberOfSlope(3, 3, "fast-mass-spring", 0, 3, 2), numberOfSlope(4, 0, "pbd", 3, 3, 2)};
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
