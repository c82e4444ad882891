#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace clothlab::architecture {

inline const std::filesystem::path kRoot = CLOTHLAB_SOURCE_DIR;  ///< of the repository

/// The content of a file.
inline std::string readText(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace clothlab::architecture
