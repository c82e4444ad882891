#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "app/program.hpp"
#include "base/input.hpp"

namespace clothlab::tests {
namespace {

/// The iterations of each method of a race's CSV, except for those that need the previous step, which files lack.
std::map<std::string, int> readIterations(const std::string& csv) {
    std::istringstream lines(csv);
    std::string line;
    std::map<std::string, int> out;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream cells(line);
        std::string solver, method, tolerance, status, iterations;
        for (std::string* cell : {&solver, &method, &tolerance, &status, &iterations}) std::getline(cells, *cell, ',');
        if (method.find("lagged") == method.npos) out[solver + " " + method] = std::stoi(iterations);
    }
    return out;
}

TEST(RaceCommand, ABundleRacesToTheSameIterations) {
    const ScratchFolder folder;
    const std::string small =
        "race drape-sphere --step 70 --runs 1 --tolerance 1e-6 --set cloth.rows=13 --set cloth.columns=13 ";
    const Result first = clothlab(small + "--csv --out '" + folder.file("b") + "'");
    ASSERT_EQ(first.code, 0) << first.err;
    const Result again = clothlab("race --csv --runs 1 --tolerance 1e-6 --system '" + folder.file("b") + "'");
    ASSERT_EQ(again.code, 0) << again.err;
    const auto before = readIterations(first.out), after = readIterations(again.out);
    EXPECT_GT(before.size(), 20u);
    ASSERT_EQ(before.size(), after.size());
    for (const auto& [method, iterations] : before) {  // counts in the hundreds depend on the last bit
        ASSERT_TRUE(after.count(method)) << method;
        EXPECT_NEAR(after.at(method), iterations, 1 + 0.08 * iterations) << method;
    }
    for (const char* file : {"A.mtx", "pattern.mtx", "core.mtx", "b.mtx", "constraints.json", "settings.toml",
                             "scene.toml", "race.csv", "race.json", "race.txt", "picture.png"})
        EXPECT_TRUE(readFile(folder.file(std::string("b/") + file))) << file;
    EXPECT_EQ(*readFile(folder.file("b/race.csv")), first.out);
}

TEST(RaceCommand, ABundleWithoutAPictureSaysWhy) {
    const ScratchFolder folder;
    const std::string small = " --step 2 --runs 1 --tolerance 1e-2 --set cloth.rows=5 --set cloth.columns=5 ";
    ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null", 1);  // no EGL driver
    const Result blind = clothlab("race hang" + small + "--out '" + folder.file("b") + "'");
    ::unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
    EXPECT_EQ(blind.code, 0) << blind.err;
    EXPECT_NE(blind.err.find("No picture: no EGL platform"), std::string::npos) << blind.err;
    EXPECT_NE(readFile(folder.file("b/race.txt"))->find("No picture"), std::string::npos);
    EXPECT_FALSE(readFile(folder.file("b/picture.png")));
    EXPECT_TRUE(readFile(folder.file("b/A.mtx")));
    const Result files =
        clothlab("race --runs 1 --tolerance 1e-2 --system '" + folder.file("b") + "' --out '" + folder.file("c") + "'");
    EXPECT_EQ(files.code, 0) << files.err;
    EXPECT_NE(files.err.find("has no cloth"), std::string::npos) << files.err;
    EXPECT_TRUE(readFile(folder.file("c/race.csv")));
    EXPECT_FALSE(readFile(folder.file("c/picture.png")));
}

TEST(RaceCommand, RacesAForeignMatrixOfAnySize) {
    const ScratchFolder folder;
    std::ofstream(folder.file("A.mtx"))
        << "%%MatrixMarket matrix coordinate real symmetric\n5 5 9\n1 1 4\n2 2 4\n3 3 4\n4 4 4\n"
           "5 5 4\n2 1 -1\n3 2 -1\n4 3 -1\n5 4 -1\n";
    std::ofstream(folder.file("b.mtx")) << "%%MatrixMarket matrix array real general\n5 1\n1\n2\n3\n4\n5\n";
    const Result r = clothlab("race --csv --runs 1 --tolerance 1e-9 --system '" + folder.path() + "'");
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_NE(r.out.find("reduced-pcg,incomplete-cholesky,1e-09,converged,2,"), std::string::npos)
        << r.out;  // tridiagonal: no fill, so that the factor is exact except for its single precision
    EXPECT_EQ(r.out.find("matrix-core"), std::string::npos);  // the files have no core
}

TEST(RaceCommand, SaysWhatIsWrong) {
    const ScratchFolder folder;
    const auto complaint = [](const std::string& arguments) {
        const Result r = clothlab("race " + arguments);
        EXPECT_EQ(r.code, 2) << arguments;
        return r.err;
    };
    EXPECT_NE(complaint("").find("SCENE"), std::string::npos);
    EXPECT_NE(complaint("hang").find("--step"), std::string::npos);
    EXPECT_NE(complaint("--system /nowhere").find("/nowhere/A.mtx"), std::string::npos);
    EXPECT_NE(complaint("hang --step 3 --tolerance 7").find("--tolerance"), std::string::npos);
    std::ofstream(folder.file("A.mtx"))
        << "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 1\n2 2 1\n";
    EXPECT_NE(complaint("--system '" + folder.path() + "'").find("not symmetric"), std::string::npos);
    std::ofstream(folder.file("A.mtx"))
        << "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 1\n3 3 1\n";
    std::ofstream(folder.file("b.mtx")) << "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n";
    std::ofstream(folder.file("constraints.json")) << "{\"constraints\": [\n  {\"particle\" 1}]}\n";
    EXPECT_NE(complaint("--system '" + folder.path() + "'").find("constraints.json:2:"), std::string::npos);
    std::ofstream(folder.file("constraints.json")) << "{\"constraints\": [{\"particle\": 8, \"ndof\": 0}]}\n";
    EXPECT_NE(complaint("--system '" + folder.path() + "'").find("particle: 8 is out of range"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::tests
