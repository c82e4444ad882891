#pragma once

#include <string>

namespace clothlab::app::commands {

/// Where the program's data lies. Looked for in this order: the environment (CLOTHLAB_ASSETS, CLOTHLAB_SHADERS), the
/// source tree beside build/<preset>/clothlab, <prefix>/share/clothlab, and the tree the program was built from.
/// Without a trailing slash; if nothing is found, the last place looked at (an error about it names a real path).
std::string assetsFolder();
std::string shadersFolder();

}  // namespace clothlab::app::commands
