// scripts/new finds all of its places in the tree as it is, and writes nothing where it refuses.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "architecture/text_files.hpp"

namespace clothlab::architecture {
namespace {

namespace fs = std::filesystem;

/// A copy of what the script reads, in a folder that the test removes.
class NewScript : public ::testing::Test {
protected:
    using Times = std::map<std::string, fs::file_time_type>;  ///< of the last write, by the path from the root

    NewScript() {
        for (const char* folder : {"app/worker", "assets", "core", "docs", "scripts", "tests/preconditioners",
                                   "tests/integrators", "tests/scene_physics", "tests/worker"}) {
            fs::create_directories(root_ / folder);
            fs::copy(kRoot / folder, root_ / folder, fs::copy_options::recursive);
        }
        for (const char* file : {"CHANGELOG.md", ".clang-format"}) fs::copy(kRoot / file, root_ / file);
    }
    ~NewScript() override { fs::remove_all(root_); }

    int status(const std::string& command) const {
        return WEXITSTATUS(std::system(("cd '" + root_.string() + "' && " + command).c_str()));
    }
    /// The exit status of scripts/new with these arguments; what it prints is in `said_`.
    int run(const std::string& arguments) {
        const int ended = status("PYTHONDONTWRITEBYTECODE=1 ./scripts/new " + arguments + " >../$$.txt 2>&1; " +
                                 "ended=$?; mv ../$$.txt ./said.txt; exit $ended");
        said_ = readText(root_ / "said.txt");
        fs::remove(root_ / "said.txt");
        return ended;
    }
    Times times() const {
        Times all;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root_))
            if (entry.is_regular_file())
                all[entry.path().lexically_relative(root_).generic_string()] = entry.last_write_time();
        return all;
    }
    void expectRefused(const std::string& arguments, const std::string& words) {
        const Times before = times();
        EXPECT_EQ(run(arguments), 2) << arguments << ": " << said_;
        EXPECT_NE(said_.find(words), std::string::npos) << arguments << ": " << said_;
        EXPECT_TRUE(times() == before) << arguments << " writes into the tree";
    }
    /// Runs the script; returns the files that it made or changed.
    std::vector<std::string> changedBy(const std::string& arguments) {
        const Times before = times();
        EXPECT_EQ(run(arguments), 0) << arguments << ": " << said_;
        std::vector<std::string> changed;
        for (const auto& [path, time] : times())
            if (!before.contains(path) || before.at(path) != time) changed.push_back(path);
        return changed;
    }

    const fs::path root_ = fs::path(::testing::TempDir()) / fmt::format("clothlab-new-{}", getpid());
    std::string said_;
};

// The name is the longest that it accepts, with the longest lines.
TEST_F(NewScript, MakesEachKindOnce) {
    const std::string key = "averylongnamewithletter";
    const std::pair<const char*, std::vector<std::string>> kinds[] = {
        {"preconditioner",
         {"core/preconditioners/{}.hpp", "core/preconditioners/{}.cpp", "tests/preconditioners/{}_test.cpp",
          "core/preconditioners/kind.hpp"}},
        {"integrator", {"tests/integrators/{}_test.cpp", "core/integrators/kind.hpp", "docs/methods/combinations.md"}},
        {"scene", {"assets/scenes/{}.toml", "assets/pictures/scenes/{}.png", "docs/scenes.md", "docs/gallery.md"}},
        {"overlay", {"core/scene/overlay.hpp", "docs/window.md", "docs/keys.md"}},
        {"lesson", {"assets/lessons/{}.md", "assets/pictures/lessons/{}-light.png", "docs/gallery.md"}}};
    std::string sources;
    for (const auto& [kind, paths] : kinds) {
        const std::string arguments = std::string(kind) + " " + key;
        const std::vector<std::string> changed = changedBy(arguments);
        for (const std::string& path : paths)
            EXPECT_EQ(std::ranges::count(changed, fmt::format(fmt::runtime(path), key)), 1) << path;
        EXPECT_EQ(std::ranges::count(changed, "CHANGELOG.md"), 1) << kind;
        for (const std::string& path : changed) {
            EXPECT_NE(said_.find(path), std::string::npos) << kind << " says nothing of " << path;
            EXPECT_EQ(readText(root_ / path).find("@Camel@"), std::string::npos) << path;
            if (path.ends_with("pp")) sources += " " + path;
        }
        expectRefused(arguments, "the name is taken");
    }
    for (const char* kind : {"preconditioner", "integrator", "overlay"}) changedBy(std::string(kind) + " q");
    sources += " core/preconditioners/q.hpp core/preconditioners/q.cpp tests/integrators/q_test.cpp";
    if (status("command -v clang-format >/dev/null") == 0) {
        EXPECT_EQ(status("clang-format --dry-run -Werror" + sources), 0);
    }
}

TEST_F(NewScript, RefusesAndWritesNothing) {
    expectRefused("", "scripts/new KIND NAME");
    expectRefused("solver a-try", "unknown kind 'solver' (preconditioner, integrator, scene, overlay, lesson)");
    for (const char* name : {"A-try", "a--try", "../a"}) expectRefused("scene " + std::string(name), name);
    expectRefused("lesson a-name-of-24-character-s", "longer than");
    expectRefused("preconditioner worker-pool", "class WorkerPool");
    expectRefused("integrator bdf2", "taken");
    expectRefused("overlay velocity", "taken");
    expectRefused("scene hang", "assets/scenes/hang.toml exists");
}

TEST_F(NewScript, NamesThePlaceThatItDoesNotFind) {
    const struct {
        const char *kind, *path, *text, *words;
    } places[] = {
        {"preconditioner", "core/preconditioners/kind.hpp", "enum class PreconditionerKind", "kind.hpp has no "},
        {"integrator", "docs/methods/combinations.md", "| `linearized-backward-euler`", "combinations.md has no "},
        {"scene", "docs/scenes.md", "| `hang` |", "scenes.md has no "},
        {"overlay", "app/worker/snapshots/particle_fields.cpp", "kFields[]", "particle_fields.cpp has no "},
        {"lesson", "CHANGELOG.md", "#### Window", "CHANGELOG.md has no "}};
    for (const auto& place : places) {
        const std::string whole = readText(root_ / place.path);
        std::string without = whole;
        ASSERT_NE(without.find(place.text), std::string::npos) << place.path;
        without.erase(without.find(place.text), std::string(place.text).size());
        std::ofstream(root_ / place.path) << without;
        expectRefused(std::string(place.kind) + " a-try", place.words);
        std::ofstream(root_ / place.path) << whole;
    }
}

}  // namespace
}  // namespace clothlab::architecture
