#include "commands/load_scene.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "commands/assets.hpp"
#include "commands/commands.hpp"

namespace clothlab::app {

Expected<scene::Scene> loadScene(const std::string& nameOrPath, const std::vector<std::string>& sets, int threads) {
    const std::string name = nameOrPath.empty() ? std::string(scene::kDefaultScene) : nameOrPath;
    auto scene = scene::findScene(name, assetsFolder());
    if (!scene) return scene;
    for (const std::string& assignment : sets)
        if (auto done = scene::applyOverride(*scene, assignment); !done) return tl::unexpected(done.error());
    if (threads >= 0) scene->settings.threads = threads;
    return scene;
}

int complain(const Error& error) {
    fmt::print(stderr, "clothlab: {}\n", error.text());
    return kExitUsage;
}

}  // namespace clothlab::app
