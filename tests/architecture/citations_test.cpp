// Every citation resolves inside of the repository. Each kind is also broken on purpose, to test the check.
#include "architecture/citations.hpp"
#include "architecture/text_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace clothlab::architecture {
namespace {

namespace fs = std::filesystem;

const char* const kBibliography = R"(@book{moller1997,
  author = {M{\"o}ller, Tomas and Trumbore, Ben},
  year   = {1997}
}

@book{saad2003,
  author = {Saad, Yousef},
  year   = {2003}
})";

Library small() {
    return readLibrary(
        {{"docs/methods/oracles.md", "# A\n\n## 9.3 Blocks\n\n| 32a | what | test |\n| [Saad] | `saad2003` |\n"},
         {"docs/errata.md", "| E-07 | [B] | print | right |\n| [B], [Ray] | `moller1997` |\n"}},
        kBibliography);
}

void expectBreach(const std::string& path, const std::string& text, const std::string& breach) {
    const std::vector<std::string> found = citationBreaches(small(), {{path, text}});
    ASSERT_EQ(found.size(), 1u) << text;
    EXPECT_EQ(found[0], path + ":" + breach);
}

TEST(Citations, WhatIsThereMayBeCited) {
    const std::string all =
        "// methods §9.3, Methods §9; oracle 32a; E-07; [B] (4.8), [Saad] §12.3 and §6.7; [B],\n// §4.1; Saad 2003;\n"
        "// Möller and Trumbore (1997), Trumbore and others\n";
    EXPECT_EQ(citationBreaches(small(), {{"core/a.cpp", all}, {"docs/a.md", all}}), std::vector<std::string>{});
}

TEST(Citations, WhatLooksLikeOneIsNone) {
    const std::string code =
        "x[N] = y[K]; auto f = [A](int) {}; // `run [SCENE]`, [a link](x.md), x[N], [Y](y.md)\nrun(methods, 40);\n";
    EXPECT_EQ(citationBreaches(small(), {{"core/a.cpp", code}}), std::vector<std::string>{});
}

TEST(Citations, WhatIsNotThereIsABreach) {
    expectBreach("core/a.hpp", "\n/// P, methods §9.4\n", "2: there is no section 9.4 in docs/methods");
    expectBreach("docs/a.md", "see methods 9.3\n", "1: \"methods 9.3\": a section is cited with §");
    expectBreach("tests/a.cpp", "// oracles 32a and 33\n", "1: there is no oracle 33");
    expectBreach("core/a.cpp",
                 "f(\"as in E-"
                 "08\");\n",
                 "1: E-"
                 "08 is not in docs/errata.md");
    expectBreach("shaders/a.frag", "// [Z] (3)\n", "1: [Z] is not in the key of docs/methods/README.md");
    expectBreach("README.md", "as [Golub] has it\n", "1: [Golub] is not in the key of docs/methods/README.md");
    expectBreach("core/a.cpp", "// [B]\n\n\n// (§4)\n", "4: § of what? \"methods §9.3\" or \"[B] §3.4\"");
    expectBreach("core/a.cpp", "// Steele 2014\n", "1: \"Steele 2014\" is not in docs/references.bib");
    expectBreach("core/a.cpp", "// Saad 2004\n", "1: \"Saad 2004\" is not in docs/references.bib");
    expectBreach("core/a.cpp", "// Steele and others\n",
                 "1: \"Steele and others\": docs/references.bib has no such author");
}

TEST(Citations, AKeyNamesAWorkOfTheBibliography) {
    const Library library = readLibrary({{"docs/methods/README.md", "| [Y] | Ye (`ye2009`) |\n"}}, kBibliography);
    EXPECT_EQ(library.flaws, std::vector<std::string>{"docs/methods/README.md: ye2009 is not in docs/references.bib"});
}

bool isText(const fs::path& path) {
    for (const char* other : {".png", ".bin", ".npy", ".ttf", ".bib"})
        if (path.extension() == other) return false;
    return true;
}

std::vector<SourceFile> filesUnder(const fs::path& root, std::initializer_list<const char*> places) {
    std::vector<SourceFile> files;
    const auto take = [&](const fs::path& path) {
        const std::string name = path.lexically_relative(root).generic_string();
        if (isText(path) && !name.starts_with("tests/architecture/citations")) files.push_back({name, readText(path)});
    };
    for (const char* place : places)
        if (fs::is_directory(root / place)) {
            for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / place))
                if (entry.is_regular_file()) take(entry.path());
        } else {
            take(root / place);
        }
    return files;
}

TEST(Citations, OfTheTreeResolve) {
    const fs::path root = CLOTHLAB_SOURCE_DIR;
    const Library library =
        readLibrary(filesUnder(root, {"docs/methods", "docs/errata.md"}), readText(root / "docs/references.bib"));
    EXPECT_GT(library.sections.size(), 50u);
    EXPECT_GT(library.oracles.size(), 50u);
    EXPECT_GT(library.errata.size(), 50u);
    EXPECT_GT(library.works.size(), 20u);
    for (const char* key : {"B", "C", "L", "P", "Y"}) EXPECT_TRUE(library.keys.contains(key)) << key;
    const std::vector<SourceFile> files =
        filesUnder(root, {"core", "app", "bench", "tests", "docs", "shaders", "scripts", "assets/scenes",
                          "fuzz/CMakeLists.txt", "README.md", "CHANGELOG.md"});
    ASSERT_GT(files.size(), 500u);
    for (const std::string& breach : citationBreaches(library, files)) ADD_FAILURE() << breach;
    // The check does find citations in core: without the pages almost none of them resolves.
    EXPECT_GT(citationBreaches({}, filesUnder(root, {"core"})).size(), 50u);
}

}  // namespace
}  // namespace clothlab::architecture
