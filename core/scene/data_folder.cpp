#include "scene/data_folder.hpp"

#include <cstdlib>
#include <vector>

#include "base/build_info.hpp"

namespace clothlab::scene {

std::string dataFolder(const std::string& name, const char* variable, std::span<const std::filesystem::path> roots) {
    namespace fs = std::filesystem;
    if (const char* given = std::getenv(variable); given && *given) return fs::path(given).lexically_normal().string();
    std::vector<fs::path> places;
    for (const fs::path& root : roots) places.push_back(root / name);
    places.push_back(fs::path(buildFacts().source) / name);
    std::error_code ignored;
    for (const fs::path& place : places)
        if (fs::is_directory(place, ignored)) return place.lexically_normal().string();
    return places.back().string();
}

}  // namespace clothlab::scene
