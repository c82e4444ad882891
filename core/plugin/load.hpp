#pragma once

#include <string>

#include "base/errors.hpp"

namespace clothlab::plugin {

/// Loads a plug-in (plugin.hpp) for the rest of the process; one that is there already is left alone. Its code runs in
/// this process and may do whatever the user may. An Error names the file, and says why it cannot be loaded, is of
/// another version (both are named), or what it could not add. From one thread at a time.
Expected<void> load(const std::string& path);

}  // namespace clothlab::plugin
