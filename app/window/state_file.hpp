#pragma once

#include <optional>
#include <string>

#include "model/ui_model.hpp"
#include "widgets/layout_map.hpp"

namespace clothlab::app::window {

/// State of the window for scripts outside of it (`--state FILE`, docs/window.md).
struct WindowState {
    std::int64_t frame = 0;
    const model::UiModel& model;
    const widgets::LayoutMap& layout;
    bool settled = true;
    ImVec2 pointer{0, 0};                  ///< window coordinates
    Index grabbed = -1;                    ///< particle grabbed in the window
    std::optional<ImVec2> grabbedAt = {};  ///< where it is on the screen
    double frameP95Ms = 0;
    std::size_t without = 0;  ///< number of dropped effects, of EffectBudget::kOrder
    double longestExchangeMs = 0;
    std::string renderer;
};

std::string toJson(const WindowState& state);
}  // namespace clothlab::app::window
