#include "panels/panel_context.hpp"

#include <fmt/format.h>

#include <cassert>

#include "actions/actions.hpp"
#include "actions/figure_caption.hpp"

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

void WindowPart::overChoice(std::string_view panel, bool& overTime, float right) {
    constexpr std::pair<const char*, const char*> kOver[] = {{"iterations", "The plot is over iterations."},
                                                             {"time", "The plot is over time."}};
    for (const bool time : {false, true}) {
        const auto [text, help] = kOver[time];
        widgets_.flow(text, theme_.px(time ? 4 : 14), right);
        if (widgets_.toggle(fmt::format("{}/over/{}", panel, text), text, overTime == time, help)) overTime = time;
    }
}

std::function<std::vector<std::string>()> WindowPart::captionSource(bool times) const {
    return [this, times] { return actions::figureCaption(model_, times); };
}

std::function<std::vector<std::string>()> WindowPart::captionSource(const worker::StepOrigin& of, std::string scene,
                                                                    int threads, bool times) const {
    return [this, of, threads, times, scene = std::move(scene)] {
        return actions::figureCaption(model_, of, scene, threads, times);
    };
}

}  // namespace clothlab::app::panels
