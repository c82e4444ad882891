#include "commands/load_scene.hpp"

#include "commands/assets.hpp"
#include "commands/say.hpp"

namespace clothlab::app::commands {

Expected<scene::Scene> loadScene(const std::string& nameOrPath, const std::vector<std::string>& sets, int threads) {
    const std::string name = nameOrPath.empty() ? std::string(scene::kDefaultScene) : nameOrPath;
    auto scene = scene::findScene(name, assetsFolder());
    if (!scene) return scene;
    for (const std::string& assignment : sets)
        if (auto done = scene::applyOverride(*scene, assignment); !done) return fail(done.error());
    if (threads >= 0) scene->settings.threads = threads;
    for (const std::string& note : scene::readingNotes(*scene)) remark("note: " + note);
    return scene;
}

Expected<simulation::SavedState> loadSaved(const std::string& path, const std::vector<std::string>& sets, int threads) {
    auto saved = simulation::loadState(path);
    if (!saved) return saved;
    scene::Scene& scene = saved->scene;
    const scene::Scene before = scene;
    for (const std::string& assignment : sets)
        if (auto done = scene::applyOverride(scene, assignment); !done) return fail(done.error());
    if (!(scene.cloths == before.cloths && scene.regions == before.regions))
        return fail("--set: a saved state has its cloth already; only settings can be changed");
    if (threads >= 0) scene.settings.threads = threads;
    for (const std::string& note : scene::readingNotes(scene)) remark("note: " + note);
    remark(simulation::lostFactor(scene.settings));
    return saved;
}

}  // namespace clothlab::app::commands
