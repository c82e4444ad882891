#pragma once

#include "columns/centre.hpp"
#include "columns/control_column.hpp"
#include "columns/pin_menu.hpp"
#include "columns/playground_column.hpp"
#include "columns/plot_column.hpp"
#include "columns/regions.hpp"
#include "columns/splitters.hpp"
#include "columns/transport_bar.hpp"

namespace clothlab::app::columns {

/// The contents of the window, on ImGuiIO only: no GLFW, no GL; between ImGui::NewFrame and ImGui::Render.
class Ui {
public:
    Ui(model::UiModel& model, const widgets::UiTheme& theme);
    Ui(const Ui&) = delete;  ///< its parts point into it
    Ui& operator=(const Ui&) = delete;

    /// Builds one frame and returns the region of the cloth. Commands are in the model's outbox afterwards.
    panels::Region build();
    /// Lower edge of the text over the cloth, in window coordinates.
    float wordsBottom() const { return model_.playground.on ? 0 : centre_.wordsBottom(); }
    /// A text field is about to take the keyboard: text typed before would be lost.
    bool fieldComing() const { return widgets_.fieldComing(); }
    const widgets::LayoutMap& layout() const { return layout_; }
    const widgets::UiTheme& theme() const { return theme_; }
    /// After the content scale or the zoom has changed.
    void setTheme(const widgets::UiTheme& theme) { theme_ = theme; }

private:
    panels::Region buildPlayground();
    panels::Region finish(const panels::Region& cloth);
    void chooseColumn();
    void syncShown();
    void postChanges();

    model::UiModel& model_;
    widgets::UiTheme theme_;
    widgets::LayoutMap layout_;
    widgets::Widgets widgets_;
    ControlColumn controls_;
    PlotColumn plots_;
    TransportBar transport_;
    Centre centre_;
    Splitters splitters_;
    PinMenu pinMenu_;
    PlaygroundColumn playground_;
    scene::Settings shown_;  ///< as last posted: differences are posted
    std::uint64_t shownRevision_ = 0, followed_ = 0;
    bool panelWasOpen_ = false;
    model::Column columnBefore_ = model::Column::Controls;  ///< shown before a panel took its room
};

}  // namespace clothlab::app::columns
