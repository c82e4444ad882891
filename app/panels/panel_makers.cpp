#include "panels/panel_makers.hpp"

#include <cassert>

#include "panels/descent/descent_panel.hpp"
#include "panels/gallery_panel.hpp"
#include "panels/lesson_gallery.hpp"
#include "panels/papers_panel.hpp"
#include "panels/plots/plot_panel.hpp"
#include "panels/quadratic/quadratic_panel.hpp"
#include "panels/race/race_panel.hpp"
#include "panels/slow_motion/slow_panel.hpp"
#include "panels/sparsity_panel.hpp"
#include "panels/work_panel.hpp"

namespace clothlab::app::panels {

using model::Panel;

std::unique_ptr<ClothPanel> makePanel(Panel panel, const PanelContext& context) {
    switch (panel) {
        case Panel::Race:
            return std::make_unique<RacePanel>(context);
        case Panel::Descent:
            return std::make_unique<DescentPanel>(context);
        case Panel::Work:
            return std::make_unique<WorkPanel>(context);
        case Panel::SlowMotion:
            return std::make_unique<SlowPanel>(context);
        case Panel::Matrix:
            return std::make_unique<SparsityPanel>(context);
        case Panel::TwoUnknowns:
            return std::make_unique<QuadraticPanel>(context);
        case Panel::Lessons:
            return std::make_unique<LessonGallery>(context);
        case Panel::Plots:
            return std::make_unique<PlotPanel>(context);
        case Panel::Gallery:
            return std::make_unique<GalleryPanel>(context);
        case Panel::Papers:
            return std::make_unique<PapersPanel>(context);
        case Panel::None:
            break;
    }
    assert(false && "a panel without a class");
    return nullptr;
}

}  // namespace clothlab::app::panels
