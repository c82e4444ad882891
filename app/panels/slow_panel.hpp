#pragma once

#include "panels/ui_model.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::panels {

struct Region;

/// Slow motion under the picture: a slider over the iterates of one solve, two methods side by side.
class SlowPanel {
public:
    SlowPanel(UiModel& model, const widgets::UiTheme& theme, widgets::LayoutMap& layout, widgets::Widgets& widgets)
        : model_(model), theme_(theme), layout_(layout), widgets_(widgets) {}

    /// Over the centre, above `bottom`; returns its height.
    float build(const Region& centre, float bottom);

private:
    std::string note() const;
    void heading(float right);
    void choices(float right);
    void slider();
    /// One method: its list and how far it is; between x and x + width.
    void side(std::size_t which, float x, float width);
    bool methodCombo(std::size_t which, float width);
    void groupName(const experiments::Contestant& first) const;
    std::vector<std::string> words(std::size_t which) const;
    void advance();

    UiModel& model_;
    const widgets::UiTheme& theme_;
    widgets::LayoutMap& layout_;
    widgets::Widgets& widgets_;
    float since_ = 0;   ///< s, since the last frame while playing
    float height_ = 0;  ///< that the panel took in the frame before: its lines wrap
};

}  // namespace clothlab::app::panels
