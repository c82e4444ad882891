#include "experiments/race/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/input.hpp"
#include "base/json_reader.hpp"
#include "base/platform.hpp"
#include "base/text.hpp"

namespace clothlab::experiments {
namespace {

constexpr std::string_view kFolder = "{dir}";
constexpr InputLimits kSmallFile{.bytes = 1u << 20, .pipes = false};

/// What is wrong with a name or a command; empty = nothing.
std::string describeFault(const Program& program) {
    if (program.name.empty()) return "a contestant needs a name";
    if (program.name.find_first_not_of(' ') == program.name.npos || program.name != shown(program.name))
        return fmt::format("'{}' is no name: up to {} characters that can be shown", shown(program.name),
                           kShownCharacters);
    if (program.command.find(kFolder) == program.command.npos)
        return fmt::format("the command of '{}' lacks {{dir}}, the folder with the system", shown(program.name));
    return {};
}

}  // namespace

Expected<Program> readProgram(const std::string& text, std::span<const Program> configured) {
    const std::size_t at = text.find('=');
    if (at == text.npos) {
        const auto known = std::ranges::find(configured, text, &Program::name);
        if (known != configured.end()) return *known;
        Error error{.message = fmt::format("'{}' is neither NAME='COMMAND {{dir}}' nor a contestant of {}", shown(text),
                                           programsFile().empty() ? "the configuration" : shownPath(programsFile()))};
        for (const Program& program : configured) error.choices.push_back(program.name);
        return fail(std::move(error));
    }
    Program program{.name = text.substr(0, at), .command = text.substr(at + 1)};
    if (const std::string wrong = describeFault(program); !wrong.empty()) return fail(wrong);
    return program;
}

std::string commandFor(const Program& program, const std::string& folder) {
    std::string out = program.command;
    const std::string word = shellWord(folder);
    for (std::size_t at = out.find(kFolder); at != out.npos; at = out.find(kFolder, at + word.size()))
        out.replace(at, kFolder.size(), word);
    return out;
}

std::string programsFile() {
    const std::string folder = platform::userConfigFolder();
    return folder.empty() ? "" : folder + "/clothlab/contestants.json";
}

Expected<std::vector<Program>> readPrograms(const std::string& file) {
    if (file.empty() || !somethingAt(file)) return std::vector<Program>();
    const auto text = readFile(file, kSmallFile);
    if (!text) return fail(text.error());
    return programsIn(*text, file);
}

Expected<std::vector<Program>> programsIn(std::string_view json, const std::string& file) {
    JsonReader reader(json, file, {.depth = 4, .values = 1000});
    reader.needVersion("version", 1, "list of contestants");
    std::vector<Program> out;
    const JsonValue root = reader.root();
    for (const JsonValue& item : root["contestants"].items()) {
        Program program{.name = item["name"].text(), .command = item["command"].text()};
        if (const std::string wrong = describeFault(program); !wrong.empty()) item.refuse(wrong);
        if (std::ranges::find(out, program.name, &Program::name) != out.end())
            item["name"].refuse(fmt::format("'{}' is listed twice", shown(program.name)));
        out.push_back(std::move(program));
    }
    return reader.result(std::move(out));
}

}  // namespace clothlab::experiments
