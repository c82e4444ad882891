#include "panels/ui.hpp"

#include <algorithm>

namespace clothlab::app::panels {

Regions Regions::of(ImVec2 window, float scale, Column shown) {
    Regions r;
    const bool both = !folded(window, scale);
    const float left = both || shown == Column::Controls ? std::clamp(window.x * 0.2f, 262 * scale, 330 * scale) : 0;
    const float right = both || shown == Column::Plots ? std::clamp(window.x * 0.235f, 300 * scale, 470 * scale) : 0;
    const float centre = std::max(window.x - left - right, 1.0f);
    const float bottom = (centre < kOneLine * scale ? 78.0f : 58.0f) * scale;
    r.left = {0, 0, left, window.y};
    r.right = {left + centre, 0, right, window.y};
    r.bottom = {left, window.y - bottom, centre, bottom};
    r.centre = {left, 0, centre, std::max(window.y - bottom, 1.0f)};
    return r;
}

Ui::Ui(UiModel& model, const widgets::UiTheme& theme)
    : model_(model),
      theme_(theme),
      widgets_(theme_, layout_),
      race_(model, theme_, layout_, widgets_),
      slow_(model, theme_, layout_, widgets_),
      sparsity_(model, theme_, layout_, widgets_),
      quadratic_(model, theme_, layout_, widgets_),
      work_(model, theme_, layout_, widgets_) {
    describe(model_.settings, fields_);
    describe(model_.scene.settings, defaults_);
    describe(model_.patch, patchFields_);
    describe(model_.patchInForce, patchDefaults_);
}

Region Ui::build() {
    layout_.clear();
    if (shownRevision_ != model_.revision) {  // the model was changed elsewhere: nothing to post
        shown_ = model_.settings;
        shownRevision_ = model_.revision;
    }
    if (model_.closePopups) widgets::closeAllPopups();
    model_.closePopups = false;
    model_.messageSeconds -= ImGui::GetIO().DeltaTime;
    chooseColumn();
    Regions regions = Regions::of(ImGui::GetIO().DisplaySize, theme_.scale, model_.column);
    if (regions.left.width > 0) buildLeft(regions.left);
    if (regions.right.width > 0) buildRight(regions.right);
    buildBottom(regions.bottom);
    regions.centre = buildCentre(regions.centre);
    if (!(model_.settings == shown_)) {
        if (shownRevision_ == model_.revision) model_.postSettings();
        shown_ = model_.settings;
        shownRevision_ = model_.revision;
    }
    layout_.mark("view", {regions.centre.x, regions.centre.y},
                 {regions.centre.x + regions.centre.width, regions.centre.y + regions.centre.height});
    model_.popupOpen = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    return regions.centre;
}

/// In a narrow window a panel over the cloth gets the room of the column, and gives it back when it closes.
void Ui::chooseColumn() {
    const bool open = model_.panelOpen();
    if (open && !panelWasOpen_) {
        columnBefore_ = model_.column;
        model_.column = Column::None;
    } else if (!open && panelWasOpen_ && model_.column == Column::None) {
        model_.column = columnBefore_;
    }
    panelWasOpen_ = open;
}

const Field& Ui::field(std::string_view key) const {
    const Field* found = fields_.find(key);
    IM_ASSERT(found != nullptr && "a key that no description table has");
    return *found;
}

const FieldRef& Ui::standard(std::string_view key) const { return defaults_.find(key)->ref; }

bool Ui::row(std::string_view key) { return widgets_.row(field(key), standard(key)); }

bool Ui::rows(std::initializer_list<std::string_view> keys) {
    bool changed = false;
    for (const std::string_view key : keys) changed |= row(key);
    return changed;
}

}  // namespace clothlab::app::panels
