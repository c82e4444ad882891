#pragma once

#include <string>

namespace clothlab::app::actions {

/// docs/keys.md: the list of mouse and keys, and the names of all actions, as Markdown.
std::string actionsPage();

}  // namespace clothlab::app::actions
