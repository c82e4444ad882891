#include <gtest/gtest.h>

#include <filesystem>

#include "app/program.hpp"

// Films made by `render` have the size that the message says, and any name of a file is accepted as such.
namespace clothlab::tests {
namespace {

std::string sizeOf(const std::string& film) {
    const ScratchFolder folder;
    const std::string out = folder.file("size");
    EXPECT_EQ(std::system(("ffprobe -v error -select_streams v:0 -show_entries stream=width,height -of csv=s=x:p=0 "
                           "file:'" +
                           film + "' >'" + out + "'")
                              .c_str()),
              0);
    std::string size = *readFile(out);
    while (!size.empty() && size.back() == '\n') size.pop_back();
    return size;
}

TEST(FilmFiles, HaveTheSizeThatIsSaid) {
    const ScratchFolder folder;
    struct Case {
        const char *name, *asked, *said, *is;
    };
    for (const Case& c :
         {Case{"a.mp4", "85x49", "of 86 x 50 (sides of an MP4 are even; 85 x 49 was asked for)\n", "86x50"},
          Case{"b.mp4", "86x50", "of 86 x 50\n", "86x50"}, Case{"c.gif", "85x49", "of 85 x 49\n", "85x49"},
          Case{"d.png", "85x49", "of 85 x 49\n", "85x49"}}) {
        const std::string film = folder.file(c.name);
        const Result r = clothlab(std::string("render chen --steps 1 --size ") + c.asked + " --out '" + film + "'");
        EXPECT_EQ(r.code, 0) << r.err;
        EXPECT_TRUE(says(r.out, c.said)) << r.out;
        EXPECT_EQ(sizeOf(film), c.is);
    }
}

// To ffmpeg "http:a.mp4" is an address, "md5:a.mp4" a checksum on the terminal and "-y.mp4" an option.
TEST(FilmFiles, NamesAreNeitherProtocolsNorOptions) {
    for (const std::string name :
         {"a:b.mp4", "http:a.mp4", "md5:a.mp4", "tee:a.mp4", "file:a.mp4", "-y.mp4", "it's.gif"}) {
        const ScratchFolder folder;
        std::string quoted;
        for (const char c : name) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
        const Result r =
            clothlab("render chen --steps 1 --size 64x64 --out='" + quoted + "'", "cd '" + folder.path() + "' &&");
        EXPECT_EQ(r.code, 0) << name << ": " << r.err;
        std::vector<std::string> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
            files.push_back(entry.path().filename().string());
        EXPECT_EQ(files, std::vector<std::string>{name});
    }
}

TEST(FilmFiles, AGifIsRefusedARateThatItCannotHave) {
    const ScratchFolder folder;
    const auto render = [&](const std::string& fps) {
        return clothlab("render chen --steps 1 --size 64x64 --fps " + fps + " --out '" + folder.file("a.gif") + "'");
    };
    const Result fast = render("1000");
    EXPECT_EQ(fast.code, 2);
    EXPECT_TRUE(says(fast.err, "--fps 1000: a GIF has 1 to 50 frames per second")) << fast.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_EQ(render("50.5").code, 2);
    EXPECT_EQ(render("50").code, 0);
}

}  // namespace
}  // namespace clothlab::tests
