#pragma once

#include "panels/panel_context.hpp"
#include "widgets/gallery.hpp"

namespace clothlab::app::panels {

/// All lessons, to choose one from.
class LessonGallery : public ClothPanel {
public:
    explicit LessonGallery(const PanelContext& context)
        : ClothPanel(context), gallery_(context.theme, context.layout, context.widgets) {}
    float build(const Region& centre, float bottom) override;

private:
    widgets::Gallery gallery_;
};

}  // namespace clothlab::app::panels
