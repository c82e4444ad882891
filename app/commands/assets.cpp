#include "commands/assets.hpp"

#include <filesystem>
#include <vector>

#include "base/platform.hpp"
#include "scene/data_folder.hpp"

namespace clothlab::app::commands {
namespace {

std::string find(const char* variable, const std::string& name) {
    std::vector<std::filesystem::path> roots;
    if (const std::filesystem::path program = platform::programFolder(); !program.empty())
        roots = {program / ".." / "..", program / ".." / "share" / "clothlab"};
    return scene::dataFolder(name, variable, roots);
}

}  // namespace

std::string assetsFolder() { return find("CLOTHLAB_ASSETS", "assets"); }
std::string shadersFolder() { return find("CLOTHLAB_SHADERS", "shaders"); }

}  // namespace clothlab::app::commands
