// The tree keeps the rules that docs/architecture.md states.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "architecture/rules.hpp"

namespace clothlab::architecture {
namespace {

namespace fs = std::filesystem;

std::string readText(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

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

}  // namespace
}  // namespace clothlab::architecture
