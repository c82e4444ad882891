#include <fmt/format.h>

#include "actions/actions.hpp"
#include "window/files.hpp"
#include "window/window_loop.hpp"

// What the window remembers: from the file into the window, and back (window/preferences.hpp).
namespace clothlab::app::window {

/// Those that are built in, then the files that were opened last.
void WindowLoop::listScenes() {
    for (const std::string& name : scene::builtInScenes(options_.assets)) {
        const auto found = scene::findScene(name, options_.assets);
        if (found)
            model_.scenes.push_back(model::makeSceneChoice(*found, name));
        else
            model_.scenes.push_back({name, name, {}, found.error().text()});
    }
    listFiles(model_, options_.assets, options_.preferences.recent());
    model_.pictures = [this](const std::string& picture) {
        const std::string file = options_.assets + "/pictures/" + picture;
        const bool light = model_.looks.theme == widgets::ThemeKind::Light;
        const ImTextureID own = light ? pictures_.picture(file + "-light.png") : nullptr;
        return own ? own : pictures_.picture(file + ".png");
    };
}

void WindowLoop::recallLooks() {
    describeLooks(size_, model_, looks_);
    options_.preferences.recall(looks_);
    if (options_.theme) model_.looks.theme = *options_.theme;
    window_.pointSize(size_.width, size_.height);
    options_.preferences.begin(looks_);
    model_.files.looks = options_.preferences.place();
    if (!options_.preferences.problem().empty())
        model_.say(options_.preferences.problem(), true);
    else if (options_.preferences.isNew() && !options_.playground && !options_.lesson)
        model_.offer("New here? Throw a ball at the cloth, cut it and tear it in the playground.", "playground.toggle");
}

void WindowLoop::restoreLooks() {
    const auto written = options_.preferences.forget(looks_);
    window_.fitSize({});
    window_.pointSize(size_.width, size_.height);
    options_.preferences.begin(looks_);
    model_.say(written ? "The appearance is reset to the default." : written.error().text(), !written);
}

void WindowLoop::storeLooks() {
    window_.pointSize(size_.width, size_.height);
    if (const auto written = options_.preferences.store(looks_); !written)
        fmt::print(stderr, "clothlab: {}\n", written.error().text());
}

}  // namespace clothlab::app::window
