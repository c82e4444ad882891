#include <fmt/format.h>

#include "actions/actions.hpp"
#include "window/files.hpp"
#include "window/window_loop.hpp"

// What the window remembers: from the file into the window, and back (window/memory.hpp).
namespace clothlab::app::window {

/// Those that are built in, then the files that were opened last.
void WindowLoop::listScenes() {
    for (const std::string& name : scene::builtInScenes(options_.assets)) {
        const auto found = scene::findScene(name, options_.assets);
        if (found)
            model_.scenes.push_back(model::choiceOf(*found, name));
        else
            model_.scenes.push_back({name, name, {}, found.error().text()});
    }
    listFiles(model_, options_.assets, options_.memory.recent());
    model_.pictures = [this](const std::string& picture) {
        return pictures_.picture(options_.assets + "/pictures/" + picture + ".png");
    };
}

void WindowLoop::recallLooks() {
    describeLooks(size_, model_, looks_);
    options_.memory.recall(looks_);
    if (options_.theme) model_.looks.theme = *options_.theme;
    window_.pointSize(size_.width, size_.height);
    options_.memory.begin(looks_);
    const std::string& words = options_.memory.words();
    if (options_.memory.isNew())
        model_.say(fmt::format("New here? {} opens the lessons, {} the scenes with their pictures. {}",
                               actions::keyOf("lessons.toggle"), actions::keyOf("gallery.toggle"), words),
                   options_.memory.isProblem());
    else if (!words.empty())
        model_.say(words, options_.memory.isProblem());
}

void WindowLoop::restoreLooks() {
    const auto written = options_.memory.forget(looks_);
    window_.fitSize({});
    window_.pointSize(size_.width, size_.height);
    options_.memory.begin(looks_);
    model_.say(written ? "The window looks as usual." : written.error().text(), !written);
}

void WindowLoop::storeLooks() {
    window_.pointSize(size_.width, size_.height);
    if (const auto written = options_.memory.store(looks_); !written)
        fmt::print(stderr, "clothlab: {}\n", written.error().text());
}

}  // namespace clothlab::app::window
