#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/enum_table.hpp"

/// Options that several commands have, and checks of their values.
namespace clothlab::app::commands {

/// The range check of all options; CLI11's own accepts NaN.
CLI::Validator inRange(double min, double max);
/// The same for whole numbers. The text becomes decimal: CLI11 would read 010 as 8.
CLI::Validator wholeIn(long min, long max);

template <TabledEnum E>
std::vector<std::string> listKeys(E) {
    std::vector<std::string> keys;
    for (const EnumEntry& entry : enumTable(E{})) keys.emplace_back(entry.key);
    return keys;
}

/// A path or a name. Empty (an unset shell variable) is an error.
CLI::Option* addName(CLI::App& command, const std::string& option, std::string& name, const std::string& help,
                     const char* type);
CLI::Option* addSize(CLI::App& command, int& width, int& height, const std::string& help);
CLI::Option* addVary(CLI::App& command, std::vector<std::string>& vary, const std::string& help);
void addSets(CLI::App& command, std::vector<std::string>& sets,
             const std::string& what = "a setting, which overrides the scene");
void addThreads(CLI::App& command, int& threads, const std::string& otherwise);
void addScene(CLI::App& command, std::string& scene, bool required);
void addFrom(CLI::App& command, std::string& file);
void addReplay(CLI::App& command, std::string& file);

}  // namespace clothlab::app::commands
