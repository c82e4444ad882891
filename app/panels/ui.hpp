#pragma once

#include "panels/quadratic_panel.hpp"
#include "panels/race_panel.hpp"
#include "panels/slow_panel.hpp"
#include "panels/sparsity_panel.hpp"
#include "panels/ui_model.hpp"
#include "panels/work_panel.hpp"
#include "widgets/layout_map.hpp"
#include "widgets/ui_theme.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::panels {

/// A part of the window, in window coordinates (points times the content scale).
struct Region {
    float x = 0, y = 0, width = 0, height = 0;
};

/// Left: controls. Right: plots. Bottom: the motion. Centre: the cloth. From kFullWidth up there is room for both
/// columns; a narrower window shows one of them, or none.
struct Regions {
    static constexpr float kFullWidth = 1100,
                           kFullHeight = 640;  ///< points: from here up nothing overlaps and no text is cut
    static constexpr float kLeastWidth = 640, kLeastHeight = 400;  ///< points: smaller is no window
    static constexpr float kOneLine = 640;  ///< points: width from which the bottom bar is one line
    Region left, right, bottom, centre;
    static Regions of(ImVec2 window, float scale, Column shown = Column::Controls);
    static bool folded(ImVec2 window, float scale) { return window.x < kFullWidth * scale - 0.5f; }
};

/// All panels on ImGuiIO alone: no GLFW, no GL; between ImGui::NewFrame and ImGui::Render.
class Ui {
public:
    Ui(UiModel& model, const widgets::UiTheme& theme);

    /// Builds one frame and tells where the cloth is drawn. Commands stand in the model's outbox afterwards.
    Region build();
    const widgets::LayoutMap& layout() const { return layout_; }
    /// After the content scale has changed.
    void setTheme(const widgets::UiTheme& theme) { theme_ = theme; }

private:
    void buildLeft(const Region& region);
    void sceneSection();
    void gridFields();
    void integratorSection();
    void explicitShare(const worker::Snapshot& now, bool limited);
    void solverSection();
    void decomposition(const worker::Snapshot& now);
    void preconditionerSection();
    void materialSection();
    void contactSection();
    void windSection();
    void threadsSection();
    void restoreButtons();
    bool row(std::string_view key);
    bool rows(std::initializer_list<std::string_view> keys);
    const Field& field(std::string_view key) const;
    const FieldRef& standard(std::string_view key) const;

    void buildRight(const Region& region);
    void residualPlot(ImVec2 size);
    void iterationsPlot(ImVec2 size);
    void stagesPlot(ImVec2 size);
    void energyPlot(ImVec2 size);
    void strainPlot(ImVec2 size);
    void alsoPlot(ImVec2 size);
    void alsoChooser();
    void ghostPlot(ImVec2 size);
    void componentsPlot(ImVec2 size);
    void timeStepPlot(ImVec2 size);

    void chooseColumn();
    void buildBottom(const Region& region);
    enum class Icon : int { Play, Pause, Back, Forward, Restart, Branch };
    static void drawIcon(ImDrawList* draw, Icon icon, ImVec2 c, float r, ImU32 color);
    bool iconButton(std::string_view id, Icon icon, std::string_view help, bool lit = false);
    void transportButtons();
    void motionWords(ImVec2 at);
    float motionWidth() const;
    void timeline(float width);
    void speedCombo(float width);

    Region buildCentre(const Region& region);
    float headLine(const Region& region);
    float problemBanner(const Region& region, float y);
    float toolBar(const Region& region);
    void columnChoices(float right);
    void overlayChoice(float right);
    void overlayEntries();
    void panelChoices(float right);
    void familyChoices();
    void overlayLegend(const Region& region, float bottom);
    void keysWindow(const Region& region);

    UiModel& model_;
    widgets::UiTheme theme_;
    widgets::LayoutMap layout_;
    widgets::Widgets widgets_;
    RacePanel race_;
    SlowPanel slow_;
    SparsityPanel sparsity_;
    QuadraticPanel quadratic_;
    WorkPanel work_;
    FieldList fields_, defaults_, patchFields_, patchDefaults_;
    scene::Settings shown_;  ///< as last posted: what differs is posted
    std::uint64_t shownRevision_ = 0;
    std::uint64_t problemRevision_ = 0;  ///< settings revision when the present problem came up
    std::string problemSeen_;
    std::int64_t scrub_ = 0;
    float viewWidth_ = FLT_MAX;  ///< of the picture, as it was in the last frame
    bool panelWasOpen_ = false;
    Column columnBefore_ = Column::Controls;          ///< shown before a panel took its room
    std::vector<double> iterationsAxis_, residuals_;  ///< scratch of the plots
    std::vector<std::vector<double>> perMethod_;
    bool tightPlots_ = false;  ///< the plots over steps share one axis
};

}  // namespace clothlab::app::panels
