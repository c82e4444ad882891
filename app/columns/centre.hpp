#pragma once

#include <memory>
#include <string>
#include <vector>

#include "columns/key_strip.hpp"

namespace clothlab::app::columns {

/// Everything over and under the cloth: the head line, errors, the open panel, the legend, the keys (keys_window.cpp)
/// and the tool bar (tool_bar.cpp).
class Centre : panels::WindowPart {
public:
    explicit Centre(const panels::PanelContext& context);
    /// Returns the part of the region left for the cloth, without tool bar, banner and panel.
    panels::Region build(const panels::Region& region);
    /// Lower edge of the text over the cloth, as built last.
    float wordsBottom() const { return wordsBottom_; }

private:
    float headLine(const panels::Region& region, bool covered);
    float offered(ImVec2 at);
    void remembered(float width);
    void sceneTooltip(ImVec2 min, ImVec2 max);
    float problemBanner(const panels::Region& region, float y);
    float openPanel(const panels::Region& region, float above, float banner, panels::Region& left);
    void besideCaptions(const panels::Region& picture, float top);
    void keysWindow(const panels::Region& region);

    float toolBar(const panels::Region& region);
    void columnChoices(float right);
    void overlayChoice(float right);
    void overlayEntries();
    void fabricEntries();
    void panelChoices(float right);
    void panelList();
    void presentChoice(float right);
    std::string panelHelp(const model::PanelEntry& panel) const;
    void familyChoices();
    void strainFit();
    void overlayLegend(const panels::Region& region, float top, float bottom);

    KeyStrip strip_;
    std::vector<std::unique_ptr<panels::ClothPanel>> panels_;  ///< in the order of panels::panelTable()
    std::uint64_t problemRevision_ = 0;                        ///< settings revision when the present problem came up
    std::string problemSeen_;
    float legendHeight_ = 0;  ///< pixels, as drawn last
    scene::OverlayKind legendOf_ = scene::OverlayKind::None;
    float wordsBottom_ = 0;
    float viewWidth_ = FLT_MAX;  ///< width of the picture in the last frame
};

}  // namespace clothlab::app::columns
