#pragma once

#include <string>
#include <vector>

namespace clothlab::app::commands {

/// Adds `--plugin FILE` to the program and to each of its commands; files keep their order. `App` is CLI::App, which
/// only the command line includes.
template <class App>
void addPlugins(App& app, std::vector<std::string>& files) {
    app.template add_option_function<std::vector<std::string>>(
           "--plugin",
           [&files](const std::vector<std::string>& more) { files.insert(files.end(), more.begin(), more.end()); },
           "loads a library with your own solvers and preconditioners; may be repeated")
        ->type_name("FILE.so")
        ->allow_extra_args(false);
    for (App* command : app.get_subcommands({})) addPlugins(*command, files);
}

/// Loads the plug-ins of the user's configuration (plugins.json), then these. One that cannot be loaded is a warning on
/// stderr: a command that needs it fails by the name of the method.
void loadPlugins(const std::vector<std::string>& files);

}  // namespace clothlab::app::commands
