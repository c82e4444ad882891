// A check that cannot fail proves nothing: each rule here is broken on purpose.
#include "architecture/rules.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

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
```
```limits
lines 5
```
)";

std::vector<std::string> check(std::vector<SourceFile> files) {
    files.push_back({"core/base/types.hpp", ""});
    files.push_back({"core/linalg/matrix.hpp", ""});
    files.push_back({"core/cloth/springs.hpp", ""});
    files.push_back({"core/simulation/simulation.hpp", ""});
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

TEST(Rules, RefuseALongFileInTestsToo) {
    expectOne({{"tests/x_test.cpp", "1\n2\n3\n4\n5\n6\n"}}, "tests/x_test.cpp:6: longer than 5 lines");
    EXPECT_TRUE(check({{"tests/x_test.cpp", "1\n2\n3\n4\n5\n"}}).empty());
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
