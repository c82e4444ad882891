#pragma once

#include "widgets/plots/plot_frame.hpp"

namespace clothlab::app::widgets {

/// Finds curves of a plot that coincide, and draws names beside them. For plots whose curves are methods: two with the
/// same iterates would look like one.
class CurveNames {
public:
    explicit CurveNames(const PlotFrame& frame);
    /// Number of colours on top of this curve: drawn wider, it is seen beside them.
    std::size_t above(std::size_t curve) const;
    void draw() const;

private:
    std::string legendName(std::size_t curve, float width) const;

    const PlotFrame& frame_;
    const std::span<const PlotCurve> curves_;
    const UiTheme& theme_;
    std::vector<std::vector<ImVec2>> lines_;  ///< points of the curves; none: coincident curves are ignored
    std::vector<std::size_t> twin_;           ///< of each the first that lies on it
};

}  // namespace clothlab::app::widgets
