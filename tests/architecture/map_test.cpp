#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "architecture/text_files.hpp"

/// Each folder has a README: what goes in and out, what to read first, invariants, tests and page.
namespace clothlab::architecture {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> linesOf(const fs::path& path) {
    std::ifstream in(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// The text of "- **name:** ..." with the lines that continue it; empty if the item is missing.
std::string item(const std::vector<std::string>& lines, const std::string& name) {
    const std::string head = "- **" + name + ":** ";
    std::string text;
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        if (!line->starts_with(head)) continue;
        text = line->substr(head.size());
        while (++line != lines.end() && line->starts_with("  ")) text += " " + line->substr(2);
        return text;
    }
    return text;
}

std::vector<std::string> matches(const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    std::vector<std::string> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), regex); at != std::sregex_iterator(); ++at)
        found.push_back((*at)[1].str());
    return found;
}

void check(const std::string& folder) {
    const fs::path readme = kRoot / folder / "README.md";
    ASSERT_TRUE(fs::exists(readme)) << folder << " has no README.md";
    const std::vector<std::string> lines = linesOf(readme);
    EXPECT_GE(lines.size(), 10u) << folder;
    EXPECT_LE(lines.size(), 20u) << folder;
    EXPECT_EQ(lines[0], "# " + folder);
    for (const char* name : {"In", "Out", "Invariants"}) EXPECT_NE(item(lines, name), "") << folder << ": " << name;
    const std::vector<std::string> first = matches(item(lines, "Read first"), "`([^`]+)`");
    EXPECT_EQ(first.size(), 3u) << folder << ": Read first";
    for (const std::string& file : first)
        EXPECT_TRUE(fs::is_regular_file(kRoot / folder / file)) << folder << ": " << file;
    const std::vector<std::string> tests = matches(item(lines, "Tests"), "`(tests[^`]*)`");
    EXPECT_FALSE(tests.empty()) << folder << ": Tests";
    for (const std::string& path : tests) EXPECT_TRUE(fs::exists(kRoot / path)) << folder << ": " << path;
    const std::vector<std::string> pages = matches(item(lines, "Page"), R"(\]\(([^)#]+))");
    EXPECT_FALSE(pages.empty()) << folder << ": Page";
    for (const std::string& page : pages) EXPECT_TRUE(fs::exists(kRoot / folder / page)) << folder << ": " << page;
}

TEST(Map, EachFolderOfCoreAndAppHasAReadmeThatIsTrue) {
    int folders = 0;
    for (const char* top : {"core", "app"})
        for (const auto& entry : fs::directory_iterator(kRoot / top)) {
            if (!entry.is_directory()) continue;
            ++folders;
            check(std::string(top) + "/" + entry.path().filename().string());
        }
    EXPECT_GT(folders, 20);
    for (const char* folder : {"assets", "bench", "fuzz", "python", "scripts", "shaders", "tests"}) check(folder);
}

}  // namespace
}  // namespace clothlab::architecture
