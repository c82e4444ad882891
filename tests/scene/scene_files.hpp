#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// The malformed scene files in tests/scene/malformed. The first line of each is "# LINE:COLUMN part of the message".
namespace clothlab::tests {

struct MalformedFile {
    std::string path, place, fragment;
};

inline std::vector<MalformedFile> malformedFiles() {
    std::vector<MalformedFile> files;
    for (const auto& entry : std::filesystem::directory_iterator(CLOTHLAB_SOURCE_DIR "/tests/scene/malformed")) {
        std::ifstream in(entry.path());
        std::string line;
        std::getline(in, line);
        std::istringstream words(line);
        MalformedFile file{.path = entry.path().string()};
        std::string hash;
        words >> hash >> file.place;
        std::getline(words >> std::ws, file.fragment);
        files.push_back(file);
    }
    std::sort(files.begin(), files.end(), [](auto& a, auto& b) { return a.path < b.path; });
    return files;
}

}  // namespace clothlab::tests
