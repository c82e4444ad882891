#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace clothlab::scene {

/// The folder `name` of the program's data ("assets"): that of the environment variable, or else in the first of
/// `roots` that has it, or else in the source tree. Without a trailing slash; if nothing is found, the last place tried
/// (so that an error about it names a real path).
std::string dataFolder(const std::string& name, const char* variable, std::span<const std::filesystem::path> roots);

}  // namespace clothlab::scene
