#pragma once

#include <string_view>

#include "model/ui_model.hpp"
#include "widgets/layout_map.hpp"
#include "widgets/plots/plot.hpp"
#include "widgets/ui_theme.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::panels {

/// A part of the window, in window coordinates (points times the content scale).
struct Region {
    float x = 0, y = 0, width = 0, height = 0;
};

/// What every part of the window is built with. It outlives them.
struct PanelContext {
    model::UiModel& model;
    const widgets::UiTheme& theme;
    widgets::LayoutMap& layout;
    widgets::Widgets& widgets;
};

/// A part of the window: a column, or a panel over the cloth.
class WindowPart {
protected:
    explicit WindowPart(const PanelContext& context)
        : model_(context.model), theme_(context.theme), layout_(context.layout), widgets_(context.widgets) {}

    /// A button with the label of an action, which it runs; where that is refused, it is disabled and says why.
    void actionButton(std::string_view id, std::string_view action, std::string_view help, float width = 0);

    /// Two buttons: what the one plot of a room is over.
    void overChoice(std::string_view panel, bool& overTime, float right);

    /// A plot that the user may handle: zoom, pan, hide curves, take its values along.
    widgets::PlotReadout drawPlot(widgets::PlotSpec spec, std::span<const widgets::PlotCurve> curves, ImVec2 size) {
        spec.views = &model_.plotViews;
        if (!spec.source) spec.source = sourceOf(spec.times);
        return widgets::drawPlot(spec, curves, size, theme_, layout_);
    }

    /// What a plot is of: the motion on show.
    std::function<std::vector<std::string>()> sourceOf(bool times) const;
    /// The same for a result: the step that it was computed from (actions/figure_caption.hpp).
    std::function<std::vector<std::string>()> sourceOf(const worker::StepOrigin& of, std::string scene, int threads,
                                                       bool times) const;

    model::UiModel& model_;
    const widgets::UiTheme& theme_;
    widgets::LayoutMap& layout_;
    widgets::Widgets& widgets_;
};

/// A panel over the cloth, as panelTable() makes it. It lives as long as the window, open or not.
class ClothPanel : protected WindowPart {
public:
    virtual ~ClothPanel() = default;
    ClothPanel(const ClothPanel&) = delete;
    ClothPanel& operator=(const ClothPanel&) = delete;

    /// Over the centre, above `bottom`, while it is open. Returns what it takes from the cloth: its height, and beside
    /// the cloth (Place::Beside) its width.
    virtual float build(const Region& centre, float bottom) = 0;

protected:
    using WindowPart::WindowPart;
};

}  // namespace clothlab::app::panels
