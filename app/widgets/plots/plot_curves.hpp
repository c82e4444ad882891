#pragma once

#include "widgets/plots/curve_names.hpp"
#include "widgets/plots/plot_frame.hpp"
#include "widgets/plots/plot_hatch.hpp"

namespace clothlab::app::widgets {

/// Lines, areas, bars and marks of a plot.
class CurveDrawing {
public:
    CurveDrawing(const PlotFrame& frame, const CurveNames& names)
        : frame_(frame), curves_(frame.curves), theme_(frame.theme), names_(names) {}
    void draw();

private:
    void drawAreas();
    void drawLines();
    void drawBars();
    void drawMeant();
    void drawMarks();
    void drawLost();
    void flush(std::size_t curve);
    void marksAlong(std::size_t curve);
    /// The n-th area, or a bar of it, is told from others in a print in grey.
    void hatchOnPaper(std::size_t curve, std::span<const HatchBox> boxes) const;
    void markPoint(std::size_t curve, std::string_view kind, std::size_t index, ImVec2 at);

    const PlotFrame& frame_;
    const std::span<const PlotCurve> curves_;
    const UiTheme& theme_;
    const CurveNames& names_;
    std::vector<ImVec2> points_;  ///< of the piece of a line that is collected
};

}  // namespace clothlab::app::widgets
