#pragma once

#include <string>

#include "base/errors.hpp"

namespace clothlab::plugin {

/// Loads a plug-in (plugin.hpp) for the rest of the process; loading it again does nothing. Its code runs in this
/// process with all rights of the user. An Error names the file and the reason: it cannot be loaded, is of another
/// version (both are named), or failed to add something. From one thread at a time.
Expected<void> load(const std::string& path);

}  // namespace clothlab::plugin
