// Continuous integration runs the README's test command in the same form as a user does.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "architecture/text_files.hpp"

namespace clothlab::architecture {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> commandLines(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// The commands in the first block of code below a heading, without their comments.
std::vector<std::string> commandsBelow(const std::string& page, const std::string& heading) {
    const std::size_t begin = page.find("```sh\n", page.find(heading)) + 6;
    std::vector<std::string> commands = commandLines(page.substr(begin, page.find("```", begin) - begin));
    for (std::string& command : commands) command = std::regex_replace(command, std::regex(R"( +#.*$)"), "");
    return commands;
}

TEST(Commands, ContinuousIntegrationRunsTheReadmesTestCommand) {
    const fs::path root = CLOTHLAB_SOURCE_DIR;
    const std::vector<std::string> commands = commandsBelow(readText(root / "README.md"), "## Two commands");
    ASSERT_EQ(commands, (std::vector<std::string>{"./scripts/run", "./scripts/test"}));
    const std::vector<std::string> steps = commandLines(readText(root / ".ci/run"));
    for (const std::string& wanted : {commands[1], std::string("./scripts/alone --changed")})
        EXPECT_EQ(std::ranges::count(steps, wanted), 1) << wanted << " is not a line of .ci/run";
}

// Only the set-up tests whether it runs in CI: every other script must behave the same there.
TEST(Commands, ScriptsDoTheSameInContinuousIntegration) {
    const std::regex asks(R"(\$\{?CI\b)");
    std::size_t asking = 0;
    for (const fs::directory_entry& script : fs::directory_iterator(fs::path(CLOTHLAB_SOURCE_DIR) / "scripts")) {
        if (!script.is_regular_file()) continue;
        const bool found = std::regex_search(readText(script.path()), asks);
        asking += found;
        EXPECT_EQ(found, script.path().filename() == "setup") << script.path();
    }
    EXPECT_EQ(asking, 1u) << "the pattern must match scripts/setup";
}

}  // namespace
}  // namespace clothlab::architecture
