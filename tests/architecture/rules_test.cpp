// Each rule is broken on purpose, so that a check that cannot fail is noticed.
#include "architecture/rules.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "architecture/link_circles.hpp"
#include "architecture/type_names.hpp"

namespace clothlab::architecture {
namespace {

const char* const kPage = R"(
Text outside the blocks <- is not read.
```includes
base         <-
linalg       <- base      # comment
cloth        <- linalg
simulation   <- cloth
app          <- simulation
app/panels   <- simulation
```
```text
nonsense <- everything
```
```confined
cholmod.h|Eigen/Chol*    1    core/linalg/*.cpp
glm/*                    any  app/*
unistd.h|sys/*|word:fork any  core/base/platform.cpp
reach:simulation/inner.hpp any  core/* app/main.cpp
toml.hpp                 any  !core/base/*
```
```limits
lines 5
folder-lines 12
folder-files 4
```
)";

std::vector<std::string> check(std::vector<SourceFile> files) {
    files.push_back({"core/base/types.hpp", ""});
    files.push_back({"core/linalg/matrix.hpp", ""});
    files.push_back({"core/cloth/springs.hpp", ""});
    files.push_back({"core/simulation/simulation.hpp", ""});
    files.push_back({"core/simulation/inner.hpp", ""});
    files.push_back({"app/window.hpp", ""});
    return breaches(parseRules(kPage), files);
}

void expectOne(const std::vector<SourceFile>& files, const std::string& part) {
    const std::vector<std::string> found = check(files);
    ASSERT_EQ(found.size(), 1u) << part;
    EXPECT_NE(found[0].find(part), std::string::npos) << found[0];
}

TEST(Rules, AcceptWhatTheTableAllows) {
    EXPECT_TRUE(check({{"core/cloth/forces.cpp", "#include \"cloth/springs.hpp\"\n#include \"base/types.hpp\"\n"},
                       {"core/linalg/factor.cpp", "  #  include <cholmod.h>\n"},
                       {"app/main.cpp", "#include <glm/glm.hpp>\n#include \"cloth/springs.hpp\"\n"}})
                    .empty());
}

TEST(Rules, RefuseAnIncludeThatPointsUp) {
    expectOne({{"core/linalg/multiply.cpp", "\n#include \"cloth/springs.hpp\"\n"}},
              "core/linalg/multiply.cpp:2: linalg may not include core/cloth/springs.hpp");
    expectOne({{"core/base/x.cpp", "#include <linalg/matrix.hpp>"}}, "base may not include");
    expectOne({{"core/simulation/x.cpp", "#include \"window.hpp\""}}, "simulation may not include app/window.hpp");
}

TEST(Rules, RefuseADetourThroughARelativePath) {
    expectOne({{"core/linalg/x.cpp", "#include \"../cloth/springs.hpp\""}}, "linalg may not include");
    expectOne({{"core/linalg/x.cpp", "#include \"../../core/cloth/./springs.hpp\""}}, "linalg may not include");
}

TEST(Rules, KnowFoldersOfTheirOwnInsideApp) {
    expectOne({{"app/panels/solver_panel.cpp", "#include \"window.hpp\""}},
              "app/panels may not include app/window.hpp");
    EXPECT_TRUE(check({{"app/panels/deeper/x.cpp", "#include \"simulation/simulation.hpp\""}}).empty());
}

TEST(Rules, RefuseAFolderWithoutARow) {
    expectOne({{"core/novelty/x.cpp", ""}}, "core/novelty/x.cpp:1: its folder has no row");
}

TEST(Rules, KeepAHeaderToItsPlace) {
    expectOne({{"core/cloth/x.cpp", "#include <glm/glm.hpp>"}}, "core/cloth/x.cpp:1: not allowed here");
    expectOne({{"core/linalg/factor.hpp", "#include <cholmod.h>"}}, "not allowed here");
    expectOne({{"app/main.cpp", "#include <sys/resource.h>"}}, "not allowed here");
}

TEST(Rules, KeepAHeaderOutOfAPlace) {
    expectOne({{"core/base/x.cpp", "#include <toml.hpp>"}}, "not allowed here");
    EXPECT_TRUE(check({{"core/linalg/x.cpp", "#include <toml.hpp>"}, {"app/x.cpp", "#include <toml.hpp>"}}).empty());
}

TEST(Rules, KeepAHeaderToItsNumberOfFiles) {
    expectOne({{"core/linalg/a.cpp", "#include <cholmod.h>"}, {"core/linalg/b.cpp", "#include <Eigen/CholmodSupport>"}},
              "used by more than 1 file(s): core/linalg/a.cpp core/linalg/b.cpp");
}

TEST(Rules, KeepAWordToItsPlace) {
    expectOne({{"app/main.cpp", "int child = fork();"}}, "not allowed here");
    EXPECT_TRUE(
        check({{"app/main.cpp", "forkLift(); pitch_fork(); // fork()\n"}, {"core/base/platform.cpp", "fork();"}})
            .empty());
}

TEST(Rules, KeepAHeaderFromWhoWouldReachItThroughOthers) {
    const SourceFile between{"core/simulation/report.hpp", "#include \"simulation/inner.hpp\"\n"};
    expectOne({between, {"app/panels/a.hpp", "\n#include \"simulation/report.hpp\"\n"}},
              "app/panels/a.hpp:2: not to be reached from here: app/panels/a.hpp -> simulation/report.hpp -> "
              "simulation/inner.hpp");
    expectOne({{"app/panels/a.hpp", "#include \"simulation/inner.hpp\"\n"}}, "not to be reached from here");
    EXPECT_TRUE(check({between, {"app/main.cpp", "#include \"simulation/report.hpp\"\n"}}).empty());
    EXPECT_TRUE(check({between, {"app/panels/a.hpp", "#include \"cloth/springs.hpp\"\n"}}).empty());
}

TEST(Rules, RefuseARowAboutAHeaderThatHasMoved) {
    const std::vector<std::string> found = breaches(parseRules(kPage), {{"core/simulation/moved.hpp", ""}});
    EXPECT_EQ(found, std::vector<std::string>{"reach:simulation/inner.hpp: there is no such header"});
}

TEST(Rules, FollowHeadersThatIncludeEachOtherToAnEnd) {
    EXPECT_TRUE(
        check({{"app/panels/a.hpp", "#include \"b.hpp\"\n"}, {"app/panels/b.hpp", "#include \"a.hpp\"\n"}}).empty());
}

TEST(Rules, RefuseALongFileInTestsToo) {
    expectOne({{"tests/x_test.cpp", "1\n2\n3\n4\n5\n6\n"}}, "tests/x_test.cpp:6: longer than 5 lines");
    EXPECT_TRUE(check({{"tests/x_test.cpp", "1\n2\n3\n4\n5\n"}}).empty());
}

std::vector<SourceFile> sourcesIn(const std::string& folder, int count, const std::string& text) {
    std::vector<SourceFile> files;
    files.reserve(std::size_t(count));
    for (int i = 0; i < count; ++i) files.push_back({folder + "/x" + std::to_string(i) + ".cpp", text});
    return files;
}

// core/linalg already has one source without lines.
TEST(Rules, RefuseAFolderOfTooManyFiles) {
    EXPECT_TRUE(check(sourcesIn("core/linalg", 3, "")).empty());
    expectOne(sourcesIn("core/linalg", 4, ""), "linalg: 5 files, more than 4");
}

TEST(Rules, RefuseAFolderOfTooManyLines) {
    EXPECT_TRUE(check(sourcesIn("core/linalg", 3, "1\n2\n3\n4\n")).empty());
    expectOne(sourcesIn("core/linalg", 3, "1\n2\n3\n4\n5\n"), "linalg: 15 lines, more than 12");
}

TEST(Rules, CountOfAFolderWhatIsDirectlyInIt) {
    EXPECT_TRUE(check(sourcesIn("core/linalg/deeper", 4, "1\n2\n3\n")).empty());
    EXPECT_TRUE(check(sourcesIn("tests/linalg", 9, "1\n2\n3\n")).empty());
}

/// The breaches of `sources` files of three lines in app/render, with `rows` added to the limits of the page.
std::vector<std::string> withLimits(const std::string& rows, int sources) {
    std::string page = kPage;
    std::vector<SourceFile> files = sourcesIn("app/render", sources, "1\n2\n3\n");
    files.push_back({"core/simulation/inner.hpp", ""});
    return breaches(parseRules(page.insert(page.find("lines 5\n"), rows)), files);
}

TEST(Rules, LetAFolderHaveALimitOfItsOwn) {
    using Found = std::vector<std::string>;
    const std::string rows = "folder-lines 15 app/render\nfolder-files 6 app/render\n";
    EXPECT_EQ(withLimits("", 5), (Found{"app/render: 15 lines, more than 12", "app/render: 5 files, more than 4"}));
    EXPECT_EQ(withLimits(rows, 5), Found{});
    EXPECT_EQ(withLimits(rows, 6), Found{"app/render: 18 lines, more than 15"});
}

TEST(Rules, RefuseALimitThatAFolderNoLongerNeeds) {
    EXPECT_EQ(
        withLimits("folder-files 5 app/render app/film\n", 4),
        (std::vector<std::string>{"app/film: needs no limit of 5 files", "app/render: needs no limit of 5 files"}));
}

TEST(Rules, LeaveTestsFreeToIncludeWhatTheyTest) {
    EXPECT_TRUE(check({{"tests/x_test.cpp", "#include \"window.hpp\"\n#include <unistd.h>\n"}}).empty());
}

TEST(Rules, RefuseAPageThatMakesNoSense) {
    EXPECT_THROW(parseRules(""), std::runtime_error);
    EXPECT_THROW(parseRules("```includes\nbase <- linalg\nlinalg <- base\n```\n"), std::runtime_error);
    EXPECT_THROW(parseRules("```includes\nbase linalg\n```\n"), std::runtime_error);
    EXPECT_THROW(parseRules("```includes\nbase <-\n```\n```confined\ncholmod.h none core/*\n```\n"),
                 std::runtime_error);
    EXPECT_THROW(parseRules("```includes\nbase <-\n```\n"), std::runtime_error);
    const std::string page = kPage;
    EXPECT_NO_THROW(parseRules(page));
    for (const std::string row : {"lines 5", "folder-lines 12", "folder-files 4"}) {
        std::string without = page, none = page;
        const std::size_t at = page.find("\n" + row + "\n") + 1;
        EXPECT_THROW(parseRules(without.erase(at, row.size())), std::runtime_error) << row;
        EXPECT_THROW(parseRules(none.replace(at, row.size(), row.substr(0, row.find(' ')) + " 0")), std::runtime_error);
    }
    for (const char* row : {"folder-files 7 app/film app/film", "folder-words 9", "lines 5 app/film", "folder-lines"}) {
        std::string with = page;
        EXPECT_THROW(parseRules(with.insert(page.find("lines 5"), std::string(row) + "\n")), std::runtime_error) << row;
    }
}

TEST(LinkCircles, AreFoundWhereverTheyAre) {
    EXPECT_TRUE(linkCircles("main <- view run base\nview <- base foreign\nrun <- base\nbase <-\n").empty());
    EXPECT_EQ(linkCircles("main <- run\nrun <- view base\nview <- canvas\ncanvas <- base run\nbase <-\n"),
              std::vector<std::string>{"canvas <- run <- view <- canvas"});
    EXPECT_EQ(linkCircles("base <- base\n"), std::vector<std::string>{"base <- base"});
}

std::string namesIn(const std::string& text) {
    std::string names;
    for (const TypeDefinition& type : typesDefinedIn(text))
        names += (names.empty() ? "" : " ") + type.name + ":" + std::to_string(type.line);
    return names;
}

TEST(TypeNames, AreThoseOfDefinitionsInNamespaces) {
    EXPECT_EQ(namesIn("namespace a::b {\nstruct S {\n    struct Inner {};\n};\n}\nclass T final : S<int, 2> {};\n"),
              "a::b::S:2 T:6");
    EXPECT_EQ(namesIn("enum class E : int { One };\nenum F { Two };\nunion U { int i; };"), "E:1 F:2 U:3");
    EXPECT_EQ(namesIn("struct [[nodiscard]] A {};\nstruct alignas(8) B {};\nstruct Outer::Impl {};"),
              "A:1 B:2 Outer::Impl:3");
    EXPECT_EQ(namesIn("extern \"C\" {\nstruct C {};\n}\ninline namespace v { struct D {}; }"), "C:2 v::D:4");
}

TEST(TypeNames, LeaveOutWhatDefinesNothingThatOthersSee) {
    EXPECT_EQ(namesIn("struct A;\nenum class B : int;\nclass C* c = nullptr;\nstruct D f() { return {}; }"), "");
    EXPECT_EQ(namesIn("template <class T, class U> void f() { struct Local {}; }\ntemplate <> struct S<int> {};"), "");
    EXPECT_EQ(namesIn("namespace { struct Hidden {}; namespace n { struct Deeper {}; } }\nnamespace x = y;\n"), "");
    EXPECT_EQ(namesIn("// struct A {\n/* struct B { */ \"struct C {\"; R\"(struct D {)\"; '{';\n#define E struct F \\\n"
                      "  {\nconst int n = 20'000; using namespace z; struct G {};\n"),
              "G:5");
}

TEST(TypeNames, MayNotBeDefinedTwice) {
    const std::string theme = "namespace app {\nstruct Theme { int a; };\n}\n";
    EXPECT_EQ(doubledTypes({{"app/panels/theme.hpp", theme}, {"app/render/theme.hpp", theme}}),
              std::vector<std::string>{"app/render/theme.hpp:2: app::Theme is also defined in app/panels/theme.hpp:2"});
    EXPECT_TRUE(doubledTypes({{"app/panels/theme.hpp", theme}, {"tests/theme.hpp", theme}}).empty());
    EXPECT_TRUE(doubledTypes({{"app/panels/theme.hpp", theme},
                              {"app/render/theme.hpp", "namespace app::render { struct Theme {}; }"},
                              {"app/render/x.cpp", "namespace app { namespace { struct Theme {}; } }"}})
                    .empty());
}

TEST(Globs, MatchAnyCharacters) {
    EXPECT_TRUE(matchesGlob("core/linalg/a.cpp", "core/*.cpp"));
    EXPECT_TRUE(matchesGlob("sys/", "sys/*"));
    EXPECT_FALSE(matchesGlob("core/linalg/a.hpp", "core/*.cpp"));
    EXPECT_FALSE(matchesGlob("xcholmod.h", "cholmod.h"));
    EXPECT_TRUE(matchesGlob("a/b/c/b", "a/*b"));
}

}  // namespace
}  // namespace clothlab::architecture
