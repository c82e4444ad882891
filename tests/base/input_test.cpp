#include "base/input.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "scratch_folder.hpp"

namespace clothlab {
namespace {

struct InputTest : ::testing::Test {
    tests::ScratchFolder folder;
    std::string write(const std::string& name, std::string_view text) const {
        std::ofstream(folder.file(name), std::ios::binary) << text;
        return folder.file(name);
    }
    static std::string refusal(const std::string& path, const InputLimits& limits = {}) {
        const auto read = readFile(path, limits);
        return read ? "it was read" : read.error().text();
    }
};

TEST_F(InputTest, ReadsAWholeFileByteForByte) {
    std::string text("a\0b\r\n", 5);
    text.append(200'000, 'x');
    EXPECT_EQ(*readFile(write("a", text)), text);
    EXPECT_EQ(*readFile(write("empty", "")), "");
}

TEST_F(InputTest, ReadsAPipe) {
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const std::string text(300'000, 'y');
    std::thread writer([&] { std::ofstream(pipe) << text; });
    EXPECT_EQ(*readFile(pipe), text);
    writer.join();
}

TEST_F(InputTest, SaysWhyItCannotRead) {
    const std::string loop = folder.file("loop");
    std::filesystem::create_symlink("loop", loop);
    EXPECT_EQ(refusal(loop), loop + ": cannot read: Too many levels of symbolic links");
    EXPECT_EQ(refusal(folder.file("none")), folder.file("none") + ": cannot read: No such file or directory");
    EXPECT_NE(refusal(folder.file(std::string(300, 'x'))).find("cannot read: File name too long"), std::string::npos);
    EXPECT_NE(refusal(folder.file("")).find("this is a folder"), std::string::npos);
    EXPECT_NE(refusal("").find("the name of the file is empty"), std::string::npos);
    EXPECT_NE(refusal(write("file", "") + "/x").find("cannot read: Not a directory"), std::string::npos);
}

TEST_F(InputTest, RefusesDevicesAndWhatCannotBeReadToItsEnd) {
    for (const char* device : {"/dev/zero", "/dev/full", "/dev/null", "/dev/urandom"}) {
        const std::string link = folder.file("device.toml");
        std::filesystem::remove(link);
        std::filesystem::create_symlink(device, link);
        EXPECT_EQ(refusal(link), link + ": cannot read: this is a device") << device;
    }
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(refusal(pipe, {.pipes = false}), pipe + ": cannot read: this is a pipe") << "the pipe has no writer";
    // A regular file whose first byte cannot be read is an error, not an empty file.
    EXPECT_NE(refusal("/proc/self/mem").find("cannot read: Input/output error"), std::string::npos);
}

TEST_F(InputTest, HasLimits) {
    const std::string path = write("a", std::string(3 << 20, 'x'));
    EXPECT_TRUE(readFile(path, {.bytes = 3u << 20}));
    EXPECT_EQ(refusal(path, {.bytes = 2u << 20}), path + ": cannot read: it is larger than 2 MiB");
    const std::string lines =
        write("lines", "short\n" + std::string(100'000, 'y') + "\n" + std::string(100'001, 'z') + "\nend\n");
    EXPECT_TRUE(readFile(lines, {.lineBytes = 100'001}));
    EXPECT_EQ(refusal(lines, {.lineBytes = 100'000}), lines + ":3: cannot read: this line is longer than 100000 bytes");
    // A sparse file of 8 TiB is refused by its size: reading it to the limit would take minutes.
    std::filesystem::resize_file(path, std::uintmax_t{1} << 43);
    EXPECT_EQ(refusal(path, {.bytes = std::uintmax_t{1} << 42}), path + ": cannot read: it is larger than 4194304 MiB");
    // A pipe without end ends at the limit.
    std::signal(SIGPIPE, SIG_IGN);  // the reader leaves before the writer is done
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] {
        std::ofstream out(pipe);
        while (out) out << std::string(1 << 14, 'y');
    });
    EXPECT_EQ(refusal(pipe, {.bytes = 1u << 20}), pipe + ": cannot read: it is larger than 1 MiB");
    writer.join();
}

TEST_F(InputTest, FindsLineAndColumn) {
    const auto at = [](std::size_t byte) { return textPlace("ab\ncd\n", byte); };
    EXPECT_EQ(at(0).line, 1);
    EXPECT_EQ(at(4).line, 2);
    EXPECT_EQ(at(4).column, 2);
    EXPECT_EQ(at(6).line, 3);
    EXPECT_EQ(at(6).column, 1);
    EXPECT_EQ(at(99).line, 3);
}

}  // namespace
}  // namespace clothlab
