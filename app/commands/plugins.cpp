#include "commands/plugins.hpp"

#include "base/input.hpp"
#include "base/json_reader.hpp"
#include "base/platform.hpp"
#include "commands/say.hpp"
#include "plugin/load.hpp"

namespace clothlab::app::commands {
namespace {

/// $XDG_CONFIG_HOME/clothlab/plugins.json: {"version": 1, "plugins": ["/path/mine.so"]}.
Expected<std::vector<std::string>> pluginsOfTheUser() {
    const std::string folder = platform::userConfigFolder(), path = folder + "/clothlab/plugins.json";
    if (folder.empty() || !somethingAt(path)) return {};
    const auto text = readFile(path, {.bytes = 1u << 20, .pipes = false});
    if (!text) return fail(text.error());
    JsonReader reader(*text, path, {.depth = 4, .values = 1000});
    reader.needVersion("version", 1, "list of plug-ins");
    std::vector<std::string> files = reader.root()["plugins"].texts();
    if (reader.problem()) return fail(*reader.problem());
    return files;
}

void load(const std::string& file) {
    if (const auto loaded = plugin::load(file); !loaded) remark("warning: " + loaded.error().text());
}

}  // namespace

void loadPlugins(const std::vector<std::string>& files) {
    const auto ofTheUser = pluginsOfTheUser();
    if (!ofTheUser) remark("warning: " + ofTheUser.error().text());
    if (ofTheUser)
        for (const std::string& file : *ofTheUser) load(file);
    for (const std::string& file : files) load(file);
}

}  // namespace clothlab::app::commands
