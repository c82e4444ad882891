#include "widgets/row_focus.hpp"

#include <algorithm>
#include <utility>

#include "widgets/imgui_keys.hpp"

namespace clothlab::app::widgets {

void RowFocus::beginFrame() {
    before_ = std::exchange(rows_, {});
    const bool there = std::exchange(seen_, false);
    listening_ = false;
    if (std::exchange(taking_, false) && !before_.empty()) {  // the row that was named is not there
        focused_ = before_.front();
        since_ = ImGui::GetFrameCount();
        scroll_ = true;
        return;
    }
    if (!isOn()) return;
    if (!there || ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1)) return leave();
    if (ImGui::GetIO().WantTextInput || since_ == ImGui::GetFrameCount()) return;
    if (keyPressed(Key::Up)) go(-1);
    if (keyPressed(Key::Down)) go(1);
    if (keyPressed(Key::Escape, false)) leave(), back_ = true;
}

/// Up from the first leads back to where the focus came from.
void RowFocus::go(int by) {
    const auto at = std::ranges::find(before_, focused_);
    if (at == before_.end()) return;
    const auto next = (at - before_.begin()) + by;
    if (next < 0) leave(), back_ = true;
    if (next < 0 || next >= std::ptrdiff_t(before_.size())) return;
    focused_ = *(before_.begin() + next);
    scroll_ = true;
}

bool RowFocus::held() const { return isOn() && (keyDown(Key::Left) || keyDown(Key::Right)); }

bool RowFocus::takeBack() { return std::exchange(back_, false); }

RowFocus::Asked RowFocus::row(std::string_view id, ImVec2 min, ImVec2 max, const UiTheme& theme, LayoutMap& layout,
                              bool busy) {
    if (!listening_) return {};
    rows_.emplace_back(id);
    if (taking_ && (wanted_.empty() || wanted_ == id)) {
        taking_ = false;
        focused_ = id;
        since_ = ImGui::GetFrameCount();
        scroll_ = true;
    }
    if (focused_ != id) return {};
    seen_ = true;
    const float margin = theme.px(3);
    const ImVec2 from{min.x - margin, min.y - margin}, to{max.x + margin, max.y + margin};
    ImGui::GetWindowDrawList()->AddRect(from, to, theme.colors.focus, theme.px(4), 0, theme.px(2));
    layout.mark("focus", from, to);
    layout.words("focus", focused_);
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    if (std::exchange(scroll_, false) && (from.y < top || to.y > bottom)) ImGui::SetScrollHereY(0.5f);
    if (busy || ImGui::GetIO().WantTextInput || since_ == ImGui::GetFrameCount()) return {};
    Asked asked;
    asked.steps = int(keyPressed(Key::Right)) - int(keyPressed(Key::Left));
    asked.enter = keyPressed(Key::Enter, false) || keyPressed(Key::KeypadEnter, false);
    asked.reset = keyPressed(Key::Delete, false) || keyPressed(Key::Backspace, false);
    return asked;
}

KeyStep keyStepNow() {
    const ImGuiIO& io = ImGui::GetIO();
    return io.KeyShift ? KeyStep::Coarse : io.KeyAlt ? KeyStep::Fine : KeyStep::Usual;
}

}  // namespace clothlab::app::widgets
