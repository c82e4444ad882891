#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "app/program.hpp"
#include "base/input.hpp"
#include "records/record_file.hpp"

namespace clothlab::tests {
namespace {

constexpr const char* kEight =
    "sweep chen --steps 3 --vary integrator.kind=bdf2,rk4 --vary integrator.dt=0.005,0.01,0.02,0.04 ";

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The state hash of each run in all files.
std::map<int, std::string> hashes(const std::vector<std::string>& paths) {
    std::map<int, std::string> out;
    for (const std::string& path : paths) {
        const auto file = records::readRecords(path);
        EXPECT_TRUE(file) << (file ? "" : file.error().text());
        if (!file) continue;
        for (const auto& record : file->records) {
            const bool fresh = out.emplace(int(records::findNumber(record, "run")),
                                           std::get<std::string>(*records::findEntry(record, "state_hash")))
                                   .second;
            EXPECT_TRUE(fresh) << "a run appears twice: " << records::findNumber(record, "run");
        }
    }
    return out;
}

int shell(const ScratchFolder& folder, const std::string& script) {
    std::ofstream(folder.file("script")) << "set -m\ncd '" << folder.path() << "'\nclothlab='" CLOTHLAB_PROGRAM "'\n"
                                         << script;
    return WEXITSTATUS(
        std::system(("bash '" + folder.file("script") + "' >'" + folder.file("log") + "' 2>&1").c_str()));
}

TEST(SweepCommand, WrongUseIsExitCode2AndMakesNoFile) {
    const ScratchFolder folder;
    const std::string out = " --out '" + folder.file("a.ndjson") + "'";
    for (const char* arguments :
         {"sweep chen", "sweep chen --vary integrator.dt=0.01,9", "sweep chen --vary integrator.dtt=0.01",
          "sweep nothing --vary integrator.dt=0.01", "sweep chen --vary integrator.dt=0.01 --vary integrator.dt=0.02",
          "sweep chen --vary integrator.dt=0.01 --set integrator.dt=0.02",
          "sweep chen --vary integrator.dt=0.01 --steps 3 --duration 1",
          "sweep chen --vary integrator.dt=0.01 --shard 3/2",
          "sweep chen --vary integrator.dt=0.01,0.03 --duration 0.1", "sweep chen --vary integrator.dt=0.01 --seed 3",
          "sweep chen --vary threads=1,2 --threads 2"}) {
        const Result r = clothlab(arguments + out);
        EXPECT_EQ(r.code, 2) << arguments;
        EXPECT_NE(r.err, "") << arguments;
        EXPECT_EQ(r.out, "") << arguments;
        EXPECT_FALSE(std::filesystem::exists(folder.file("a.ndjson"))) << arguments;
    }
    const Result nowhere = clothlab(std::string(kEight) + "--out /no/such/folder/a.ndjson");
    EXPECT_EQ(nowhere.code, 2);
    EXPECT_TRUE(holds(nowhere.err, "/no/such/folder/a.ndjson"));
}

TEST(SweepCommand, ALineIsTheSummaryOfTheRun) {
    const ScratchFolder folder;
    const Result r = clothlab(std::string(kEight) + "--out '" + folder.file("a.ndjson") + "'");
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(holds(r.out, "8 of 8 runs"));
    EXPECT_TRUE(holds(r.err, "50 % 4 of 8 runs")) << "without a terminal, occasional lines of progress: " << r.err;
    const Result alone = clothlab("run chen --steps 3 --set integrator.kind=rk4 --set integrator.dt=0.01 --json");
    const auto one = hashes({folder.file("a.ndjson")});
    ASSERT_EQ(one.size(), 8u);
    EXPECT_TRUE(holds(alone.out, "\"state_hash\":\"" + one.at(5) + "\"")) << alone.out;
    const std::string lines = *readFile(folder.file("a.ndjson"));
    for (const char* key : {"run", "vary", "scene", "steps", "status", "mean_iterations", "mean_step_ms",
                            "mean_solve_ms", "real_time_factor", "total_j", "max_strain", "state_hash", "settings",
                            "total_ms", "ms_per_simulated_s", "particles"})
        EXPECT_TRUE(holds(lines, std::string("\"") + key + "\":")) << key;
    EXPECT_TRUE(lines.starts_with(
        "{\"run\":0,\"vary\":{\"integrator.kind\":\"bdf2\",\"integrator.dt\":0.005},\"scene\":\"chen\",\"steps\":3,"));
}

// Enough runs that the kill comes before the last, however fast the machine.
TEST(SweepCommand, IsKilledAndGoesOn) {
    const ScratchFolder folder;
    const std::string sweep =
        "\"$clothlab\" sweep chen --steps 4000 --threads 1 --vary integrator.kind=bdf2,linearized-backward-euler "
        "--vary "
        "integrator.dt=0.002,0.003,0.004,0.005,0.006,0.007 --out ";
    // A line is longer than what one write puts into the file.
    const std::string untilALine = "until { read -r _ < cut.ndjson; } 2>/dev/null || ! kill -0 $!; do :; done\n";
    for (const auto& [signal, code] : {std::pair{"KILL", 137}, {"INT", 130}}) {
        std::filesystem::remove(folder.file("cut.ndjson"));
        const int status = shell(folder, sweep + "cut.ndjson &\n" + untilALine + "kill -" + signal + " $!\nwait $!\n");
        EXPECT_EQ(status, code) << *readFile(folder.file("log"));
        const auto before = hashes({folder.file("cut.ndjson")});
        EXPECT_GE(before.size(), 1u);
        EXPECT_LT(before.size(), 12u);
        EXPECT_EQ(shell(folder, sweep + "cut.ndjson"), 0);
        EXPECT_TRUE(
            holds(*readFile(folder.file("log")), fmt::format("12 of 12 runs, {} of them there before", before.size())))
            << *readFile(folder.file("log"));
    }
    EXPECT_EQ(shell(folder, sweep + "whole.ndjson"), 0);
    EXPECT_EQ(hashes({folder.file("cut.ndjson")}), hashes({folder.file("whole.ndjson")}));
}

TEST(SweepCommand, ShardsRunSideBySide) {
    const ScratchFolder folder;
    const std::string sweep = std::string("\"$clothlab\" ") + kEight;
    // With GNU parallel where it is installed, as in docs/sweeps.md, else as jobs of the shell.
    const int status =
        shell(folder, "if parallel --version 2>/dev/null | grep -q GNU; then parallel --jobs 2 \"$clothlab\" " +
                          std::string(kEight) +
                          "--shard {}/3 --out shard{}.ndjson ::: 1 2 3\nelse\nfor i in 1 2 3; do " + sweep +
                          "--shard $i/3 --out shard$i.ndjson & jobs=\"$jobs $!\"; done\nfor j in $jobs; do wait $j || "
                          "exit 1; done\nfi\n");
    ASSERT_EQ(status, 0) << *readFile(folder.file("log"));
    ASSERT_EQ(shell(folder, sweep + "--out whole.ndjson && cat shard?.ndjson >together.ndjson && " + sweep +
                                "--out together.ndjson"),
              0);
    EXPECT_TRUE(holds(*readFile(folder.file("log")), "8 of 8 runs, 8 of them there before"));
    EXPECT_EQ(hashes({folder.file("shard1.ndjson"), folder.file("shard2.ndjson"), folder.file("shard3.ndjson")}),
              hashes({folder.file("whole.ndjson")}));
}

TEST(PlotCommand, DrawsReportsAndSweeps) {
    const ScratchFolder folder;
    ::unsetenv("DISPLAY");
    const std::string sweep = folder.file("s.ndjson"), report = folder.file("r.ndjson");
    ASSERT_EQ(clothlab("sweep chen --vary integrator.kind=bdf2,linearized-backward-euler --vary "
                       "integrator.dt=0.01,0.02 --duration 0.1 "
                       "--reference integrator.kind=rk4,integrator.dt=0.001 --out '" +
                       sweep + "'")
                  .code,
              0);
    ASSERT_EQ(clothlab("run chen --steps 20 --report '" + report + "'").code, 0);
    for (const std::string& file : {sweep, report}) {
        const std::string picture = folder.file("p.png");
        const Result r = clothlab("plot '" + file + "' --out '" + picture + "'");
        ASSERT_EQ(r.code, 0) << r.err;
        EXPECT_TRUE(readFile(picture)->starts_with("\x89PNG"));
        std::filesystem::remove(picture);
    }
    const Result csv = clothlab("plot '" + sweep + "' --out '" + folder.file("p.csv") + "'");
    ASSERT_EQ(csv.code, 0) << csv.err;
    const std::string table = *readFile(folder.file("p.csv"));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
    EXPECT_TRUE(holds(table, "ms_per_simulated_s,error_m,bdf2,")) << table;
    EXPECT_TRUE(holds(csv.out, "1 plot, 2 curves, 4 points")) << csv.out;

    for (const std::string& arguments :
         {sweep + " --y nothing --out a.png", sweep + " --by nothing --out a.png", sweep + " --out a.pdf", sweep,
          folder.file("none.ndjson") + " --out a.png", sweep + " --log-x --linear-x --out a.png"}) {
        const Result r = clothlab("plot " + arguments);
        EXPECT_EQ(r.code, 2) << arguments;
        EXPECT_NE(r.err, "") << arguments;
    }
    const Result unknown = clothlab("plot '" + sweep + "' --y nothing --out a.png");
    EXPECT_TRUE(holds(unknown.err, "error_rms_m") && holds(unknown.err, "integrator.dt")) << unknown.err;
}

}  // namespace
}  // namespace clothlab::tests
