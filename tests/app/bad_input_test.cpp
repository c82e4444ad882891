#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/program.hpp"
#include "base/input.hpp"

namespace clothlab::tests {
namespace {

/// Expects a refusal: exit code 2, nothing on stdout, and a message that contains the fragment.
void refuses(const std::string& arguments, const std::string& fragment) {
    const Result r = clothlab(arguments);
    EXPECT_EQ(r.code, 2) << arguments;
    EXPECT_EQ(r.out, "") << arguments;
    EXPECT_NE(r.err.find(fragment), std::string::npos) << arguments << "\n" << r.err << "\nexpected: " << fragment;
    EXPECT_LT(r.err.size(), 3000u) << arguments;
    for (const char c : r.err) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << r.err;
}

struct BadInput : ::testing::Test {
    ScratchFolder folder;
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder.file(name), std::ios::binary) << text;
        return "'" + folder.file(name) + "'";
    }
    std::string out(const std::string& name) const { return " --out '" + folder.file(name) + "' "; }
};

TEST_F(BadInput, NoOptionTakesWhatIsNoNumber) {
    const std::string film = "render chen --steps 1" + out("a.mp4"),
                      sweep = "sweep chen --vary integrator.dt=0.01" + out("s.ndjson");
    refuses(film + "--fps nan", "--fps: 'nan' is not a number, 1 .. 1000");
    refuses("race chen --step 1 --tolerance nan", "--tolerance: 'nan' is not a number, 1e-14 .. 1");
    refuses("race chen --step 1 --tolerance 0", "--tolerance: '0' is not a number, 1e-14 .. 1");
    refuses("race chen --step 1 --tolerance 1e-3,,1e-6", "--tolerance: '' is not a number");
    refuses(sweep + "--duration nan", "--duration: 'nan' is not a number, 1e-06 .. 1");
    refuses(sweep + "--random 1 --seed -1", "--seed: '-1' is not a whole number, 0 ..");
    refuses("run chen --steps 0x10", "--steps: '0x10' is not a whole number, 0 .. 100000000");
    refuses("run chen --steps 1.5", "--steps: '1.5' is not a whole number");
    refuses("run chen --threads -1", "--threads: '-1' is not a whole number, 0 .. 256");
    EXPECT_FALSE(std::filesystem::exists(folder.file("s.ndjson")));
}

TEST_F(BadInput, NoThreadsMeansAutoEverywhere) {
    const auto threadsOf = [this](const std::string& options) {
        const Result r = clothlab("run chen --steps 1 --json" + options);
        EXPECT_EQ(r.code, 0) << r.err;
        const std::size_t at = r.out.find("\"threads\":");
        EXPECT_NE(at, std::string::npos) << r.out;
        return r.out.substr(at, r.out.find_first_of(",}", at) - at);
    };
    const std::string automatic = threadsOf(" --set threads=auto");
    EXPECT_NE(threadsOf(" --threads 3"), automatic);
    for (const char* options : {" --threads 0", " --set threads=0", " --set threads=3 --threads 0"})
        EXPECT_EQ(threadsOf(options), automatic) << options;
}

TEST_F(BadInput, AnEmptyNameIsNoFile) {
    for (const char* option :
         {"check ''", "run chen --steps 1 --report ''", "run chen --steps 1 --out ''", "system chen --step 1 --out ''",
          "render chen --out ''", "race --system ''", "plot r.ndjson --out ''", "view --input ''"})
        refuses(option, "the name is empty");
    refuses("plot ''" + out("a.png"), "the name of the file is empty");
}

TEST_F(BadInput, SaysWhyAFileCannotBeRead) {
    std::filesystem::create_symlink("/dev/zero", folder.file("zero.toml"));
    std::filesystem::create_symlink("loop.toml", folder.file("loop.toml"));
    refuses("check '" + folder.file("zero.toml") + "'", "zero.toml: cannot read: this is a device");
    refuses("check '" + folder.file("loop.toml") + "'", "loop.toml: cannot read: Too many levels of symbolic links");
    refuses("check '" + folder.file("none.toml") + "'", "none.toml: cannot read: No such file or directory");
    refuses("plot /dev/zero" + out("a.png"), "/dev/zero: cannot read: this is a device");
    refuses("race --system '" + folder.file("none") + "'", "A.mtx: cannot read: No such file");
    refuses("view --input '" + folder.path() + "'", "cannot read: this is a folder");
}

TEST_F(BadInput, JsonThatTheLibraryThrewOver) {
    refuses("plot " + write("a.ndjson", "{\"a\":1e999}\n") + out("a.png"),
            "a.ndjson:1:6: not JSON: the number 1e999 is too large");
    std::string deep;
    for (int i = 0; i < 30'000; ++i) deep += "{\"a\":";
    refuses("plot " + write("b.ndjson", deep) + out("a.png"), "b.ndjson:1:");
    write("c.ndjson", deep + "\n");
    refuses("sweep chen --vary integrator.dt=0.01" + out("c.ndjson"), "c.ndjson:1: this is not a line of a sweep");
}

TEST_F(BadInput, MessagesNeitherObeyNorRepeatAtLength) {
    const std::string megabyte(100'000, 'k');
    refuses("run chen --set " + megabyte + "=1", "kkk...kkk");
    refuses("run chen --" + megabyte, "...");
    refuses("run chen --set \"$(printf 'solver.kind=\\033[2J')\"", "solver.kind=\\x1b[2J");
    refuses("run \"$(printf 'a\\033[2J')\"", "a\\x1b[2J");
    refuses("check " + write("esc\x1b[31m.toml", ""), "esc\\x1b[31m.toml:1:1: the scene has no cloth");
    refuses("view --input " + write("hand.txt", "frame 1\nkey \x1b[2J\n"),
            "hand.txt:2:1: wrong arguments: 'key \\x1b[2J'");
}

TEST_F(BadInput, CheckRefusesWhatRunRefuses) {
    const std::string scene = write("s.toml", "[integrator]\nkind = \"bdf2\"\ndt_schedule = \"adaptive\"\n[cloth]\n");
    for (const char* command : {"check ", "run "}) refuses(command + scene, "s.toml:3:15: integrator.dt_schedule: ");
    for (const char* command : {"check", "run"})
        refuses(std::string(command) + " chen --set integrator.kind=bdf2 --set integrator.dt_schedule=adaptive",
                "looks back over two steps");
    refuses("run chen --branch 2 --with integrator.kind=bdf2 --with integrator.dt_schedule=adaptive",
            "--with: integrator.dt_schedule: ");
    refuses("run chen --steps 5 --branch 5", "--branch 5: the run has 5 steps");
    refuses("run chen --steps 5 --branch 1 --with foo=1", "--with foo=1: unknown key 'foo'");
}

TEST_F(BadInput, AMeshIsASurfaceAndTheMessagePointsIntoItsFile) {
    const std::string scene = write("m.toml", "[cloth]\nmesh = \"m.obj\"\nstrict = true\n");
    const auto malformed = [&](const std::string& obj, const std::string& fragment) {
        write("m.obj", obj);
        for (const char* command : {"check ", "run "}) refuses(command + scene, fragment);
    };
    const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    malformed("", "m.obj:1:1: the file has no point");
    malformed("v 1 abc 0\n", "m.obj:1:5: 'abc' is no number (valid: v x y z");
    malformed("v 1 nan 0\n", "m.obj:1:5: nan is out of range (valid: -1000000 .. 1000000)");
    malformed(square + "f 1 2 5\n", "m.obj:5:7: there is no 'v' 5 (valid: 1 .. 4, -4 .. -1 for those above this line)");
    malformed(square + "f 1 2\n", "m.obj:5:6: a face of 2 corners (valid: three corners or more: f 1 2 3)");
    malformed(square + "f 1 2 3\n", "m.obj:4:1: the point 4 is in no face");
    malformed(square + "f 1 2 3 4\nf 1 2 3\n", "m.obj:6:1: the edge 1 2 is run through the same way as in line 5");
    malformed("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "m.obj:4:1: the triangle 1 2 3 has no area");
    malformed("v 0 0 0\n\x1b[2J\n", "m.obj:2:1: unknown keyword '\\x1b[2J'");
    std::filesystem::remove(folder.file("m.obj"));
    refuses("check " + scene, "m.toml:2:8: cloth.mesh: " + folder.file("m.obj") + ": cannot read: No such file");
    // A mesh is an input, and is never overwritten.
    write("m.obj", square + "f 1 2 3 4\n");
    refuses("run " + scene + " --steps 1 --report '" + folder.file("m.obj") + "'", "m.obj: cannot write");
    EXPECT_EQ(*readFile(folder.file("m.obj")), square + "f 1 2 3 4\n");
    refuses("run disc --set cloth.rows=9", "the cloth is the mesh disc.obj, and only a grid has this");
}

TEST_F(BadInput, SweepsNameTheirOptions) {
    const std::string sweep = "sweep chen" + out("s.ndjson");
    refuses(sweep + "--vary integrator.dt=1e-6 --duration 3000",
            "--duration: 3000 s are more than 100000000 steps of 1e-06 s");
    refuses(sweep + "--vary integrator.dt=0.01 --set integrator.dt=0.02",
            "--vary integrator.dt=0.01: --set integrator.dt=0.02 assigns the same key");
    refuses(sweep + "--vary integrator.dtt=0.01", "--vary integrator.dtt=0.01: unknown key");
    EXPECT_FALSE(std::filesystem::exists(folder.file("s.ndjson")));
}

TEST_F(BadInput, ASweepGoesOnOnlyFromRunsThatItHas) {
    const std::string command = "sweep chen --steps 1 --threads 1 --vary integrator.dt=0.005,0.01" + out("s.ndjson");
    ASSERT_EQ(clothlab(command).code, 0);
    const std::string lines = *readFile(folder.file("s.ndjson"));
    std::string half = lines;
    half.replace(half.find("\"run\":0"), 7, "\"run\":0.5");
    write("s.ndjson", half);
    refuses(command, "s.ndjson:1: its run number is not part of this sweep");
    write("s.ndjson", lines + lines);
    refuses(command, "s.ndjson:3: run 0 appears twice");
}

TEST_F(BadInput, PicturesHaveASizeThatIsDrawnSoon) {
    write("r.ndjson", "{\"step\":1,\"time_s\":1}\n");
    for (const char* size : {"16384x16384", "8193x16", "8192x8192", "nanx100", "100", "-5x100", "1280x720x3"})
        refuses("plot '" + folder.file("r.ndjson") + "'" + out("a.png") + "--size " + size,
                std::string("'") + size + "' is not a size such as 1280x720");
    refuses("render chen --steps 1 --vary integrator.dt=0.01,0.02" + out("x.mp4"), "contact sheet");
    refuses("render chen --steps 1 --vary integrator.dt=0.01,x" + out("x.png"), "--vary");
    refuses(
        "render chen --steps 1 --size 200x200 --vary integrator.dt=0.01,0.02,0.03,0.04,0.05,0.06,0.07" + out("x.png"),
        "no room");
    for (const char* name : {"x.jpg", "x.MP4", ".mp4", ".gif", "x.png.webm"})
        refuses("render chen --steps 1" + out(name), "this is neither a film nor a picture");
}

TEST_F(BadInput, ASystemMustAgreeWithItself) {
    ASSERT_EQ(clothlab("system drape-sphere --step 1 --set cloth.rows=3 --set cloth.columns=3 --set "
                       "integrator.kind=linearized-backward-euler" +
                       out("s"))
                  .code,
              0);
    const std::string race = "race --system '" + folder.file("s") + "' --runs 1 --max-iterations 5 --csv";
    ASSERT_EQ(clothlab(race).code, 0);
    const auto broken = [&](const std::string& name, const std::string& text, const std::string& fragment) {
        const std::string good = *readFile(folder.file("s/" + name));
        write("s/" + name, text);
        refuses(race, name + ":" + fragment);
        write("s/" + name, good);
    };
    const std::string array = "%%MatrixMarket matrix array real general\n",
                      core = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 1\n3 3 1\n";
    broken("b.mtx", array + "2 1\n1\n2\n", "2: this is 2 x 1, which does not fit a matrix of 27 rows");
    broken("core.mtx", core, "2: the core is 3 x 3, A.mtx 27 x 27");
    broken("pattern.mtx", core, "2: the pattern is 3 x 3, and A.mtx has 9 rows of 3 x 3 blocks");
    std::string pattern = *readFile(folder.file("s/pattern.mtx"));
    const std::size_t bits = pattern.find("\n2 1 ") + 5;  // of a stretch spring
    broken("pattern.mtx", pattern.replace(bits, 1, "8"), "4: 8 is no part of the core: 0 .. 7");
    const std::string good = *readFile(folder.file("s/pattern.mtx"));
    write("s/pattern.mtx", pattern.replace(bits, 1, "0"));
    refuses(race, "is of the core, and not by pattern.mtx");
    write("s/pattern.mtx", good);
    broken("constraints.json",
           "{\"constraints\": [{\"particle\": 0, \"ndof\": 2, \"p\": [0, 0, 0], \"z\": [0, 0, 0]}]}",
           "1:50: p has length 0");
    const std::string z = *readFile(folder.file("s/z.mtx"));
    const auto firstZ = [&z](const std::string& value) {
        return std::string(z).replace(z.find("27 1\n") + 5, 1, value);
    };
    broken("z.mtx", firstZ("7"), " row 1 is 7, and 0 by constraints.json");
    broken("z.mtx", firstZ("nan"), "3:1: not a finite number");
}

}  // namespace
}  // namespace clothlab::tests
