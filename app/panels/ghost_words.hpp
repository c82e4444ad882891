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
/// Of one of several, which began one after the other: "from 37: stretch stiffness 200 N/m", its first setting that the
/// ghost before it, of the first the one after it, has not.
std::string ghostName(const worker::Snapshot& now, std::size_t ghost);

}  // namespace clothlab::app::panels
