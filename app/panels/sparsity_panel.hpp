#pragma once

#include "panels/ui_model.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::panels {

struct Region;

/// The blocks of a matrix as a picture beside the cloth, linked with it: a block under the pointer marks its two
/// particles on the cloth, a particle under the pointer its row and column in the picture.
class SparsityPanel {
public:
    SparsityPanel(UiModel& model, const widgets::UiTheme& theme, widgets::LayoutMap& layout, widgets::Widgets& widgets)
        : model_(model), theme_(theme), layout_(layout), widgets_(widgets) {}

    /// At the right of the centre, above `bottom`; returns its width.
    float build(const Region& centre, float bottom);

private:
    void heading();
    void picture(float side);
    void pointAt(ImVec2 min, float side);
    void borders(ImVec2 min, float side) const;
    std::string componentsCaption() const;
    void crossHair(ImVec2 min, float side) const;
    void legend() const;
    void follow();

    UiModel& model_;
    const widgets::UiTheme& theme_;
    widgets::LayoutMap& layout_;
    widgets::Widgets& widgets_;
    float sinceAsked_ = 0;       ///< s
    std::int64_t askedAt_ = -1;  ///< step shown when the picture followed last
};

}  // namespace clothlab::app::panels
