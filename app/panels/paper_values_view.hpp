#pragma once

#include <vector>

#include "panels/panel_context.hpp"
#include "scene/paper_values.hpp"

namespace clothlab::app::panels {

/// The values of the current scene: which are its paper's, and which are ours.
class PaperValuesView final : protected WindowPart {
public:
    explicit PaperValuesView(const PanelContext& context) : WindowPart(context) {}
    /// Fills the rest of the window, for the scene with its present settings.
    void build(const scene::Scene& scene, const scene::Settings& settings);

private:
    void row(const scene::PaperRow& each);

    scene::Scene shown_;
    std::vector<scene::PaperRow> rows_;  ///< of `shown_`
};

}  // namespace clothlab::app::panels
