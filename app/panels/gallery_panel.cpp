#include "panels/gallery_panel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actions/actions.hpp"

namespace clothlab::app::panels {

using actions::actionKey;
using model::Panel;
using model::SceneChoice;
using model::SceneGroup;

namespace {

/// In the order of SceneGroup.
constexpr const char* kGroups[] = {"Hanging and falling",
                                   "On solids",
                                   "Layer on layer",
                                   "Soft bodies",
                                   "What is computed, in colours",
                                   "Files: opened last, and of the working folder"};

}  // namespace

GalleryPanel::GalleryPanel(const PanelContext& context) : ClothPanel(context), gallery_(theme_, layout_, widgets_) {}

float GalleryPanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), top = centre.y + theme_.px(model_.playground.on ? 14 : 60);
    const ImVec2 size{centre.width - 2 * margin, bottom - top};
    widgets::FloatingPanel panel("gallery", {centre.x + margin, top}, size, theme_, layout_);
    heading(panel);
    const std::vector<widgets::GalleryCard> shown = cards();
    if (const auto chosen = gallery_.build("gallery/scene", shown)) {
        model_.files.request = shown[*chosen].id;
        model_.closePanel();
    }
    if (!model_.isOpen(Panel::Gallery)) model_.files.first = false;
    return size.y;
}

void GalleryPanel::heading(widgets::FloatingPanel& panel) {
    if (panel.heading("Scenes", widgets_, fmt::format("Back to the cloth (key {}).", actionKey("gallery.toggle"))))
        model_.closePanel();
    if (model_.playground.on) return;
    const float width = theme_.px(96), right = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
    ImGui::SameLine(right - theme_.px(34) - width);
    actionButton("gallery/playground", "playground.toggle",
                 "For those who only want to play: a few large buttons, and no numbers.", width);
}

std::vector<widgets::GalleryCard> GalleryPanel::cards() const {
    std::vector<widgets::GalleryCard> cards;
    std::vector<int> groups;
    for (int group = 0; group < int(std::size(kGroups)); ++group) groups.push_back(group);
    if (model_.files.first) std::rotate(groups.begin(), groups.end() - 1, groups.end());
    for (const int group : groups)
        for (const SceneChoice& choice : model_.scenes) {
            if (int(choice.group) != group) continue;
            const bool playing = model_.playground.on;
            if (playing && (choice.group == SceneGroup::Inside || !choice.problem.empty())) continue;
            cards.push_back({.id = choice.name,
                             .title = choice.title,
                             .line = playing ? "" : choice.watch,
                             .note = playing || choice.group == SceneGroup::Files ? ""
                                     : choice.paper.empty()                       ? "ours"
                                                                                  : choice.paper,
                             .group = kGroups[group],
                             .picture = model_.pictures ? model_.pictures("scenes/" + choice.picture) : nullptr,
                             .refusal = choice.problem,
                             .current = choice.name == model_.scene.name,
                             .first = model_.files.first && cards.empty()});
        }
    return cards;
}

}  // namespace clothlab::app::panels
