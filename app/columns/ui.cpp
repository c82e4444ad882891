#include "columns/ui.hpp"

#include <algorithm>
#include <utility>

#include "actions/actions.hpp"
#include "actions/showing.hpp"

namespace clothlab::app::columns {

using model::Column;
using panels::Region;

namespace {

constexpr float kOneLineHigh = 58, kOneLineLow = 44, kTwoLines = 78;  // points

Regions around(ImVec2 window, float scale, float left, float right, float oneLine = Regions::kOneLine,
               float high = kOneLineHigh) {
    Regions r;
    const float centre = std::max(window.x - left - right, 1.0f);
    const float bottom = (centre < oneLine * scale ? kTwoLines : high) * scale;
    r.left = {0, 0, left, window.y};
    r.right = {left + centre, 0, right, window.y};
    r.bottom = {left, window.y - bottom, centre, bottom};
    r.centre = {left, 0, centre, std::max(window.y - bottom, 1.0f)};
    return r;
}

/// As dragged, or as usual; `room` is what it may take, all in pixels.
float computeWidth(float dragged, float usual, float least, float most, float room) {
    return std::clamp(dragged > 0 ? dragged : usual, least, std::max(least, std::min(most, room)));
}

}  // namespace

Regions Regions::of(ImVec2 window, float scale, Column shown, model::ColumnWidths widths) {
    const bool both = !folded(window, scale);
    const float room = window.x - (both ? kLeastCentre : kLeastBeside) * scale;
    float left = 0, right = 0;
    if (both || shown == Column::Controls)
        left = computeWidth(float(widths.left) * scale, std::clamp(window.x * 0.2f, 262 * scale, 330 * scale),
                            kLeastLeft * scale, kMostLeft * scale, both ? room - kLeastRight * scale : room);
    if (both || shown == Column::Plots)
        right = computeWidth(float(widths.right) * scale, std::clamp(window.x * 0.235f, 300 * scale, 470 * scale),
                             kLeastRight * scale, kMostRight * scale, room - left);
    return around(window, scale, left, right);
}

Regions Regions::presenting(ImVec2 window, float scale, bool lesson, bool low) {
    return around(window, scale, lesson ? std::min(window.x * 0.32f, kMostLesson * scale) : 0, 0, kOneLinePresenting,
                  low ? kOneLineLow : kOneLineHigh);
}

Ui::Ui(model::UiModel& model, const widgets::UiTheme& theme)
    : model_(model),
      theme_(theme),
      widgets_(theme_, layout_),
      controls_({model, theme_, layout_, widgets_}),
      plots_({model, theme_, layout_, widgets_}),
      transport_({model, theme_, layout_, widgets_}),
      centre_({model, theme_, layout_, widgets_}),
      splitters_({model, theme_, layout_, widgets_}),
      pinMenu_({model, theme_, layout_, widgets_}),
      playground_({model, theme_, layout_, widgets_}) {
    actions::connectActions(model_);
}

Region Ui::build() {
    if (theme_.kind != model_.looks.theme) widgets::applyColors(model_.looks.theme, theme_);
    layout_.clear();
    widgets_.focus.beginFrame();
    syncShown();
    if (!ImGui::IsAnyMouseDown() && !ImGui::IsAnyItemActive() && !widgets_.focus.held()) model_.editor.changes.letGo();
    if (model_.popups.close) widgets::closeAllPopups();
    model_.popups.close = false;
    if (!model_.files.toCopy.empty()) ImGui::SetClipboardText(std::exchange(model_.files.toCopy, {}).c_str());
    model_.said.seconds -= ImGui::GetIO().DeltaTime;
    chooseColumn();
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    if (model_.playground.on) return buildPlayground();
    Regions regions =
        model_.looks.presenter
            ? Regions::presenting(window, theme_.scale, model_.lessons.isOn(), actions::toolsFolded(model_))
            : Regions::of(window, theme_.scale, model_.looks.column, model_.looks.widths);
    if (regions.left.width > 0) controls_.build(regions.left);
    if (regions.right.width > 0) plots_.build(regions.right);
    transport_.build(regions.bottom);
    const Regions columns = regions;
    regions.centre = centre_.build(regions.centre);
    splitters_.build(columns);
    pinMenu_.build();
    controls_.point();
    return finish(regions.centre);
}

Region Ui::buildPlayground() {
    model::aimFan(model_);
    model_.popups.pinAsked = false;  // it has rows of the laboratory
    return finish(playground_.build(ImGui::GetIO().DisplaySize));
}

/// What every frame ends with.
Region Ui::finish(const Region& cloth) {
    model_.popups.rowFocus = widgets_.focus.isOn();
    postChanges();
    layout_.mark("view", {cloth.x, cloth.y}, {cloth.x + cloth.width, cloth.y + cloth.height});
    model_.popups.open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    return cloth;
}

/// The model was changed elsewhere: nothing to post.
void Ui::syncShown() {
    const bool followed = std::exchange(followed_, model_.followed) != model_.followed;
    if (shownRevision_ == model_.revision && !followed) return;
    shown_ = model_.settings;
    shownRevision_ = model_.revision;
}

void Ui::postChanges() {
    if (model_.settings == shown_) return;
    if (shownRevision_ == model_.revision) model_.postSettings();
    shown_ = model_.settings;
    shownRevision_ = model_.revision;
}

/// In a narrow window a panel over the cloth gets the room of the column, and gives it back when it closes.
void Ui::chooseColumn() {
    const bool open = model_.panelOpen();
    if (open && !panelWasOpen_) {
        columnBefore_ = model_.looks.column;
        model_.looks.column = Column::None;
    } else if (!open && panelWasOpen_ && model_.looks.column == Column::None) {
        model_.looks.column = columnBefore_;
    }
    panelWasOpen_ = open;
}

}  // namespace clothlab::app::columns
