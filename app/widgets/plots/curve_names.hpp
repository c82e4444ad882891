#pragma once

#include "widgets/plots/plot_frame.hpp"

namespace clothlab::app::widgets {

/// Which curves of a plot lie on each other, and their names beside them. Of plots whose curves are methods: two that
/// take the same iterates would look like one.
class CurveNames {
public:
    explicit CurveNames(const PlotFrame& frame);
    /// How many colours lie on this curve: drawn wider, it is seen beside them.
    std::size_t above(std::size_t curve) const;
    void draw() const;

private:
    std::string nameOf(std::size_t curve, float width) const;

    const PlotFrame& frame_;
    const std::span<const PlotCurve> curves_;
    const UiTheme& theme_;
    std::vector<std::vector<ImVec2>> lines_;  ///< where the curves run; none: they are not told apart
    std::vector<std::size_t> twin_;           ///< of each the first that lies on it
};

}  // namespace clothlab::app::widgets
