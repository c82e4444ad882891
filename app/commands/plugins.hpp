#pragma once

#include <string>
#include <vector>

namespace clothlab::app::commands {

/// `--plugin FILE` of the program and of each of its commands, in the order in which they are said. `App` is CLI::App,
/// which the command line alone includes.
template <class App>
void addPlugins(App& app, std::vector<std::string>& files) {
    app.template add_option_function<std::vector<std::string>>(
           "--plugin",
           [&files](const std::vector<std::string>& more) { files.insert(files.end(), more.begin(), more.end()); },
           "loads a library with solvers and preconditioners of yours; may be repeated")
        ->type_name("FILE.so")
        ->allow_extra_args(false);
    for (App* command : app.get_subcommands({})) addPlugins(*command, files);
}

/// Loads the plug-ins that the user's configuration names (plugins.json), and then these. One that cannot be loaded is
/// a warning on stderr: what needs it says so by the name of the method.
void loadPlugins(const std::vector<std::string>& files);

}  // namespace clothlab::app::commands
