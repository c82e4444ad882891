#include "commands/shared_options.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "commands/option_text.hpp"

namespace clothlab::app::commands {

CLI::Validator inRange(double min, double max) {
    return CLI::Validator(
        [=](std::string& text) -> std::string {
            const auto number = parseNumber(text);
            return number && within(*number, min, max)
                       ? ""
                       : fmt::format("'{}' is not a number, {} .. {}", shown(text), min, max);
        },
        fmt::format("{} .. {}", min, max));
}

CLI::Validator wholeIn(long min, long max) {
    return CLI::Validator(
        [=](std::string& text) -> std::string {
            const auto number = parseWhole(text);
            if (!number || *number < min || *number > max)
                return fmt::format("'{}' is not a whole number, {} .. {}", shown(text), min, max);
            text = fmt::format("{}", *number);
            return {};
        },
        fmt::format("{} .. {}", min, max));
}

CLI::Option* addName(CLI::App& command, const std::string& option, std::string& name, const std::string& help,
                     const char* type) {
    return command.add_option(option, name, help)
        ->type_name(type)
        ->check(CLI::Validator([](std::string& text) -> std::string { return text.empty() ? "the name is empty" : ""; },
                               ""));
}

CLI::Option* addSize(CLI::App& command, int& width, int& height, const std::string& help) {
    return command
        .add_option_function<std::string>(
            "--size",
            [&width, &height](const std::string& text) {
                if (const std::string wrong = parseSize(text, width, height); !wrong.empty())
                    throw CLI::ValidationError("--size", wrong);
            },
            help)
        ->type_name("WxH");
}

void addSets(CLI::App& command, std::vector<std::string>& sets, const std::string& what) {
    command.add_option("--set", sets, "assigns " + what + "; may be repeated; --help-settings lists them")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

void addThreads(CLI::App& command, int& threads, const std::string& otherwise) {
    command.add_option("--threads", threads, "threads of a step, 0 = auto; otherwise " + otherwise)
        ->check(wholeIn(0, 256));
}

void addScene(CLI::App& command, std::string& scene, bool required) {
    addName(command, "scene", scene, "name of a built-in scene, or a file that ends in .toml", "SCENE")
        ->required(required);
}

void addFrom(CLI::App& command, std::string& file) {
    addName(command, "--from", file, "starts from a saved state instead of a scene", "FILE")->excludes("scene");
}

void addReplay(CLI::App& command, std::string& file) {
    addName(command, "--replay", file, "instead of a scene: replays what was recorded in a window", "FILE")
        ->excludes("scene")
        ->excludes("--from");
}

CLI::Option* addVary(CLI::App& command, std::vector<std::string>& vary, const std::string& help) {
    return command.add_option("--vary", vary, help)->type_name("KEY=A,B,C")->allow_extra_args(false);
}

}  // namespace clothlab::app::commands
