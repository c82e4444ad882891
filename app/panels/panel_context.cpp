#include "panels/panel_context.hpp"

#include <cassert>

#include "actions/actions.hpp"

namespace clothlab::app::panels {

using actions::Action;
using actions::findAction;

void WindowPart::actionButton(std::string_view id, std::string_view action, std::string_view help, float width) {
    const Action* found = findAction(action);
    assert(found && "an action of the register");
    const std::string refusal = found->refusal ? found->refusal(model_) : "";
    if (!refusal.empty()) ImGui::BeginDisabled();
    if (widgets_.button(id, found->label.c_str(), width, refusal.empty() ? help : refusal)) found->run(model_);
    if (!refusal.empty()) ImGui::EndDisabled();
}

}  // namespace clothlab::app::panels
