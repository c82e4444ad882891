#pragma once

#include <string>

#include "worker/snapshot.hpp"

namespace clothlab::app::panels {

/// In what the ghost's settings differ from those of the cloth, by the first field that does.
struct GhostWords {
    std::string label, here, there;  ///< "time step", "5 ms", "10 ms"; all empty where they are the same
    bool more = false;               ///< there are other fields
};
GhostWords ghostWords(const worker::Snapshot& now);

}  // namespace clothlab::app::panels
