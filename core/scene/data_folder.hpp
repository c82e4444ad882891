#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace clothlab::scene {

/// Where the folder `name` of what comes with the program lies ("assets"): where the environment variable says, else in
/// the first of `roots` that has it, else in the tree that this was built from. Without a trailing slash; if nothing is
/// found, the last place looked at (an error about it names a real path).
std::string dataFolder(const std::string& name, const char* variable, std::span<const std::filesystem::path> roots);

}  // namespace clothlab::scene
