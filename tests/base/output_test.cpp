#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/appended_file.hpp"
#include "base/output.hpp"
#include "scratch_folder.hpp"

namespace clothlab::tests {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::size_t filesIn(const ScratchFolder& folder) {
    return std::size_t(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

TEST(OutputFile, KeepsWhatStoodThereUntilItIsWhole) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.txt");
    put(path, "old");
    {
        auto file = OutputFile::create(path, {});
        ASSERT_TRUE(file);
        EXPECT_TRUE(file->write("half"));
        EXPECT_EQ(contentOf(path), "old");
        EXPECT_EQ(filesIn(folder), 2u);
    }
    EXPECT_EQ(contentOf(path), "old");
    EXPECT_EQ(filesIn(folder), 1u);
    EXPECT_TRUE(writeFile(path, "new", {}));
    EXPECT_EQ(contentOf(path), "new");
    EXPECT_EQ(filesIn(folder), 1u);
}

TEST(OutputFile, CarriesItsNameAndItsProcessAndClearsThoseOfDeadOnes) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.txt");
    const std::string dead = path + ".clothlab-999999999.part", deadAgain = path + ".clothlab-999999999-2.part";
    const std::string living = path + fmt::format(".clothlab-{}.part", ::getppid());
    const std::string foreign = path + ".2024.part", other = folder.file("b.txt.clothlab-999999999.part");
    for (const std::string& name : {dead, deadAgain, living, foreign, other}) put(name, "x");
    const auto file = OutputFile::create(path, {});
    ASSERT_TRUE(file);
    EXPECT_EQ(file->temporary(), path + fmt::format(".clothlab-{}.part", ::getpid()));
    EXPECT_FALSE(fs::exists(dead) || fs::exists(deadAgain));
    EXPECT_TRUE(fs::exists(living) && fs::exists(foreign) && fs::exists(other));
}

TEST(OutputFolder, ClearsWhatDeadProcessesLeftOfNumberedFiles) {
    const ScratchFolder folder;
    for (const char* name :
         {"frame_00014.png.clothlab-999999999.part", "frame_00014.png", "notes.clothlab-999999999.part"})
        put(folder.file(name), "x");
    const auto open = OutputFolder::create(folder.path(), {}, {});
    ASSERT_TRUE(open);
    open->clearLeftoversWith("frame_");
    EXPECT_FALSE(fs::exists(folder.file("frame_00014.png.clothlab-999999999.part")));
    EXPECT_TRUE(fs::exists(folder.file("frame_00014.png")) && fs::exists(folder.file("notes.clothlab-999999999.part")))
        << "files of others stay";
}

TEST(OutputFile, TwoInOneProcessDoNotShareATemporaryFileAndTheLastWins) {
    const ScratchFolder folder;
    const std::string path = folder.file("a.txt");
    auto first = OutputFile::create(path, {}), second = OutputFile::create(path, {});
    ASSERT_TRUE(first && second);
    EXPECT_NE(first->temporary(), second->temporary());
    EXPECT_TRUE(first->write("first") && second->write("second"));
    EXPECT_TRUE(second->finish());
    EXPECT_TRUE(first->finish());
    EXPECT_EQ(contentOf(path), "first");
    EXPECT_EQ(filesIn(folder), 1u);
}

TEST(OutputFile, RefusesInputsFoldersDevicesAndMissingFolders) {
    const ScratchFolder folder;
    put(folder.file("scene.toml"), "mine");
    fs::create_symlink("scene.toml", folder.file("link.toml"));
    fs::create_hard_link(folder.file("scene.toml"), folder.file("hard.toml"));
    fs::create_symlink("loop", folder.file("loop"));
    fs::create_directory(folder.file("d"));
    InputFiles inputs;
    inputs.add(folder.file("scene.toml"));
    for (const auto& [path, why] : {std::pair{folder.file("scene.toml"), "reads the same file"},
                                    {folder.file("link.toml"), "reads the same file"},
                                    {folder.file("hard.toml"), "reads the same file"},
                                    {folder.file("d/../scene.toml"), "reads the same file"},
                                    {folder.file("d"), "it is a folder"},
                                    {std::string("/dev/full"), "it is a device"},
                                    {folder.file("no/a.txt"), "there is no folder"},
                                    {folder.file("scene.toml/a.txt"), "Not a directory"},
                                    {folder.file("loop"), "symbolic links"},
                                    {folder.file(std::string(300, 'x')), "too long"},
                                    {std::string(), "empty"}}) {
        const auto file = OutputFile::create(path, inputs);
        ASSERT_FALSE(file) << path;
        EXPECT_NE(file.error().text().find(why), std::string::npos) << file.error().text();
    }
    EXPECT_EQ(contentOf(folder.file("scene.toml")), "mine");
    EXPECT_EQ(filesIn(folder), 5u);
}

TEST(OutputFile, ALinkStaysALinkAndPermissionsStay) {
    const ScratchFolder folder;
    put(folder.file("a.txt"), "old");
    fs::permissions(folder.file("a.txt"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("a.txt", folder.file("link"));
    fs::create_symlink("later.txt", folder.file("dangling"));
    EXPECT_TRUE(writeFile(folder.file("link"), "new", {}));
    EXPECT_TRUE(writeFile(folder.file("dangling"), "made", {}));
    EXPECT_TRUE(fs::is_symlink(folder.file("link")) && fs::is_symlink(folder.file("dangling")));
    EXPECT_EQ(contentOf(folder.file("a.txt")), "new");
    EXPECT_EQ(contentOf(folder.file("later.txt")), "made");
    EXPECT_EQ(fs::status(folder.file("a.txt")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(GrowingFile, KeepsItsRecordsUnderItsNameEvenWithoutAnEnd) {
    const ScratchFolder folder;
    const std::string path = folder.file("r.ndjson");
    put(path, "old\n");
    { ASSERT_TRUE(GrowingFile::create(path, {})); }
    EXPECT_EQ(contentOf(path), "old\n") << "without a record the file stays unchanged";
    {
        auto file = GrowingFile::create(path, {});
        ASSERT_TRUE(file);
        EXPECT_TRUE(file->line("one") && file->line("two"));
        EXPECT_EQ(contentOf(path), "old\n");
        EXPECT_TRUE(file->replaceStart("ONE"));
        EXPECT_TRUE(file->line("three"));
    }
    EXPECT_EQ(contentOf(path), "ONE\ntwo\nthree\n");
    EXPECT_EQ(filesIn(folder), 1u);
}

TEST(AppendedFile, IsOneWritersAndDropsHalfALine) {
    const ScratchFolder folder;
    const std::string path = folder.file("s.ndjson");
    put(path, "one\nha");
    {
        auto file = AppendedFile::open(path, {});
        ASSERT_TRUE(file);
        const auto second = AppendedFile::open(path, {});
        ASSERT_FALSE(second);
        EXPECT_NE(second.error().message.find("another program is writing"), std::string::npos);
        EXPECT_TRUE(file->cutTo(4));
        EXPECT_TRUE(file->line("two"));
    }
    EXPECT_EQ(contentOf(path), "one\ntwo\n");
    { ASSERT_TRUE(AppendedFile::open(folder.file("new"), {})); }
    EXPECT_FALSE(fs::exists(folder.file("new"))) << "an output without content leaves no empty file";
}

// A signal while a full pipe waits for its reader: no byte is lost or repeated.
TEST(AppendedFile, ASignalInTheMiddleOfAWriteLosesNothing) {
    const ScratchFolder folder;
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    struct sigaction action {
    }, before{};
    static volatile std::sig_atomic_t came = 0;
    action.sa_handler = [](int) { came = 1; };
    sigaction(SIGUSR1, &action, &before);
    std::string text(1 << 20, ' ');  // more than a pipe holds
    for (std::size_t k = 0; k < text.size(); ++k) text[k] = char('a' + k % 23);

    std::string got;
    std::thread reader([&got, pipe, writer = pthread_self()] {
        std::ifstream in(pipe, std::ios::binary);
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        pthread_kill(writer, SIGUSR1);
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        std::ostringstream all;
        all << in.rdbuf();
        got = all.str();
    });
    {
        auto file = AppendedFile::open(pipe, {});
        EXPECT_TRUE(file && file->line(text));
    }
    reader.join();
    sigaction(SIGUSR1, &before, nullptr);
    EXPECT_TRUE(came);
    EXPECT_TRUE(got == text + "\n") << got.size() << " of " << text.size() + 1 << " bytes";
}

// The disk is full before the first record: the previous content stays.
TEST(GrowingFile, WithoutARecordIsNoSuccessor) {
    const ScratchFolder folder;
    const std::string path = folder.file("r.ndjson");
    put(path, "old\n");
    platform::prepareStandardStreams();  // exceeding the limit is an error and does not end the process
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    bool appended = true, finished = false;
    {
        auto file = GrowingFile::create(path, {});
        if (file) {
            appended = static_cast<bool>(file->line("new"));
            finished = static_cast<bool>(file->finish());
        }
    }
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_FALSE(appended);
    EXPECT_TRUE(finished);
    EXPECT_EQ(contentOf(path), "old\n");
    EXPECT_EQ(filesIn(folder), 1u);
}

TEST(AppendedFile, ALinkToNothingYetStaysALink) {
    const ScratchFolder folder;
    fs::create_symlink("second", folder.file("first"));
    fs::create_symlink("there", folder.file("second"));
    { ASSERT_TRUE(AppendedFile::open(folder.file("first"), {})); }
    EXPECT_TRUE(fs::is_symlink(folder.file("first")) && fs::is_symlink(folder.file("second")));
    EXPECT_FALSE(fs::exists(folder.file("there")));
    { ASSERT_TRUE(writeFile(folder.file("first"), "x", {})); }
    EXPECT_TRUE(fs::is_symlink(folder.file("first")) && fs::is_symlink(folder.file("second")));
    EXPECT_EQ(contentOf(folder.file("there")), "x");
}

TEST(Outputs, KnowWhenTheyAreOneFile) {
    const ScratchFolder folder;
    put(folder.file("a"), "");
    fs::create_symlink("b", folder.file("link"));
    EXPECT_TRUE(sameOutput(folder.file("a"), folder.file("./a")));
    EXPECT_TRUE(sameOutput(folder.file("b"), folder.file("link"))) << "neither file exists";
    EXPECT_TRUE(sameOutput("nothing-of-this-name", "./nothing-of-this-name")) << "in the folder of the process";
    EXPECT_TRUE(sameOutput("-", "/dev/stdout"));
    EXPECT_FALSE(sameOutput("/dev/null", "/dev/null"));
    EXPECT_FALSE(sameOutput(folder.file("a"), folder.file("b")));
    EXPECT_FALSE(sameOutput(folder.file("a"), "-"));
}

TEST(OutputFolder, GoesAgainWhenItGotNothingAndWritesAllOrNone) {
    const ScratchFolder folder;
    constexpr std::array<std::string_view, 2> names{"a", "b"};
    { ASSERT_TRUE(OutputFolder::create(folder.file("x/y/"), names, {})); }
    EXPECT_FALSE(fs::exists(folder.file("x")));
    fs::create_directories(folder.file("z/b"));
    EXPECT_FALSE(OutputFolder::create(folder.file("z"), names, {})) << "b is a folder";
    put(folder.file("z/a"), "old");
    fs::remove(folder.file("z/b"));
    const auto open = OutputFolder::create(folder.file("z"), names, {});
    ASSERT_TRUE(open);
    fs::create_directory(folder.file("z/b"));  // created after the check
    const std::pair<std::string_view, std::string> files[] = {{"a", "new"}, {"b", "new"}};
    EXPECT_FALSE(open->write(files));
    EXPECT_EQ(contentOf(folder.file("z/a")), "old");
    fs::remove(folder.file("z/b"));
    EXPECT_TRUE(open->write(files));
    EXPECT_EQ(contentOf(folder.file("z/a")) + contentOf(folder.file("z/b")), "newnew");
}

}  // namespace
}  // namespace clothlab::tests
