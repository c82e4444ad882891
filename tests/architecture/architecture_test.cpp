// The tree keeps the rules that docs/architecture.md states.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "architecture/link_circles.hpp"
#include "architecture/rules.hpp"
#include "architecture/text_files.hpp"
#include "architecture/type_names.hpp"

namespace clothlab::architecture {
namespace {

namespace fs = std::filesystem;

std::vector<SourceFile> readTree(const fs::path& root) {
    std::vector<SourceFile> files;
    for (const char* top : {"core", "app", "tests", "bench"}) {
        if (!fs::exists(root / top)) continue;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".hpp" && extension != ".cpp" && extension != ".h" && extension != ".inl") continue;
            files.push_back({entry.path().lexically_relative(root).generic_string(), readText(entry.path())});
        }
    }
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return files;
}

TEST(Architecture, TreeKeepsTheRulesOfItsPage) {
    const fs::path root = CLOTHLAB_SOURCE_DIR;
    const std::vector<SourceFile> files = readTree(root);
    ASSERT_GT(files.size(), 50u) << "no sources under " << root;
    for (const std::string& breach : breaches(parseRules(readText(root / "docs/architecture.md")), files)) {
        ADD_FAILURE() << breach;
    }
}

// The rules see real includes: with the table turned upside down, the tree must breach it.
TEST(Architecture, TreeBreachesATableWithoutArrows) {
    const fs::path root = CLOTHLAB_SOURCE_DIR;
    Rules rules = parseRules(readText(root / "docs/architecture.md"));
    for (auto& [folder, reached] : rules.mayInclude) reached = {folder};
    EXPECT_GT(breaches(rules, readTree(root)).size(), 20u);
}

// Numbers are cast as T(x), and a subscript is not cast at all (docs/conventions.md, "Code").
TEST(Architecture, NumbersAreCastInOneDialect) {
    const std::regex cast(
        R"(static_cast<(std::size_t|std::ptrdiff_t|std::u?int\d+_t|int|unsigned|float|double|Index)>)"),
        subscript(R"(\[std::size_t\([^()]*\)\])");
    for (const SourceFile& file : readTree(CLOTHLAB_SOURCE_DIR))
        for (const std::regex& unwanted : {cast, subscript})
            EXPECT_FALSE(std::regex_search(file.text, unwanted)) << file.path;
    EXPECT_TRUE(
        std::regex_search("mass[static_cast<std::"
                          "size_t>(i)]",
                          cast));
    EXPECT_TRUE(
        std::regex_search("mass[std::"
                          "size_t(i)]",
                          subscript));
}

// A theme is a table: what is painted anywhere else has no colour of its own, or a second theme would miss it.
TEST(Architecture, ColoursStandInTheTablesOfThemes) {
    const std::regex literal(R"(\b0x[0-9a-fA-F]{6}([0-9a-fA-F]{2})?\b|\bIM_COL32\(|\brgb\([0-9])");
    const std::set<std::string> tables{"app/widgets/palette.hpp", "app/widgets/palette.cpp",
                                       "app/render/scene_colors.hpp"};
    std::size_t found = 0;
    for (const SourceFile& file : readTree(CLOTHLAB_SOURCE_DIR)) {
        if (!file.path.starts_with("app/")) continue;
        const bool has = std::regex_search(file.text, literal);
        found += has;
        EXPECT_EQ(has, tables.contains(file.path))
            << file.path << ": a colour outside of the themes, or a table without";
    }
    EXPECT_EQ(found, tables.size());
}

TEST(Architecture, LibrariesLinkInNoCircle) {
    const std::string links = readText(CLOTHLAB_LINKS);
    ASSERT_NE(links.find("clothlab_worker <- clothlab_core"), std::string::npos) << links;
    for (const std::string& circle : linkCircles(links)) ADD_FAILURE() << circle;
}

TEST(Architecture, NoTwoTypesHaveOneName) {
    const std::vector<SourceFile> files = readTree(CLOTHLAB_SOURCE_DIR);
    std::size_t types = 0;
    for (const SourceFile& file : files) types += typesDefinedIn(file.text).size();
    ASSERT_GT(types, 300u) << "too few to be all";
    for (const std::string& doubled : doubledTypes(files)) ADD_FAILURE() << doubled;
}

}  // namespace
}  // namespace clothlab::architecture
