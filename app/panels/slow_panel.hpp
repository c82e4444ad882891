#pragma once

#include "panels/ui_model.hpp"
#include "panels/widgets.hpp"

namespace clothlab::app {

struct Region;

/// Slow motion under the picture: a slider over the iterates of one solve, two methods side by side.
class SlowPanel {
public:
    SlowPanel(UiModel& model, const Theme& theme, LayoutMap& layout, Widgets& widgets)
        : model_(model), theme_(theme), layout_(layout), widgets_(widgets) {}

    /// Over the centre, above `bottom`; returns its height.
    float build(const Region& centre, float bottom);

private:
    void heading();
    void slider();
    void sideLine(std::size_t side, float x, float width);
    bool methodCombo(std::size_t side, float width);
    void advance();

    UiModel& model_;
    const Theme& theme_;
    LayoutMap& layout_;
    Widgets& widgets_;
    float since_ = 0;  ///< s, since the last frame while playing
};

}  // namespace clothlab::app
