#include "scene/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"

namespace clothlab::scene {

std::vector<std::string> builtInScenes(const std::string& assetsFolder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(assetsFolder) / "scenes", ignored))
        if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return std::pair(a != kDefaultScene, a) < std::pair(b != kDefaultScene, b);
    });
    return names;
}

void removeRoomFloor(Scene& scene) {
    std::erase_if(scene.colliders, [](const contact::Collider& solid) { return solid.name == kRoomFloor; });
}

bool hasSolids(const Scene& scene) {
    return std::ranges::any_of(scene.colliders, [](const contact::Collider& c) { return c.name != kRoomFloor; });
}

Expected<Scene> findScene(const std::string& nameOrPath, const std::string& assetsFolder) {
    if (nameOrPath.ends_with(".toml")) return readScene(nameOrPath);
    const std::vector<std::string> names = builtInScenes(assetsFolder);
    if (std::find(names.begin(), names.end(), nameOrPath) != names.end())
        return readScene((std::filesystem::path(assetsFolder) / "scenes" / (nameOrPath + ".toml")).string());
    Error error{.message = fmt::format("unknown scene '{}'", shownPath(nameOrPath)), .choices = names};
    if (names.empty()) error.message += fmt::format("; no built-in scenes found in {}/scenes", assetsFolder);
    error.choices.emplace_back("a file that ends in .toml");
    return fail(std::move(error));
}

}  // namespace clothlab::scene
