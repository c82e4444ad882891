#pragma once

#include <vector>

#include "panels/panel_context.hpp"
#include "scene/paper_values.hpp"

namespace clothlab::app::panels {

/// Which values of the scene that moves are its paper's, and which are ours.
class PaperValuesView final : protected WindowPart {
public:
    explicit PaperValuesView(const PanelContext& context) : WindowPart(context) {}
    /// In the place that is left, of the scene with its present settings.
    void build(const scene::Scene& scene, const scene::Settings& settings);

private:
    void row(const scene::PaperRow& each);

    scene::Scene shown_;
    std::vector<scene::PaperRow> rows_;  ///< of that
};

}  // namespace clothlab::app::panels
