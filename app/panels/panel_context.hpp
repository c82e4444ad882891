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

/// Common references of all parts of the window. It outlives them.
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

    /// A button with the label of an action, which it runs; if that is refused, it is disabled and its tooltip says
    /// why.
    void actionButton(std::string_view id, std::string_view action, std::string_view help, float width = 0);

    /// Two buttons for the x axis of the single plot in the presenter's mode: iterations or time.
    void overChoice(std::string_view panel, bool& overTime, float right);

    /// A plot with input: zoom, pan, hidden curves, copies and files.
    widgets::PlotReadout drawPlot(widgets::PlotSpec spec, std::span<const widgets::PlotCurve> curves, ImVec2 size) {
        spec.views = &model_.plotViews;
        if (!spec.source) spec.source = captionSource(spec.times);
        return widgets::drawPlot(spec, curves, size, theme_, layout_);
    }

    /// Caption of a plot of the current motion.
    std::function<std::vector<std::string>()> captionSource(bool times) const;
    /// The same for a result computed from a step (actions/figure_caption.hpp).
    std::function<std::vector<std::string>()> captionSource(const worker::StepOrigin& of, std::string scene,
                                                            int threads, bool times) const;

    model::UiModel& model_;
    const widgets::UiTheme& theme_;
    widgets::LayoutMap& layout_;
    widgets::Widgets& widgets_;
};

/// A panel over the cloth, of panelTable(). It lives as long as the window, open or not.
class ClothPanel : protected WindowPart {
public:
    virtual ~ClothPanel() = default;
    ClothPanel(const ClothPanel&) = delete;
    ClothPanel& operator=(const ClothPanel&) = delete;

    /// Over the centre, above `bottom`, while it is open. Returns the size that it takes from the cloth: its height, or
    /// beside the cloth (Place::Beside) its width.
    virtual float build(const Region& centre, float bottom) = 0;

protected:
    using WindowPart::WindowPart;
};

}  // namespace clothlab::app::panels
