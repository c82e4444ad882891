#include "commands/load_scene.hpp"

#include "commands/assets.hpp"

namespace clothlab::app::commands {

Expected<scene::Scene> loadScene(const std::string& nameOrPath, const std::vector<std::string>& sets, int threads) {
    const std::string name = nameOrPath.empty() ? std::string(scene::kDefaultScene) : nameOrPath;
    auto scene = scene::findScene(name, assetsFolder());
    if (!scene) return scene;
    for (const std::string& assignment : sets)
        if (auto done = scene::applyOverride(*scene, assignment); !done) return tl::unexpected(done.error());
    if (threads >= 0) scene->settings.threads = threads;
    return scene;
}

}  // namespace clothlab::app::commands
