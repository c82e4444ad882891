#include "actions/actions_page.hpp"

#include <fmt/format.h>

#include "actions/actions.hpp"

namespace clothlab::app::actions {

std::string actionsPage() {
    std::string page =
        "# Mouse, keys and actions\n\n"
        "For users of the window and for authors of scripts. `clothlab --help-actions` writes this page.\n\n"
        "## Mouse and keys\n\n"
        "| mouse or key | effect |\n|---|---|\n";
    for (const KeyLine& line : keyLines()) page += fmt::format("| {} | {} |\n", line.keys, line.does);
    page += "\n## Actions\n\n| name | key | effect |\n|---|---|---|\n";
    for (const Action& action : actions())
        page += fmt::format("| `{}` | {} | {} |\n", action.name, keyText(action.key, action.control), action.help);
    return page;
}

}  // namespace clothlab::app::actions
