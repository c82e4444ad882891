#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "widgets/plots/plot.hpp"

namespace clothlab::app::widgets {

/// A plot for export: on white, 640 points wide, with a legend, and under it a caption with its source. Its curves
/// differ by dash and mark and its areas by hatching, for a print in grey. It owns a copy of its data, so that it can
/// be drawn after the frame.
class Figure {
public:
    Figure(const PlotSpec& spec, std::span<const PlotCurve> curves);
    Figure(const Figure&) = delete;  // spec and curves point into it
    Figure& operator=(const Figure&) = delete;

    /// Pixels at the theme's scale; within a frame, since the caption is wrapped in its font.
    ImVec2 size(const UiTheme& theme) const;
    /// Draws at the corner of the list; `svg` receives the same as elements.
    void draw(ImDrawList& list, const UiTheme& theme, std::string* svg = nullptr) const;
    /// The colours of paper, whatever the theme of the window is.
    static UiTheme onPaper(const UiTheme& theme);

    /// A document of SVG. Within a frame.
    std::string svg(const UiTheme& theme) const;
    /// The numbers shown, after the caption in lines that begin with "# ".
    std::string csv() const;
    const std::vector<std::string>& caption() const { return caption_; }

private:
    std::vector<std::string> captionLines(const UiTheme& theme) const;

    PlotSpec spec_;
    std::vector<PlotCurve> curves_;
    std::vector<std::string> caption_;
    std::vector<PlotNote> notes_;
    std::deque<std::string> words_;
    std::deque<std::vector<std::string>> lines_;
    std::deque<std::vector<double>> numbers_;
};

/// Styles that distinguish curves without their colours: each keeps its own where no curve before it has the
/// same dash and mark, else it gets another mark, and another dash when there is no mark left. `marks`: each point has
/// a mark, so that none and a disc are one.
std::vector<Style> paperStyles(std::vector<Style> styles, bool marks);

}  // namespace clothlab::app::widgets
