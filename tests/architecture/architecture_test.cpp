// The tree keeps the rules that docs/architecture.md states.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "architecture/class_sizes.hpp"
#include "architecture/link_circles.hpp"
#include "architecture/linker_symbols.hpp"
#include "architecture/rules.hpp"
#include "architecture/text_files.hpp"
#include "architecture/type_names.hpp"
#include "architecture/words.hpp"

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

// Numbers are cast as T(x), and subscripts are not cast (docs/conventions.md, "Code").
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

// Each theme is a table of colours. A colour defined anywhere else would not change with the theme.
TEST(Architecture, ColoursStandInTheTablesOfThemes) {
    const std::regex literal(R"(\b0x[0-9a-fA-F]{6}([0-9a-fA-F]{2})?\b|\bIM_COL32\(|\brgb\([0-9])");
    const std::set<std::string> tables{"app/widgets/palette.hpp", "app/widgets/palette.cpp",
                                       "app/render/scene_colors.hpp", "app/render/fabrics.cpp"};
    std::size_t found = 0;
    for (const SourceFile& file : readTree(CLOTHLAB_SOURCE_DIR)) {
        if (!file.path.starts_with("app/")) continue;
        const bool has = std::regex_search(file.text, literal);
        found += has;
        EXPECT_EQ(has, tables.contains(file.path))
            << file.path << ": a colour outside of the themes, or a table without colours";
    }
    EXPECT_EQ(found, tables.size());
}

TEST(Architecture, LibrariesLinkInNoCircle) {
    const std::string links = readText(CLOTHLAB_LINKS);
    ASSERT_NE(links.find("clothlab_worker <- clothlab_core"), std::string::npos) << links;
    for (const std::string& circle : linkCircles(links)) ADD_FAILURE() << circle;
}

std::string printedBy(const std::string& command) {
    std::string printed;
    std::FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) return printed;
    std::array<char, 65536> buffer;
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
        printed.append(buffer.data(), got);
    pclose(pipe);
    return printed;
}

// Libraries that are not built are left out: a build of only this test has none.
TEST(Architecture, LibrariesNeedNoSymbolOfALayerAbove) {
    std::map<std::string, LinkerSymbols> libraries;
    std::istringstream lines(readText(CLOTHLAB_ARCHIVES));
    std::size_t listed = 0;
    for (std::string folder, archive; lines >> folder >> archive; ++listed)
        if (fs::exists(archive))
            libraries[folder] =
                readSymbols(printedBy(std::string(CLOTHLAB_NM) + " --format=posix '" + archive + "' 2>/dev/null"));
    ASSERT_GT(listed, 15u);
    if (std::getenv("CI")) {
        EXPECT_EQ(libraries.size(), listed) << "continuous integration builds all of them";
    }
    for (const auto& [folder, symbols] : libraries) EXPECT_GT(symbols.defined.size(), 0u) << folder;
    const Rules rules = parseRules(readText(fs::path(CLOTHLAB_SOURCE_DIR) / "docs/architecture.md"));
    for (const std::string& breach : symbolBreaches(rules, libraries)) ADD_FAILURE() << breach;
}

TEST(LinkerSymbols, AreThoseThatOneLibraryNeedsOfAnother) {
    const LinkerSymbols low = readSymbols("_ZN1a3oneEv T 0 5\n_ZN1b3twoEv U\n_ZN1c5sharedEv W 0 9\nmain.o:\n"),
                        high = readSymbols("_ZN1b3twoEv T 0 5\n_ZN1a3oneEv U\n_ZN1c5sharedEv W 0 9\n");
    EXPECT_EQ(low.defined, std::set<std::string>{"_ZN1a3oneEv"});
    EXPECT_EQ(low.needed, std::set<std::string>{"_ZN1b3twoEv"});
    const Rules rules = parseRules(
        "```includes\nlow <-\nhigh/inner <- low\n```\n```confined\nx.h any low/*\n```\n"
        "```limits\nlines 400\nfolder-lines 5000\nfolder-files 40\n```\n");
    EXPECT_EQ(symbolBreaches(rules, {{"low", low}, {"high", high}}),
              std::vector<std::string>{"low needs _ZN1b3twoEv of high, which it may not include"});
}

TEST(Architecture, NoTwoTypesHaveOneName) {
    const std::vector<SourceFile> files = readTree(CLOTHLAB_SOURCE_DIR);
    std::size_t types = 0;
    for (const SourceFile& file : files) types += typesDefinedIn(file.text).size();
    ASSERT_GT(types, 300u) << "too few to be all";
    for (const std::string& doubled : doubledTypes(files)) ADD_FAILURE() << doubled;
}

// A class has a limited number of members and functions, or its comment says why it has more.
TEST(Architecture, ClassesAreSmallOrSayWhyNot) {
    constexpr int kMostMembers = 30, kMostFunctions = 40;
    std::size_t classes = 0, explained = 0;
    for (const SourceFile& file : readTree(CLOTHLAB_SOURCE_DIR)) {
        if (!file.path.starts_with("core/") && !file.path.starts_with("app/")) continue;
        for (const ClassSize& size : classSizes(file.text)) {
            ++classes;
            const bool wide = size.members > kMostMembers || size.functions > kMostFunctions;
            explained += size.isExplained;
            EXPECT_EQ(wide, size.isExplained)
                << file.path << ": " << size.name << " has " << size.members << " members and " << size.functions
                << " functions (at most " << kMostMembers << " and " << kMostFunctions
                << "); a larger class needs a comment before it with 'Wide on purpose:' and the reason";
        }
    }
    EXPECT_GT(classes, 500u) << "too few to be all";
    EXPECT_LT(explained, 10u) << "exceptions stay few";
}

TEST(Architecture, FunctionsAreShortUnlessTheyAreTables) {
    constexpr int kMostLines = 60;
    std::size_t functions = 0;
    for (const SourceFile& file : readTree(CLOTHLAB_SOURCE_DIR)) {
        if (!file.path.starts_with("core/") && !file.path.starts_with("app/")) continue;
        for (const FunctionLength& function : functionLengths(file.text)) {
            ++functions;
            if (function.isTable) continue;
            EXPECT_LE(function.lines, kMostLines) << file.path << ":" << function.line << ": " << function.head;
        }
    }
    EXPECT_GT(functions, 2000u) << "too few to be all";
}

// Each rule of words.cpp comes from a sentence that readers did not understand.
TEST(Architecture, HasNoOddWords) {
    for (const SourceFile& file : readTree(CLOTHLAB_SOURCE_DIR)) {
        if (!file.path.starts_with("core/") && !file.path.starts_with("app/")) continue;
        for (const std::string& one : oddWords(file.text)) ADD_FAILURE() << file.path << ":" << one;
    }
}

TEST(OddWords, AreLookedForWhereTheyAreRead) {
    EXPECT_EQ(oddWords("/// Goes on for ever.\n// goes on\nint goes_on = 0;\nsay(\"a particle that there is not\");\n")
                  .size(),
              2u);
    EXPECT_EQ(oddWords("/// The surface.\n"), std::vector<std::string>{});
}

TEST(ClassSizes, CountWhatAClassDeclares) {
    const auto sizes = classSizes(R"cpp(
        /// Wide on purpose: a table.
        struct Table {
            static constexpr int kRows = 3;
            using Row = int;
            struct Nested {
                int a, b;
            };  // ; { }
            std::map<std::string, std::vector<int>> one, two{1, 2};
            std::function<void(int, double)> call = {};
            double three[2] = {0, 0};
            template <class T>
            void give(T value) {
                if (value) {
                    one.clear();
                }
            }
            int size() const { return 3; }
            Nested nested;
            friend class Other;
        };
        enum class Kind { A, B };
        class Small final : public Base {
        public:
            Small() = default;
            bool operator==(const Small&) const = default;

        private:
            const char* text_ = ";{";
        };
    )cpp");
    ASSERT_EQ(sizes.size(), 3u);
    EXPECT_EQ(sizes[0].name, "Table");
    EXPECT_TRUE(sizes[0].isExplained);
    EXPECT_EQ(sizes[0].members, 5);
    EXPECT_EQ(sizes[0].functions, 2);
    EXPECT_EQ(sizes[1].name, "Nested");
    EXPECT_EQ(sizes[1].members, 2);
    EXPECT_FALSE(sizes[1].isExplained);
    EXPECT_EQ(sizes[2].name, "Small");
    EXPECT_EQ(sizes[2].members, 1);
    EXPECT_EQ(sizes[2].functions, 2);
}

TEST(FunctionLengths, AreThoseOfWholeBodies) {
    const auto lengths = functionLengths(
        "int one(int a,\n        int b) {\n    if (a) {\n        b = 1;\n    }\n    return b;\n}\n"
        "struct S {\n    S() : a(1) {\n        a = 2;\n    }\n};\n"
        "std::vector<Row> rows() {\n    return {};\n}\n");
    ASSERT_EQ(lengths.size(), 3u);
    EXPECT_EQ(lengths[0].lines, 7);
    EXPECT_EQ(lengths[1].line, 9);
    EXPECT_EQ(lengths[1].lines, 3);
    EXPECT_FALSE(lengths[1].isTable);
    EXPECT_TRUE(lengths[2].isTable);
}

}  // namespace
}  // namespace clothlab::architecture
