#pragma once

#include <string>

namespace clothlab::app::commands {

/// Folders of the program's data. Searched in this order: the environment (CLOTHLAB_ASSETS, CLOTHLAB_SHADERS), the
/// source tree beside build/<preset>/clothlab, <prefix>/share/clothlab, and the tree the program was built from.
/// Without a trailing slash; if nothing is found, the last place searched (so that an error names a real path).
std::string assetsFolder();
std::string shadersFolder();

}  // namespace clothlab::app::commands
