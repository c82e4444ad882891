#include "commands/assets.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/platform.hpp"

namespace clothlab::app::commands {
namespace {

namespace fs = std::filesystem;

std::string find(const char* variable, const std::string& name) {
    if (const char* given = std::getenv(variable); given && *given) return fs::path(given).lexically_normal().string();
    std::vector<fs::path> places;
    if (const std::string program = platform::programFolder(); !program.empty()) {
        places.push_back(fs::path(program) / ".." / ".." / name);
        places.push_back(fs::path(program) / ".." / "share" / "clothlab" / name);
    }
    places.push_back(fs::path(CLOTHLAB_SOURCE_DIR) / name);
    std::error_code ignored;
    for (const fs::path& place : places)
        if (fs::is_directory(place, ignored)) return place.lexically_normal().string();
    return places.back().string();
}

}  // namespace

std::string assetsFolder() { return find("CLOTHLAB_ASSETS", "assets"); }
std::string shadersFolder() { return find("CLOTHLAB_SHADERS", "shaders"); }

}  // namespace clothlab::app::commands
