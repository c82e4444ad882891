#include "base/processes/process.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/input.hpp"
#include "base/processes/temporary_folder.hpp"
#include "scratch_folder.hpp"

namespace clothlab::tests {
namespace {

using platform::ProcessEnd;
using How = ProcessEnd::How;

ProcessEnd run(const std::string& command, double limit = 5, std::uint64_t mostFileBytes = 0) {
    return platform::runProcess({.command = command, .limitSeconds = limit, .mostFileBytes = mostFileBytes}, {});
}

bool runs(int id) { return id > 0 && kill(id, 0) == 0; }

/// The process numbers that a script has written to a file, one per line.
std::vector<int> numbersIn(const std::string& file) {
    std::ifstream in(file);
    std::vector<int> out;
    for (int id = 0; in >> id;) out.push_back(id);
    return out;
}

TEST(Process, TellsHowItEnded) {
    const ProcessEnd good = run("exit 0");
    EXPECT_EQ(good.how, How::Exited);
    EXPECT_EQ(good.code, 0);
    EXPECT_EQ(good.lastLine, "");
    EXPECT_TRUE(good.allEnded);

    const ProcessEnd seven = run("echo one >&2; echo 'the last line' >&2; echo >&2; exit 7");
    EXPECT_EQ(seven.how, How::Exited);
    EXPECT_EQ(seven.code, 7);
    EXPECT_EQ(seven.lastLine, "the last line");
    EXPECT_EQ(platform::describeEnd(seven), "exited with 7");

    const ProcessEnd killed = run("kill -SEGV $$");
    EXPECT_EQ(killed.how, How::Signalled);
    EXPECT_EQ(killed.code, SIGSEGV);

    EXPECT_EQ(run("/no/such/program").code, 127);
    EXPECT_EQ(run("/etc/passwd").code, 126);
}

TEST(Process, ReadsNothingAndItsOutputGoesNowhere) {
    testing::internal::CaptureStdout();
    const ProcessEnd end = run("read line && exit 3; echo out; exit 4");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(end.code, 4);
}

TEST(Process, EndsAtItsLimitEvenIfItWillNot) {
    for (const std::string command : {"sleep 60", "trap '' TERM; while :; do sleep 60; done"}) {
        const ProcessEnd end = run(command, 0.1);
        EXPECT_EQ(end.how, How::TimedOut) << command;
        EXPECT_GE(end.seconds, 0.1);
        EXPECT_LT(end.seconds, 30) << command;
        EXPECT_TRUE(end.allEnded) << command;
    }
}

TEST(Process, ChildrenDoNotOutliveIt) {
    const ScratchFolder folder;
    const std::string file = folder.file("ids");
    // One process in the group, one that has left it, and one that has left it and lost its parent.
    const std::string command = "sleep 60 & echo $! >> " + file + "\nsetsid sh -c 'echo $$ >> " + file +
                                "; exec sleep 60' & \n(setsid sh -c 'echo $$ >> " + file +
                                "; trap \"\" TERM; sleep 60; sleep 60' &)\nwhile [ $(wc -l < " + file +
                                ") -lt 3 ]; do sleep 0.01; done\n";
    for (const bool ends : {true, false}) {
        std::filesystem::remove(file);
        const ProcessEnd end = run(command + (ends ? "exit 0" : "sleep 60"), ends ? 20 : 0.5);
        EXPECT_EQ(end.how, ends ? How::Exited : How::TimedOut);
        EXPECT_TRUE(end.allEnded);
        EXPECT_GE(end.leftBehind, ends ? 3 : 0);
        const std::vector<int> ids = numbersIn(file);
        ASSERT_EQ(ids.size(), 3u);
        for (const int id : ids) EXPECT_FALSE(runs(id)) << id;
    }
}

TEST(Process, IsCancelledFromOutside) {
    std::stop_source stop;
    const std::jthread asks([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        stop.request_stop();
    });
    const ProcessEnd end = platform::runProcess({.command = "sleep 60"}, stop.get_token());
    EXPECT_EQ(end.how, How::Cancelled);
    EXPECT_LT(end.seconds, 30);
}

TEST(Process, WritesNoFileBeyondItsLimit) {
    const ScratchFolder folder;
    const std::string file = folder.file("large");
    const ProcessEnd end = run("head -c 10000000 /dev/zero > " + file, 5, 100'000);
    EXPECT_FALSE(end.how == How::Exited && end.code == 0);
    EXPECT_LE(std::filesystem::file_size(file), 100'000u);
}

TEST(Process, HasNoMoreMemoryThanItsLimit) {
    const std::string holds = "head -c 200000000 /dev/zero | tail -c 200000000 > /dev/null";
    const ProcessEnd refused =
        platform::runProcess({.command = holds, .limitSeconds = 60, .mostMemory = 100u << 20}, {});
    EXPECT_EQ(refused.how, How::Exited);
    EXPECT_NE(refused.code, 0);
    EXPECT_NE(refused.lastLine.find("memory"), std::string::npos) << refused.lastLine;
    EXPECT_EQ(platform::runProcess({.command = "exit 0", .mostMemory = 100u << 20}, {}).code, 0);
}

TEST(Process, HasTheVariablesOfItsOrder) {
    setenv("CLOTHLAB_TEST_KEPT", "mine", 1);
    setenv("CLOTHLAB_TEST_DROPPED", "mine", 1);
    const ProcessEnd end = platform::runProcess(
        {.command = "echo $CLOTHLAB_TEST_KEPT,$CLOTHLAB_TEST_DROPPED,$CLOTHLAB_TEST_NEW >&2",
         .environment = {{"CLOTHLAB_TEST_KEPT", "yours"}, {"CLOTHLAB_TEST_DROPPED", {}}, {"CLOTHLAB_TEST_NEW", "new"}}},
        {});
    EXPECT_EQ(end.lastLine, "mine,,new");
}

TEST(Process, HasNoneOfOurFiles) {
    const ScratchFolder folder;
    std::FILE* ours = std::fopen(folder.file("ours").c_str(), "w");
    const ProcessEnd end = run("ls /proc/self/fd | wc -l >&2");
    EXPECT_EQ(end.lastLine, "4");  // 0, 1, 2 and the folder that ls lists
    std::fclose(ours);
}

TEST(TemporaryFolder, IsGoneInTheEndWhateverIsInIt) {
    std::string path;
    {
        const auto folder = TemporaryFolder::create("test");
        ASSERT_TRUE(folder) << folder.error().text();
        path = folder->path();
        std::filesystem::create_directories(folder->file("a/b"));
        std::ofstream(folder->file("a/b/c")) << "c";
        std::filesystem::permissions(folder->file("a"), std::filesystem::perms::none);
        EXPECT_TRUE(std::filesystem::exists(path));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, WhatADeadProcessLeftGoesAndALivingOnesStays) {
    const auto where = std::filesystem::temp_directory_path();
    const ProcessEnd end = run("echo $$ >&2");
    const auto dead = where / ("clothlab-test-" + end.lastLine + "-abcdef"), living = where / "clothlab-test-1-abcdef";
    std::filesystem::create_directories(dead);
    std::filesystem::create_directories(living);
    { const auto folder = TemporaryFolder::create("test"); }
    EXPECT_FALSE(std::filesystem::exists(dead));
    EXPECT_TRUE(std::filesystem::exists(living));
    std::filesystem::remove_all(living);
}

}  // namespace
}  // namespace clothlab::tests
